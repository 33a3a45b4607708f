import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { SelectField } from '../../parts/choice.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { safeAddress } from '../../parts/safe-address.ts';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { PickAlgorithm, PickField } from '../pick.tsx';
import type { Repository } from './queries.ts';

interface Closable {
  readonly close: () => void;
}

const LONGEST_DESCRIPTION = 2048;

/** Has the code-hosting server make the repository of an algorithm, and leads to it. */
export function NewHosted({ close }: Closable) {
  const words = adminText.repositories;
  const [algorithm_id, setAlgorithm] = useState<string>();
  const [isMissing, setMissing] = useState(false);
  const create = useChange((form: FormData) =>
    dataOf(
      api.POST('/repohost/repos/create', {
        body: { algorithm_id: algorithm_id!, description: descriptionIn(form), ...visibilityIn(form) },
      }),
    ),
  );
  const made = create.data;
  if (made) {
    return (
      <Dialog title={words.makeTitle} close={close}>
        <p className="notice good" role="status">
          {words.made(made.full_name)}
        </p>
        <div className="row">
          <a className="button" href={safeAddress(made.html_url)} rel="noreferrer">
            {words.toIt}
          </a>
          <button type="button" className="button primary" autoFocus onClick={close}>
            {text.keys.done}
          </button>
        </div>
      </Dialog>
    );
  }
  const errors = errorsOf(create.error);
  return (
    <FormDialog title={words.makeTitle} close={close}>
      <DialogForm
        action={words.makeAction}
        change={create}
        waiting={words.making}
        submit={(form) => {
          setMissing(algorithm_id === undefined);
          if (algorithm_id !== undefined) create.mutate(form);
        }}
        cancel={close}
      >
        <PickField
          label={words.algorithm}
          hint={words.nameLike}
          wrong={isMissing ? words.chooseAlgorithm : errors.get('/body/algorithm_id')}
        >
          <PickAlgorithm
            find={adminText.gateway.find.algorithm}
            chosen={algorithm_id}
            choose={(id) => (setAlgorithm(id), setMissing(false))}
          />
        </PickField>
        <TextField
          label={words.description}
          name="description"
          required={false}
          maxLength={LONGEST_DESCRIPTION}
          wrong={errors.get('/body/description')}
        />
        <Visibility otherwise="asSet" />
      </DialogForm>
    </FormDialog>
  );
}

/** Changes what the repository says of itself on the server, and who sees it there. */
export function ChangeHosted({ repository, close }: Closable & { readonly repository: Repository }) {
  const words = adminText.repositories;
  const change = useChange(
    (form: FormData) =>
      dataOf(
        api.PATCH('/repohost/repos/update', {
          body: {
            algorithm_id: repository.algorithm_id ?? '',
            description: descriptionIn(form),
            ...visibilityIn(form),
          },
        }),
      ),
    close,
  );
  return (
    <FormDialog title={words.onServerTitle(repository.host_full_name ?? repository.name)} close={close}>
      <DialogForm
        action={text.keys.save}
        change={change}
        waiting={words.changing}
        submit={change.mutate}
        cancel={close}
      >
        <TextField
          label={words.description}
          name="description"
          required={false}
          maxLength={LONGEST_DESCRIPTION}
          autoFocus
          defaultValue={repository.description}
          hint={words.onServerDescription}
          wrong={errorsOf(change.error).get('/body/description')}
        />
        <Visibility otherwise="asIs" />
      </DialogForm>
    </FormDialog>
  );
}

function Visibility({ otherwise }: { readonly otherwise: 'asIs' | 'asSet' }) {
  const words = adminText.repositories;
  return (
    <SelectField
      label={words.visibility}
      name="visibility"
      options={[otherwise, 'private', 'public'] as const}
      initial={otherwise}
      nameOf={(option) => words.visibilities[option]}
    />
  );
}

function descriptionIn(form: FormData): string {
  return entered(form, 'description').trim();
}

/** Whether the repository becomes private; `undefined` keeps its visibility, or takes that of the settings. */
function visibilityIn(form: FormData): { private?: boolean } {
  const chosen = form.get('visibility');
  return chosen === 'private' || chosen === 'public' ? { private: chosen === 'private' } : {};
}
