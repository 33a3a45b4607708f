import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { leave } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

interface SignOut {
  readonly start: () => void;
  /** Why the user is still signed in. */
  readonly error: unknown;
  readonly forget: () => void;
}

export function useSignOut(): SignOut {
  const router = useRouter();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const forget = (): void => setError(undefined);
  const start = (): void => void leave(router, queries).then(forget, setError);
  return { start, error, forget };
}

/** Says that the user is still signed in, and why. */
export function NotSignedOut({ signOut: { start, error, forget } }: { readonly signOut: SignOut }) {
  return (
    <Dialog title={text.account.stillSignedIn} close={forget}>
      <Fault error={error} retry={start} />
    </Dialog>
  );
}
