import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { User } from '../../api/queries.ts';
import { SelectField } from '../../parts/choice.tsx';
import { Confirmation } from '../../parts/confirmation.tsx';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, showStatus, text } from '../../texts/text.ts';
import { ROLES } from '../addresses.ts';
import { useFollowed } from '../followed.ts';

const STATUSES = ['active', 'disabled'] as const;
type Status = (typeof STATUSES)[number];
type Change = Partial<Pick<User, 'email' | 'role'>> & {
  readonly status?: Status;
  readonly revoke_api_keys?: boolean;
};

const statusOf = ({ status }: User): Status => (status === 'disabled' ? status : 'active');

/** Changes the e-mail address, the role and the status of an account. What others change meanwhile is not taken back. */
export function ChangeUser({ user }: { readonly user: User }) {
  const words = adminText.users;
  const [asked, setAsked] = useState<Change>();
  const email = useFollowed(user.email, user.email);
  const [isTouched, setTouched] = useState(false);
  const change = useChange(
    (body: Change) => dataOf(api.PATCH('/users/{user_id}', { params: { path: { user_id: user.id } }, body })),
    () => {
      setAsked(undefined);
      setTouched(false);
      email.follow();
    },
  );
  const submit = (form: FormData): void => {
    const role = ROLES.find((each) => each === form.get('role'));
    const status = STATUSES.find((each) => each === form.get('status'));
    const wanted: Change = {
      ...(email.isTouched && { email: email.value.trim() }),
      ...(role && role !== user.role && { role }),
      ...(status && status !== statusOf(user) && { status }),
    };
    if (wanted.status === 'disabled') setAsked(wanted);
    else change.mutate(wanted);
  };
  const restored = change.data?.restored_api_keys ?? [];
  return (
    <section className="card">
      <header>
        <h2>{words.account}</h2>
      </header>
      <form
        className="body stack"
        onInput={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
      >
        <Unsaved when={isTouched && !change.isPending} />
        <TextField
          label={text.account.email}
          name="email"
          type="email"
          autoComplete="off"
          value={email.value}
          onChange={({ target }) => email.enter(target.value)}
          wrong={errorsOf(change.error).get('/body/email')}
        />
        <SelectField
          // Others change it as well, and the status.
          key={`role ${user.role}`}
          label={text.account.role}
          name="role"
          options={ROLES}
          initial={user.role}
          nameOf={(role) => text.account.roles[role]}
        />
        <SelectField
          key={`status ${user.status}`}
          label={text.history.status}
          name="status"
          options={STATUSES}
          initial={statusOf(user)}
          nameOf={showStatus}
          hint={words.statusHint}
        />
        {change.error && !asked && <Fault error={change.error} />}
        {change.isSuccess && (
          <p className="notice good" role="status">
            {words.saved}
            {restored.length > 0 && (
              <span>{words.restored(restored.map(({ name }) => name).join(', '))}</span>
            )}
          </p>
        )}
        <div>
          <SubmitButton isBusy={change.isPending}>{text.keys.save}</SubmitButton>
        </div>
      </form>
      {asked && (
        <Disabling
          user={user}
          disable={(revoke_api_keys) => change.mutateAsync({ ...asked, revoke_api_keys })}
          close={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

function Disabling(props: {
  readonly user: User;
  readonly disable: (revokesKeys: boolean) => Promise<unknown>;
  readonly close: () => void;
}) {
  const words = adminText.users;
  const { user, disable, close } = props;
  const [revokes, setRevokes] = useState(false);
  return (
    <Confirmation
      title={words.disableTitle(user.username)}
      action={words.disable}
      run={() => disable(revokes)}
      close={close}
    >
      <p>{words.disableText}</p>
      <label className="choice">
        <input type="checkbox" checked={revokes} onChange={({ target }) => setRevokes(target.checked)} />
        <span>
          {words.revokeKeys}
          <small className="quiet">{words.revokeKeysHint}</small>
        </span>
      </label>
    </Confirmation>
  );
}
