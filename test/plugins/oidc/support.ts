import type { Engine } from '../../../core/index.ts';
import type { TestResponse } from '../../../core/testing.ts';
import { PROVIDERS, Providers, type ProvidersDeps } from '../../../plugins/oidc/provider/provider-list.ts';
import { CLIENT_ID, CLIENT_SECRET, IdentityProvider } from '../../support/identity-provider.ts';
import { made } from '../../support/other-services.ts';
import { startVitrine, type SignedIn, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';
import { manualClock, type ManualClock } from '../users/manual-clock.ts';

export const AUDIENCE = 'https://vitrine.example.org';

/** What a browser sends with a request that a page of the service makes. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** A sign-in that was begun: where it leads, and the cookie that the browser keeps. */
export interface Begun {
  readonly url: string;
  readonly cookie: string;
}

/** The service with two providers, each a server of its own, `corp` and `other`. */
export class Stage {
  readonly corp = new IdentityProvider();
  readonly other = new IdentityProvider();
  readonly clock: ManualClock = manualClock(Date.now());
  readonly log: string[] = [];
  vitrine!: Vitrine;

  /** `corp` are further settings of that provider. */
  async open(engine: Engine, corp: object = {}, options: VitrineOptions = {}): Promise<void> {
    await Promise.all([this.corp.start(), this.other.start()]);
    this.vitrine = await this.start(engine, corp, options);
    this.admit([this.vitrine]);
    // The first account of an installation.
    await this.vitrine.admin();
  }

  start(engine: Engine, corp: object = {}, options: VitrineOptions = {}): Promise<Vitrine> {
    const of = (id: string, name: string, { issuer }: IdentityProvider) => ({
      id,
      name,
      issuer,
      client_id: CLIENT_ID,
      link_by_email: true,
    });
    return startVitrine(engine, {
      plugins: ['users', 'groups', 'audit', 'monitoring', 'oidc'],
      clock: this.clock,
      log: { write: (line) => void this.log.push(line) },
      settings: {
        oidc: {
          providers: [
            { ...of('corp', 'Corporate', this.corp), create_accounts: true, groups_claim: 'groups', ...corp },
            of('other', 'Other', this.other),
          ],
          client_secrets: [`corp=${CLIENT_SECRET}`, `other=${CLIENT_SECRET}`],
        },
      },
      // A busy machine is no provider that is away.
      services: [made(PROVIDERS, (deps: ProvidersDeps) => new Providers({ ...deps, timeoutMs: 20_000 }))],
      ...options,
    });
  }

  admit(services: readonly Vitrine[]): void {
    const roots = services.map(({ rootUrl }) => rootUrl);
    this.corp.admit(roots, ['corp']);
    this.other.admit(roots, ['other']);
  }

  async close(): Promise<void> {
    await this.vitrine.stop();
    await Promise.all([this.corp.stop(), this.other.stop()]);
  }

  beginning(id: string, next?: string, at = this.vitrine): Promise<TestResponse> {
    const body = next === undefined ? {} : { next };
    return at.request('POST', `/oidc/sign-in/${id}`, { body, headers: OWN_PAGE });
  }

  async begin(id: string, next?: string, at = this.vitrine): Promise<Begun> {
    const answer = await this.beginning(id, next, at);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return { url: answer.body.url as string, cookie: cookieOf(answer) };
  }

  finish(id: string, query: string, { cookie }: Pick<Begun, 'cookie'>, at = this.vitrine) {
    const headers = { ...OWN_PAGE, cookie };
    return at.request('POST', `/oidc/session/${id}`, { body: { query }, headers });
  }

  /** The whole way of a browser. */
  async signIn(id: 'corp' | 'other', subject: string | undefined, next?: string): Promise<TestResponse> {
    const begun = await this.begin(id, next);
    return this.finish(id, await this[id].signIn(begun.url, subject), begun);
  }

  /** A request of a page with the session that an answer opened. */
  ask(session: TestResponse, method: string, path: string, body?: unknown) {
    const headers = { ...OWN_PAGE, cookie: cookieOf(session) };
    return this.vitrine.request(method, path, { headers, ...(body !== undefined && { body }) });
  }

  async audited(action: string, outcome = 'success'): Promise<any[]> {
    const token = (await this.vitrine.admin()).token;
    const path = `/audit?action=${action}&outcome=${outcome}&limit=100`;
    return (await this.vitrine.request('GET', path, { token })).body.entries;
  }

  as({ token }: SignedIn, method: string, path: string, body?: unknown) {
    return this.vitrine.request(method, path, { token, ...(body !== undefined && { body }) });
  }
}

export function cookieOf({ headers, status, body }: TestResponse): string {
  const cookie = headers['set-cookie'];
  if (!cookie) throw new Error(`An answer ${status} sets no cookie: ${JSON.stringify(body)}`);
  return cookie.split(';')[0]!;
}
