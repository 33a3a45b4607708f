import type { QueryClient } from '@tanstack/react-query';
import { forgetExampleRuns } from '../examples/run-all.ts';
import { forgetRecent } from '../palette/recent.ts';
import { api, dataOf } from './client.ts';
import { meQuery } from './queries.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in: the service sets a cookie that no script can read. */
export async function signIn(queries: QueryClient, credentials: Credentials): Promise<void> {
  const user = await dataOf(api.POST('/users/session', { body: credentials }));
  queries.setQueryData(meQuery.queryKey, user);
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}

export async function register(
  queries: QueryClient,
  account: Credentials & { readonly email: string },
): Promise<void> {
  await dataOf(api.POST('/users/register', { body: account }));
  await signIn(queries, { username: account.username, password: account.password });
}

export async function signOut(queries: QueryClient): Promise<void> {
  await dataOf(api.DELETE('/users/session'));
  forgetAccount(queries);
}

/** Keeps nothing of an account that is no longer signed in. */
export function forgetAccount(queries: QueryClient): void {
  forgetRecent();
  forgetExampleRuns();
  queries.clear();
  queries.setQueryData(meQuery.queryKey, null);
}
