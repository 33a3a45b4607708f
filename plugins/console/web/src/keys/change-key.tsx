import { useId } from 'react';
import { useChange } from '../api/change.ts';
import { api, dataOf } from '../api/client.ts';
import type { ApiKey } from '../api/queries.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { entered } from '../parts/plain-text.ts';
import { TextField } from '../parts/text-field.tsx';
import { errorsOf } from '../playground/run.ts';
import { showDate, text } from '../texts/text.ts';
import { endAfter, keyIn, LIVES, Restrictions, ScopeFields } from './key-fields.tsx';

const HOUR_S = 3600;
const OVERLAPS = [0, HOUR_S, 24 * HOUR_S, 7 * 24 * HOUR_S];

/** Changes what a key is called, when it ends, and what it may do. */
export function ChangeKey({ of, close }: { readonly of: ApiKey; readonly close: () => void }) {
  const id = useId();
  const change = useChange((form: FormData) => {
    const days = Number(entered(form, 'days'));
    const body = { ...keyIn(form), ...(days > 0 && { expires_at: endAfter(days) }) };
    return dataOf(api.PATCH('/api-keys/{key_id}', { params: { path: { key_id: of.id } }, body }));
  }, close);
  return (
    <FormDialog title={text.keys.changeTitle(of.name)} close={close}>
      <DialogForm action={text.keys.save} change={change} submit={change.mutate} cancel={close}>
        <TextField label={text.keys.name} name="name" maxLength={200} defaultValue={of.name} />
        <div className="field">
          <label htmlFor={id}>{text.keys.expires}</label>
          <select id={id} name="days" className="select" defaultValue={0}>
            <option value={0}>{showDate(of.expires_at)}</option>
            {LIVES.map((days) => (
              <option key={days} value={days}>
                {text.keys.fromNow(days)}
              </option>
            ))}
          </select>
        </div>
        <ScopeFields scopes={of.scopes} />
        <Restrictions of={of} errors={errorsOf(change.error)} />
      </DialogForm>
    </FormDialog>
  );
}

/** Gives a key a new secret, and hands it on to be shown. */
export function RotateKey(props: {
  readonly of: ApiKey;
  readonly done: (made: ApiKey) => void;
  readonly close: () => void;
}) {
  const { of, done, close } = props;
  const id = useId();
  const rotate = useChange(
    (form: FormData) => {
      const body = { overlap_seconds: Number(entered(form, 'overlap')) };
      return dataOf(api.POST('/api-keys/{key_id}/rotate', { params: { path: { key_id: of.id } }, body }));
    },
    (made) => {
      done(made);
      close();
    },
  );
  return (
    <Dialog title={text.keys.rotateTitle(of.name)} close={close}>
      <DialogForm action={text.keys.rotate} change={rotate} submit={rotate.mutate} cancel={close}>
        <p>{text.keys.rotateText}</p>
        <div className="field">
          <label htmlFor={id}>{text.keys.overlap}</label>
          <select id={id} name="overlap" className="select" defaultValue={0}>
            {OVERLAPS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {text.keys.overlaps(seconds / HOUR_S)}
              </option>
            ))}
          </select>
        </div>
      </DialogForm>
    </Dialog>
  );
}
