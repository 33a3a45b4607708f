import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { PolicyForm, type PolicyFields } from './policy-form.tsx';
import { policyQuery, type Policy } from './queries.ts';

interface Closable {
  readonly close: () => void;
}

/** Makes a limit. */
export function NewPolicy({ close }: Closable) {
  const words = adminText.gateway.policies;
  const create = useChange((body: PolicyFields) => dataOf(api.POST('/gateway/policies', { body })), close);
  return (
    <FormDialog title={words.add} close={close}>
      <PolicyForm action={words.create} change={create} cancel={close} />
    </FormDialog>
  );
}

/** Changes a limit, wherever in the list it is. */
export function ChangePolicy({ id, close }: Closable & { readonly id: string }) {
  const { data: policy, error } = useQuery(policyQuery(id));
  const change = useChange(
    (body: PolicyFields) =>
      dataOf(api.PUT('/gateway/policies/{policy_id}', { params: { path: { policy_id: id } }, body })),
    close,
  );
  if (!policy && !error) return null;
  return (
    <FormDialog title={policy ? text.keys.changeTitle(policy.name) : text.errors.notFoundTitle} close={close}>
      {policy ? (
        <PolicyForm policy={policy} action={text.keys.save} change={change} cancel={close} />
      ) : (
        <Fault error={error} />
      )}
    </FormDialog>
  );
}

/** Deletes a limit. */
export function DeletePolicy({ policy, close }: Closable & { readonly policy: Policy }) {
  const words = adminText.gateway.policies;
  const path = { policy_id: policy.id };
  return (
    <Confirmation
      title={words.deleteTitle(policy.name)}
      action={words.delete}
      run={() => dataOf(api.DELETE('/gateway/policies/{policy_id}', { params: { path } }))}
      close={close}
    >
      <p>{words.deleteText}</p>
    </Confirmation>
  );
}
