import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { forgetExampleRuns } from '../examples/run-all.ts';
import { forgetRecent } from '../palette/recent.ts';
import { api, ApiError, dataOf } from './client.ts';
import { meQuery, providersQuery } from './queries.ts';

/** Tells the other tabs of the browser that another account is signed in, or none. It carries nothing else. */
const channel = new BroadcastChannel('vitrine-session');

/** The first parts of the keys of queries whose answers belong to an account. */
const OWN: ReadonlySet<unknown> = new Set([
  'me',
  'call',
  'history',
  'performance',
  'figures',
  'keys',
  'sessions',
  'links',
  'checks',
  'pages',
  'administration',
]);

const isOwn = ({ queryKey: [kind] }: { readonly queryKey: QueryKey }): boolean => OWN.has(kind);

/** Notices what another tab did with the session. */
export function followSession(queries: QueryClient): void {
  channel.addEventListener('message', () => {
    forgetRecent();
    forgetExampleRuns();
    // What belongs to an account goes at once; what is public stays on the screen until it is loaded anew.
    void queries.resetQueries({ predicate: isOwn });
    void queries.invalidateQueries({ predicate: (query) => !isOwn(query) });
  });
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in: the service sets a cookie that no script can read. */
export async function signIn(queries: QueryClient, credentials: Credentials): Promise<void> {
  const user = await dataOf(api.POST('/users/session', { body: credentials }));
  queries.setQueryData(meQuery.queryKey, user);
  channel.postMessage('changed');
  // Behind the dialog that asks to sign in again, another account was signed in before, perhaps.
  queries.removeQueries({ type: 'inactive', predicate: isOwn });
  await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}

/** Creates an account; does not sign in. */
export async function register(account: Credentials & { readonly email: string }): Promise<void> {
  await dataOf(api.POST('/users/register', { body: account }));
}

/** Hands over the answer with which a provider sent the browser back. The service sets the cookie as it does for `signIn`. */
export async function signInByProvider(
  queries: QueryClient,
  provider_id: string,
  query: string,
): Promise<{ readonly next: string | null }> {
  const finished = await dataOf(
    api.POST('/oidc/session/{provider_id}', { params: { path: { provider_id } }, body: { query } }),
  );
  channel.postMessage('changed');
  await queries.resetQueries();
  return finished;
}

/** Leaves the screen, which would otherwise ask to sign in again, and signs out; a user who stays because of unsaved changes stays signed in. */
export async function leave(router: AnyRouter, queries: QueryClient): Promise<void> {
  const leaving = Math.random();
  await router.navigate({ to: '/', state: { leaving } });
  // A user who stayed may end the wait later, by going to another screen.
  if (router.latestLocation.state.leaving === leaving) await signOut(queries);
}

/** Signs out, also of the provider by which one signed in: its page then leads back here. */
async function signOut(queries: QueryClient): Promise<void> {
  const providers = await queries.ensureQueryData(providersQuery).catch(() => []);
  const page = providers.length > 0 ? await endAtProvider() : null;
  await dataOf(api.DELETE('/users/session'));
  channel.postMessage('changed');
  forgetAccount(queries);
  if (page !== null) location.assign(page);
}

/** A session that has ended already is none to end. */
async function endAtProvider(): Promise<string | null> {
  try {
    return (await dataOf(api.POST('/oidc/sign-out'))).url;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Keeps nothing of an account that is no longer signed in. */
export function forgetAccount(queries: QueryClient): void {
  forgetRecent();
  forgetExampleRuns();
  queries.setQueryData(meQuery.queryKey, null);
  queries.removeQueries({ type: 'inactive' });
  // What is on the screen is told of it, and asks again.
  void queries.resetQueries({ predicate: ({ queryKey: [kind] }) => kind !== 'me' });
}
