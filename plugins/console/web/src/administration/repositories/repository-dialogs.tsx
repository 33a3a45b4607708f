import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components, paths } from 'vitrine/client';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { SelectField } from '../../parts/choice.tsx';
import { DialogForm, type Change } from '../../parts/dialog-form.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { Fault } from '../../parts/states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { PickAlgorithm, PickField } from '../pick.tsx';
import { REPOSITORY_STATUSES } from './addresses.ts';
import { repositoryQuery, type Repository } from './queries.ts';

type New = NonNullable<paths['/repositories']['post']['requestBody']>['content']['application/json'];
type Changes = NonNullable<
  paths['/repositories/{repo_id}']['put']['requestBody']
>['content']['application/json'];
type Changed = components['schemas']['ChangedRepository'];

interface Closable {
  readonly close: () => void;
}

/** Adds where some code is, and links it to an algorithm. */
export function NewRepository({ close }: Closable) {
  const words = adminText.repositories;
  const create = useChange(async ({ name, ...fields }: Changes): Promise<Changed> => {
    const { algorithm_id, status: _, ...others } = fields;
    const body: New = { name: name ?? '', ...others };
    const made = await dataOf(api.POST('/repositories', { body }));
    if (!algorithm_id) return made;
    const path = { repo_id: made.repository.id };
    try {
      return await dataOf(api.PUT('/repositories/{repo_id}', { params: { path }, body: { algorithm_id } }));
    } catch (error) {
      // All of it or nothing: it can be added again.
      await api.DELETE('/repositories/{repo_id}', { params: { path, query: { hosted: 'keep' } } });
      throw error;
    }
  }, close);
  return (
    <FormDialog title={words.add} close={close}>
      <RepositoryForm action={words.create} change={create} cancel={close} />
    </FormDialog>
  );
}

/** Changes an entry, wherever in the list it is. */
export function ChangeRepository({ id, close }: Closable & { readonly id: string }) {
  const { data: repository, error } = useQuery(repositoryQuery(id));
  const change = useChange(
    (body: Changes) =>
      dataOf(api.PUT('/repositories/{repo_id}', { params: { path: { repo_id: id } }, body })),
    close,
  );
  if (!repository && !error) return null;
  return (
    <FormDialog
      title={repository ? text.keys.changeTitle(repository.name) : text.errors.notFoundTitle}
      close={close}
    >
      {repository ? (
        <RepositoryForm repository={repository} action={text.keys.save} change={change} cancel={close} />
      ) : (
        <Fault error={error} />
      )}
    </FormDialog>
  );
}

interface FormProps {
  readonly repository?: Repository;
  readonly action: string;
  readonly change: Change<Changes>;
  readonly cancel: () => void;
}

function RepositoryForm({ repository, action, change, cancel }: FormProps) {
  const words = adminText.repositories;
  const [algorithm, setAlgorithm] = useState(repository?.algorithm_id ?? undefined);
  const isHosted = repository !== undefined && repository.host_full_name !== null;
  const errors = errorsOf(change.error);
  const field = (name: 'name' | 'description' | 'type' | 'repo_url' | 'branch' | 'local_path') => ({
    name,
    defaultValue: repository?.[name],
    wrong: errors.get(`/body/${name}`),
    required: name === 'name',
    autoComplete: 'off',
  });
  return (
    <DialogForm
      action={action}
      change={change}
      submit={(form) => change.mutate(changesIn(form, isHosted ? undefined : algorithm))}
      cancel={cancel}
    >
      <TextField {...field('name')} label={words.name} maxLength={200} autoFocus />
      <TextField {...field('description')} label={words.description} maxLength={10_000} />
      {isHosted ? (
        <p className="notice">{words.hostedHint}</p>
      ) : (
        <>
          <TextField
            {...field('repo_url')}
            label={words.url}
            maxLength={2048}
            hint={words.urlHint}
            spellCheck={false}
          />
          <PickField label={words.algorithm} wrong={errors.get('/body/algorithm_id')}>
            <PickAlgorithm find={adminText.gateway.find.algorithm} chosen={algorithm} choose={setAlgorithm} />
          </PickField>
        </>
      )}
      <TextField
        {...field('branch')}
        label={words.branch}
        maxLength={255}
        placeholder="main"
        spellCheck={false}
      />
      <TextField
        {...field('type')}
        label={words.type}
        maxLength={100}
        placeholder="code"
        hint={words.typeHint}
      />
      <TextField {...field('local_path')} label={words.path} maxLength={1024} hint={words.pathHint} />
      {repository && (
        <SelectField
          label={text.history.status}
          name="status"
          options={REPOSITORY_STATUSES}
          initial={repository.status}
          nameOf={(status) => words.statuses[status]}
        />
      )}
    </DialogForm>
  );
}

/** What the form says; address and algorithm of a hosted one are not in it. */
function changesIn(form: FormData, algorithm: string | undefined): Changes {
  const of = (name: string): string => entered(form, name).trim();
  const status = REPOSITORY_STATUSES.find((each) => each === form.get('status'));
  return {
    name: of('name'),
    description: of('description'),
    type: of('type'),
    branch: of('branch'),
    local_path: of('local_path'),
    ...(form.has('repo_url') && { repo_url: of('repo_url'), algorithm_id: algorithm ?? null }),
    ...(status && { status }),
  };
}
