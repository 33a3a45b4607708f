import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { registrationQuery } from '../api/queries.ts';
import { Dialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { Providers } from './providers.tsx';

/** Asks to sign in on top of a screen, which keeps what was entered. */
export function SignInDialog(props: {
  readonly title?: string;
  readonly why?: string;
  readonly close: () => void;
  readonly done: () => void;
}) {
  const { why = text.playground.signIn, close, done } = props;
  const { data: registration } = useQuery(registrationQuery);
  const here = useRouterState({ select: ({ location }) => location.href });
  // An installation without accounts needs one before a sign-in.
  const isFirst = registration?.makes_administrator === true;
  const [chosen, setNew] = useState<boolean>();
  const isNew = chosen ?? isFirst;
  const title = isFirst && isNew ? text.account.setupTitle : (props.title ?? text.playground.signInTitle);
  return (
    <Dialog title={title} close={close}>
      <p className="quiet">{why}</p>
      {isFirst && isNew && <p className="notice">{text.account.setup}</p>}
      <CredentialsForm key={String(isNew)} isNew={isNew} done={done} />
      {!isNew && <ForgottenPassword />}
      {!isNew && <Providers next={here} />}
      {registration?.open !== false && (
        <button type="button" className="button plain" onClick={() => setNew(!isNew)}>
          {isNew
            ? `${text.account.haveAccount} ${text.nav.signIn}`
            : `${text.account.noAccount} ${text.nav.register}`}
        </button>
      )}
    </Dialog>
  );
}
