import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery, type User } from '../api/queries.ts';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

/** Shows what belongs to an account, or the way to sign in, which leads back here. */
export function SignedIn({ children }: { readonly children: (me: User) => ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  const here = useRouterState({ select: ({ location }) => location.href });
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (me === undefined) return <Skeleton style={{ height: 240, borderRadius: 14 }} />;
  if (me === null) {
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
  return children(me);
}
