import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { entered } from '../../parts/plain-text.ts';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText } from '../../texts/text.ts';
import type { Hosting } from './queries.ts';

/** The address of the server, its token, and how new repositories are named. */
export function HostingForm(props: {
  readonly hosting: Hosting;
  readonly saved: () => void;
  readonly forgotten: () => void;
}) {
  const { hosting, saved, forgotten } = props;
  const words = adminText.repositories.hosting;
  const [isForgetting, setForgetting] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const save = useChange(
    (form: FormData) => dataOf(api.POST('/repohost/config', { body: fieldsIn(form) })),
    () => {
      setTouched(false);
      saved();
    },
  );
  const errors = errorsOf(save.error);
  const field = (name: 'server_url' | 'default_owner' | 'repo_prefix') => ({
    name,
    // What was saved may have another form than what was typed.
    key: `${name} ${hosting[name]}`,
    defaultValue: hosting[name],
    wrong: errors.get(`/body/${name}`),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <section className="card">
      <header>
        <h2>{words.server}</h2>
      </header>
      <form
        className="body stack"
        onInput={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(new FormData(event.currentTarget));
        }}
      >
        <Unsaved when={isTouched && !save.isPending} />
        <TextField {...field('server_url')} label={words.url} maxLength={2048} hint={words.urlHint} />
        <TextField
          label={words.token}
          name="access_token"
          type="password"
          autoComplete="new-password"
          maxLength={1024}
          required={!hosting.access_token_set}
          hint={hosting.access_token_set ? words.tokenSet : words.tokenHint}
          wrong={errors.get('/body/access_token')}
        />
        <TextField
          {...field('default_owner')}
          label={words.owner}
          maxLength={40}
          required={false}
          hint={words.ownerHint}
        />
        <TextField
          {...field('repo_prefix')}
          label={words.prefix}
          maxLength={60}
          required={false}
          hint={words.prefixHint}
        />
        {save.error && <Fault error={save.error} />}
        {save.isSuccess && (
          <p className="small quiet" role="status">
            {words.saved}
          </p>
        )}
        <div className="row">
          <SubmitButton isBusy={save.isPending}>{words.save}</SubmitButton>
          {hosting.server_url !== '' && (
            <button type="button" className="button danger" onClick={() => setForgetting(true)}>
              {words.forget}
            </button>
          )}
        </div>
      </form>
      {isForgetting && (
        <Forgetting
          forgotten={() => {
            save.reset();
            forgotten();
          }}
          close={() => setForgetting(false)}
        />
      )}
    </section>
  );
}

function Forgetting({ forgotten, close }: { readonly forgotten: () => void; readonly close: () => void }) {
  const words = adminText.repositories.hosting;
  return (
    <Confirmation
      title={words.forgetTitle}
      action={words.forget}
      run={() => dataOf(api.DELETE('/repohost/config'))}
      done={forgotten}
      close={close}
    >
      <p>{words.forgetText}</p>
    </Confirmation>
  );
}

/** An empty token keeps the one that is set. */
function fieldsIn(form: FormData) {
  const of = (name: string): string => entered(form, name).trim();
  return {
    server_url: of('server_url'),
    access_token: of('access_token'),
    default_owner: of('default_owner'),
    repo_prefix: of('repo_prefix'),
  };
}
