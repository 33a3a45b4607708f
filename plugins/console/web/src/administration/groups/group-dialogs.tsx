import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { Confirmation, Dialog } from '../../parts/dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import type { Group } from '../queries.ts';

/** Makes a group, and leads to it. */
export function NewGroup({ close }: { readonly close: () => void }) {
  const words = adminText.groups;
  const navigate = useNavigate();
  const create = useChange(
    (form: FormData) => dataOf(api.POST('/groups', { body: groupIn(form) })),
    ({ id }) => void navigate({ to: '/administration/groups/$groupId', params: { groupId: id } }),
  );
  return (
    <GroupDialog
      title={words.add}
      action={words.create}
      error={create.error}
      isBusy={create.isPending}
      submit={create.mutate}
      close={close}
    />
  );
}

/** Changes what a group is called and what it is for. */
export function ChangeGroup({ group, close }: { readonly group: Group; readonly close: () => void }) {
  const change = useChange(
    (form: FormData) =>
      dataOf(
        api.PATCH('/groups/{group_id}', { params: { path: { group_id: group.id } }, body: groupIn(form) }),
      ),
    close,
  );
  return (
    <GroupDialog
      group={group}
      title={text.keys.changeTitle(group.name)}
      action={text.keys.save}
      error={change.error}
      isBusy={change.isPending}
      submit={change.mutate}
      close={close}
    />
  );
}

/** Deletes a group, once its name was typed. */
export function DeleteGroup({ group, close }: { readonly group: Group; readonly close: () => void }) {
  const words = adminText.groups;
  const navigate = useNavigate();
  const deletion = useChange(
    () => dataOf(api.DELETE('/groups/{group_id}', { params: { path: { group_id: group.id } } })),
    () => void navigate({ to: '/administration/groups' }),
  );
  return (
    <Confirmation
      title={words.deleteTitle(group.name)}
      action={words.delete}
      typed={group.name}
      isBusy={deletion.isPending}
      confirm={() => deletion.mutate(undefined)}
      close={close}
    >
      <p>{words.deleteText}</p>
      {deletion.error && <Fault error={deletion.error} />}
    </Confirmation>
  );
}

function groupIn(form: FormData) {
  return { name: entered(form, 'name').trim(), description: entered(form, 'description').trim() };
}

function GroupDialog(props: {
  readonly group?: Group;
  readonly title: string;
  readonly action: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly submit: (form: FormData) => void;
  readonly close: () => void;
}) {
  const words = adminText.groups;
  const { group, title, action, error, isBusy, submit, close } = props;
  return (
    <Dialog title={title} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <TextField
          label={words.name}
          name="name"
          maxLength={100}
          autoFocus
          defaultValue={group?.name}
          hint={words.nameHint}
          wrong={errorsOf(error).get('/body/name')}
        />
        <TextField
          label={words.description}
          name="description"
          maxLength={1000}
          required={false}
          defaultValue={group?.description}
        />
        {error !== null && <Fault error={error} />}
        <div className="row">
          <button type="button" className="button" onClick={close}>
            {text.account.cancel}
          </button>
          <SubmitButton isBusy={isBusy}>{action}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}
