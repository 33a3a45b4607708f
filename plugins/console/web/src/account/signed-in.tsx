import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { meQuery, type User } from '../api/queries.ts';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { SignInDialog } from './sign-in-dialog.tsx';

const Account = createContext<User | undefined>(undefined);

/** The account whose screen this is. It stays the same while one is asked to sign in again; outside of `SignedIn` there is none. */
export function useAccount(): User | undefined {
  return useContext(Account);
}

/**
 * Shows what belongs to an account, or the way to sign in, which leads back here. When the session ends meanwhile, the
 * screen stays as it is below a dialog that asks to sign in again.
 */
export function SignedIn({ children }: { readonly children: (me: User) => ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  const [shown, setShown] = useState<User>();
  const here = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    if (me) setShown(me);
  }, [me]);
  const account = me ?? shown;
  if (account) {
    return (
      <Account value={account}>
        {children(account)}
        {me === null && (
          <SignInDialog
            title={text.account.sessionOver}
            why={text.account.sessionOverHint}
            close={() => setShown(undefined)}
            done={() => {}}
          />
        )}
      </Account>
    );
  }
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (me === undefined) return <Skeleton style={{ height: 240, borderRadius: 14 }} />;
  return (
    <Empty
      icon="user"
      title={text.account.needed}
      action={
        <Link to="/sign-in" search={{ next: here }} className="button primary">
          {text.nav.signIn}
        </Link>
      }
    >
      {text.account.neededHint}
    </Empty>
  );
}
