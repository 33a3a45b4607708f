import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { leave } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

export function useSignOut() {
  const router = useRouter();
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => leave(router, queries) });
}

/** Says that the user is still signed in, and why. */
export function NotSignedOut({ signOut }: { readonly signOut: ReturnType<typeof useSignOut> }) {
  return (
    <Dialog title={text.account.stillSignedIn} close={signOut.reset}>
      <Fault error={signOut.error} retry={() => signOut.mutate()} />
    </Dialog>
  );
}
