import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { SelectField } from '../../parts/choice.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Confirmation } from '../../parts/confirmation.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { entered } from '../../parts/plain-text.ts';
import { errorsOf } from '../../playground/run.ts';
import { adminText, showDate, text } from '../../texts/text.ts';
import type { Grant } from '../queries.ts';
import { EndField } from './end-field.tsx';
import { dayOf, endOfDay, RIGHTS } from './rights.ts';

interface Asked {
  readonly what: 'change' | 'takeBack';
  readonly grant: Grant;
}

/** The columns of grants that all lists of them have, and the dialogs that change one. `nameOf` tells them apart. */
export function useGrantColumns(nameOf: (grant: Grant) => string) {
  const words = adminText.grants;
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const columns: readonly Column<Grant>[] = [
    { label: words.right, cell: ({ permission_type }) => words.rights[permission_type] },
    {
      label: adminText.access.until,
      cell: ({ expires_at: end }) =>
        end ? <time dateTime={end}>{showDate(end)}</time> : adminText.access.noEnd,
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (grant) => (
        <>
          <button
            type="button"
            className="button small"
            aria-label={adminText.access.changeOf(nameOf(grant))}
            onClick={() => setAsked({ what: 'change', grant })}
          >
            {text.keys.change}
          </button>
          <button
            type="button"
            className="button small"
            aria-label={words.takeBackOf(nameOf(grant))}
            onClick={() => setAsked({ what: 'takeBack', grant })}
          >
            {words.takeBack}
          </button>
        </>
      ),
    },
  ];
  const dialog = asked && (
    <>
      {asked.what === 'change' && (
        <ChangeGrant grant={asked.grant} name={nameOf(asked.grant)} close={close} />
      )}
      {asked.what === 'takeBack' && <TakeBack grant={asked.grant} name={nameOf(asked.grant)} close={close} />}
    </>
  );
  return { columns, dialog };
}

interface OfGrant {
  readonly grant: Grant;
  /** What tells it apart from the others of the list. */
  readonly name: string;
  readonly close: () => void;
}

function ChangeGrant({ grant, name, close }: OfGrant) {
  const words = adminText.grants;
  const path = { grant_id: grant.id };
  const end = grant.expires_at ? dayOf(new Date(grant.expires_at)) : '';
  const change = useChange((form: FormData) => {
    const permission_type = RIGHTS.find((right) => right === entered(form, 'right'))!;
    const until = entered(form, 'until');
    // It may end within its day, which the field does not tell.
    const expires = until === end ? {} : { expires_at: endOfDay(until) };
    return dataOf(
      api.PATCH('/permissions/grants/{grant_id}', {
        params: { path },
        body: { permission_type, ...expires },
      }),
    );
  }, close);
  return (
    <Dialog title={adminText.access.changeOf(name)} close={close}>
      <DialogForm action={text.keys.save} change={change} submit={change.mutate} cancel={close}>
        <SelectField
          label={words.right}
          name="right"
          options={RIGHTS}
          nameOf={(right) => words.rights[right]}
          initial={grant.permission_type}
        />
        <EndField name="until" initial={end} wrong={errorsOf(change.error).get('/body/expires_at')} />
      </DialogForm>
    </Dialog>
  );
}

function TakeBack({ grant, name, close }: OfGrant) {
  const words = adminText.access;
  const path = { grant_id: grant.id };
  return (
    <Confirmation
      title={words.takeBackTitle(name)}
      action={adminText.grants.takeBack}
      run={() => dataOf(api.DELETE('/permissions/grants/{grant_id}', { params: { path } }))}
      close={close}
    >
      <p>{words.takeBackText}</p>
    </Confirmation>
  );
}
