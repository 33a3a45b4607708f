import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { SelectField } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { safeAddress } from '../../parts/safe-address.ts';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Waiting } from '../../parts/waiting.tsx';
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
    <Dialog title={words.makeTitle} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(algorithm_id === undefined);
          if (algorithm_id !== undefined) create.mutate(new FormData(event.currentTarget));
        }}
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
        <End change={create} waiting={words.making} action={words.makeAction} close={close} />
      </form>
    </Dialog>
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
    <Dialog title={words.onServerTitle(repository.host_full_name ?? repository.name)} close={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(new FormData(event.currentTarget));
        }}
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
        <End change={change} waiting={words.changing} action={text.keys.save} close={close} />
      </form>
    </Dialog>
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

function End(props: {
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  /** What is said while the server is asked. */
  readonly waiting: string;
  readonly action: string;
  readonly close: () => void;
}) {
  const { change, waiting, action, close } = props;
  return (
    <>
      {change.isPending && (
        <p role="status">
          <Waiting>{waiting}</Waiting>
        </p>
      )}
      {change.error !== null && <Fault error={change.error} />}
      <div className="row">
        <button type="button" className="button" onClick={close}>
          {text.account.cancel}
        </button>
        <SubmitButton isBusy={change.isPending}>{action}</SubmitButton>
      </div>
    </>
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
