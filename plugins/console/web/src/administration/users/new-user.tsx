import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { RadioChoice, SelectField } from '../../parts/choice.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { ROLES } from '../addresses.ts';
import { useChange } from '../../api/change.ts';
import { isToCopy, LinkToHandOver } from './one-time-link.tsx';

const WAYS = ['invitation', 'password'] as const;
type Way = (typeof WAYS)[number];

/** Makes an account, with a link by which its owner chooses a password, or with a password. */
export function NewUser({ close }: { readonly close: () => void }) {
  const words = adminText.users;
  const navigate = useNavigate();
  const [way, setWay] = useState<Way>('invitation');
  const [isCopied, setCopied] = useState(false);
  const create = useChange(
    (form: FormData) => {
      const of = (name: string): string => entered(form, name).trim();
      const role = ROLES.find((each) => each === of('role')) ?? 'user';
      const password = way === 'password' && { password: entered(form, 'password') };
      const body = { username: of('username'), email: of('email'), role, ...password };
      return dataOf(api.POST('/users', { body }));
    },
    ({ id, invitation }) => {
      if (invitation) return;
      void navigate({ to: '/administration/users/$userId', params: { userId: id }, ignoreBlocker: true });
    },
  );
  const errors = errorsOf(create.error);
  const made = create.data;
  if (made?.invitation) {
    return (
      <FormDialog
        key="invited"
        title={words.invited(made.username)}
        close={close}
        isChanged={isToCopy(made.invitation) && !isCopied}
        words={text.uncopied}
      >
        <LinkToHandOver link={made.invitation} copied={() => setCopied(true)} />
        <div>
          <button type="button" className="button primary" onClick={close}>
            {text.keys.done}
          </button>
        </div>
      </FormDialog>
    );
  }
  return (
    <FormDialog title={words.add} close={close}>
      <DialogForm action={words.create} change={create} submit={create.mutate} cancel={close}>
        <TextField
          label={text.account.username}
          name="username"
          autoComplete="off"
          autoFocus
          hint={text.account.usernameHint}
          wrong={errors.get('/body/username')}
        />
        <TextField
          label={text.account.email}
          name="email"
          type="email"
          autoComplete="off"
          wrong={errors.get('/body/email')}
        />
        <SelectField
          label={text.account.role}
          name="role"
          options={ROLES}
          initial="user"
          nameOf={(role) => text.account.roles[role]}
        />
        <RadioChoice
          legend={text.account.password}
          options={WAYS}
          chosen={way}
          choose={setWay}
          show={(each) => words.ways[each]}
        />
        {way === 'password' && (
          <TextField
            label={text.account.password}
            name="password"
            type="password"
            autoComplete="new-password"
            hint={text.account.passwordHint}
            wrong={errors.get('/body/password')}
          />
        )}
      </DialogForm>
    </FormDialog>
  );
}
