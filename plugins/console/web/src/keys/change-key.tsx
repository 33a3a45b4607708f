import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, type ApiKey } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { entered } from '../parts/plain-text.ts';
import { Fault } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { errorsOf } from '../playground/run.ts';
import { showDate, text } from '../texts/text.ts';
import { endAfter, keyIn, LIVES, Restrictions, ScopeFields } from './key-fields.tsx';

const HOUR_S = 3600;
const OVERLAPS = [0, HOUR_S, 24 * HOUR_S, 7 * 24 * HOUR_S];

/** Changes what a key is called, when it ends, and what it may do. */
export function ChangeKey({ of, close }: { readonly of: ApiKey; readonly close: () => void }) {
  const queries = useQueryClient();
  const id = useId();
  const change = useMutation({
    mutationFn: (form: FormData) => {
      const days = Number(entered(form, 'days'));
      const body = { ...keyIn(form), ...(days > 0 && { expires_at: endAfter(days) }) };
      return dataOf(api.PATCH('/api-keys/{key_id}', { params: { path: { key_id: of.id } }, body }));
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      close();
    },
  });
  return (
    <Dialog title={text.keys.changeTitle(of.name)} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(new FormData(event.currentTarget));
        }}
      >
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
        {change.error && <Fault error={change.error} />}
        <div className="row">
          <button type="button" className="button" onClick={close}>
            {text.account.cancel}
          </button>
          <button type="submit" className="button primary" disabled={change.isPending}>
            {text.keys.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Gives a key a new secret, and hands it on to be shown. */
export function RotateKey(props: {
  readonly of: ApiKey;
  readonly done: (made: ApiKey) => void;
  readonly close: () => void;
}) {
  const { of, done, close } = props;
  const queries = useQueryClient();
  const id = useId();
  const rotate = useMutation({
    mutationFn: (form: FormData) => {
      const body = { overlap_seconds: Number(entered(form, 'overlap')) };
      return dataOf(api.POST('/api-keys/{key_id}/rotate', { params: { path: { key_id: of.id } }, body }));
    },
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      done(made);
      close();
    },
  });
  return (
    <Dialog title={text.keys.rotateTitle(of.name)} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate(new FormData(event.currentTarget));
        }}
      >
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
        {rotate.error && <Fault error={rotate.error} />}
        <div className="row">
          <button type="button" className="button" onClick={close}>
            {text.account.cancel}
          </button>
          <button type="submit" className="button primary" disabled={rotate.isPending}>
            {text.keys.rotate}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
