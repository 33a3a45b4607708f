import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { CredentialsForm } from './credentials-form.tsx';

/** Asks to sign in on top of a screen, which keeps what was entered. */
export function SignInDialog({ close, done }: { readonly close: () => void; readonly done: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector('input')?.focus();
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="sign-in-title">
      <div className="stack">
        <div className="row between">
          <h2 id="sign-in-title">{text.playground.signInTitle}</h2>
          <button
            type="button"
            className="button plain icon small"
            aria-label={text.account.cancel}
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </div>
        <p className="quiet">{text.playground.signIn}</p>
        <CredentialsForm key={String(isNew)} isNew={isNew} done={done} />
        <button type="button" className="button plain" onClick={() => setNew(!isNew)}>
          {isNew
            ? `${text.account.haveAccount} ${text.nav.signIn}`
            : `${text.account.noAccount} ${text.nav.register}`}
        </button>
      </div>
    </dialog>
  );
}
