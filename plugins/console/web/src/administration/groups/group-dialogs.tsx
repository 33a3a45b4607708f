import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { DialogForm, type Change } from '../../parts/dialog-form.tsx';
import { Confirmation } from '../../parts/confirmation.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
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
    ({ id }) =>
      void navigate({
        to: '/administration/groups/$groupId',
        params: { groupId: id },
        ignoreBlocker: true,
      }),
  );
  return <GroupDialog title={words.add} action={words.create} change={create} close={close} />;
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
      change={change}
      close={close}
    />
  );
}

/** Deletes a group, once its name was typed. */
export function DeleteGroup({ group, close }: { readonly group: Group; readonly close: () => void }) {
  const words = adminText.groups;
  const navigate = useNavigate();
  const path = { group_id: group.id };
  return (
    <Confirmation
      title={words.deleteTitle(group.name)}
      action={words.delete}
      typed={group.name}
      run={() => dataOf(api.DELETE('/groups/{group_id}', { params: { path } }))}
      done={() => void navigate({ to: '/administration/groups' })}
      close={close}
    >
      <p>{words.deleteText}</p>
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
  readonly change: Change<FormData>;
  readonly close: () => void;
}) {
  const words = adminText.groups;
  const { group, title, action, change, close } = props;
  return (
    <FormDialog title={title} close={close}>
      <DialogForm action={action} change={change} submit={change.mutate} cancel={close}>
        <TextField
          label={words.name}
          name="name"
          maxLength={100}
          autoFocus
          defaultValue={group?.name}
          hint={words.nameHint}
          wrong={errorsOf(change.error).get('/body/name')}
        />
        <TextField
          label={words.description}
          name="description"
          maxLength={1000}
          required={false}
          defaultValue={group?.description}
        />
      </DialogForm>
    </FormDialog>
  );
}
