import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';

/** Somebody whom the provider knows, with the claims that it makes about them. */
export interface Person {
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

export const CLIENT_ID = 'vitrine';
export const CLIENT_SECRET = 'the secret of vitrine at the provider';
export const MACHINE_ID = 'nightly-report';
const MACHINE_SECRET = 'the secret of the nightly report';

const HOUR = 3600;

/** An RSA key takes a processor a quarter of a second, so providers of later tests begin with the keys of earlier ones. */
const keys: Promise<JWK>[] = [];
const KEYS = 4;
let started = 0;

function firstKey(): Promise<JWK> {
  return (keys[started++ % KEYS] ??= newKey());
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: `key-${Math.trunc(performance.now() * 1000)}`, use: 'sig' };
}

/** Makes of the claims of an ID token others, which are signed again, or another token. */
export type Tampering = (claims: JWTPayload) => JWTPayload | Promise<string>;

/**
 * A certified OpenID provider (oidc-provider) as a server of its own over HTTP. Who signs in is said by the test, in place
 * of a form. Its keys can be replaced, its ID tokens falsified, and it can go away and come back at the same address.
 */
export class IdentityProvider {
  readonly people = new Map<string, Person>();
  /** Whoever signs in next; nobody refuses with `access_denied`. */
  next: string | undefined;
  tampering: Tampering | undefined;
  /** Path → what is answered there instead. */
  readonly faults = new Map<string, { readonly status: number; readonly body: string }>();
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  issuer = '';
  #redirectUris: readonly string[] = [];
  #key: JWK = {};
  #provider: Provider | undefined;
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<void> {
    await this.#listen();
    this.issuer = `http://127.0.0.1:${this.#port}`;
    this.#sign(await firstKey());
  }

  /** Sends browsers back to a service. `ids` are those that its settings give to this provider. */
  admit(rootUrls: readonly string[], ids: readonly string[]): void {
    this.#redirectUris = rootUrls.flatMap((rootUrl) => ids.map((id) => `${rootUrl}/sign-in/${id}`));
    this.#provider = this.#made();
  }

  /** Signs with another key from now on, and publishes no other. */
  async replaceKey(): Promise<void> {
    this.#sign(await newKey());
  }

  #sign(key: JWK): void {
    this.#key = key;
    if (this.issuer !== '') this.#provider = this.#made();
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** At the same address as before. */
  async comeBack(): Promise<void> {
    await this.#listen();
  }

  add(subject: string, claims: Person['claims']): void {
    this.people.set(subject, { subject, claims });
  }

  /** Goes the way of a browser from the address that the service answered, and returns the query that it comes back with. */
  async signIn(url: string, subject: string | undefined): Promise<string> {
    this.next = subject;
    const cookies = new Map<string, string>();
    let address = url;
    for (let step = 0; step < 8; step++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
      for (const each of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = each.split(';')[0]!.split('=');
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (!location) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
      address = new URL(location, address).href;
      if (!address.startsWith(this.issuer)) return new URL(address).search.slice(1);
    }
    throw new Error('The provider leads from page to page.');
  }

  /** An access token of a machine, as the grant `client_credentials` gives it. */
  async machineToken(audience: string): Promise<string> {
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${MACHINE_ID}:${encodeURIComponent(MACHINE_SECRET)}`)}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    return access_token;
  }

  /** A token with these claims, signed with the key of the provider or with another one. */
  async signed(claims: JWTPayload, key: JWK = this.#key, alg = 'RS256'): Promise<string> {
    const header = { alg, ...(key.kid !== undefined && { kid: key.kid }) };
    return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, alg));
  }

  async #listen(): Promise<void> {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => this.#server!.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.issuer);
    this.asked.push(pathname);
    const fault = this.faults.get(pathname);
    if (fault)
      return void response
        .writeHead(fault.status, {
          'content-type': fault.body.startsWith('{') ? 'application/json' : 'text/html',
        })
        .end(fault.body);
    if (!request.url?.startsWith('/interaction/')) return void this.#provider!.callback()(request, response);
    const result = this.next
      ? { login: { accountId: this.next } }
      : { error: 'access_denied', error_description: 'The person said no.' };
    await this.#provider!.interactionFinished(request, response, result);
  }

  #made(): Provider {
    const provider = new Provider(this.issuer, this.#configuration());
    provider.use(async (ctx, next) => {
      await next();
      await this.#tamper(ctx);
    });
    return provider;
  }

  async #tamper(ctx: { path: string; body: unknown }): Promise<void> {
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== '/token' || !body?.id_token || !this.tampering) return;
    const claims = JSON.parse(
      Buffer.from(body.id_token.split('.')[1]!, 'base64url').toString(),
    ) as JWTPayload;
    const made = await this.tampering(claims);
    ctx.body = { ...body, id_token: typeof made === 'string' ? made : await this.signed(made) };
  }

  #configuration(): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [...this.#redirectUris],
          post_logout_redirect_uris: this.#redirectUris.map((uri) => uri.replace(/\/[^/]*$/, '')),
        },
        {
          client_id: MACHINE_ID,
          client_secret: MACHINE_SECRET,
          grant_types: ['client_credentials'],
          response_types: [],
          redirect_uris: [],
        },
      ],
      jwks: { keys: [this.#key as never] },
      cookies: { keys: ['of a test'] },
      ttl: {
        AccessToken: HOUR,
        ClientCredentials: HOUR,
        Grant: HOUR,
        IdToken: HOUR,
        Interaction: HOUR,
        Session: HOUR,
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      claims: {
        openid: ['sub'],
        profile: ['preferred_username', 'name', 'groups', 'realm_access'],
        email: ['email', 'email_verified'],
      },
      findAccount: (_, subject) => ({
        accountId: subject,
        claims: () => ({ sub: subject, ...this.people.get(subject)?.claims }),
      }),
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client!.clientId,
          accountId: ctx.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid profile email');
        await grant.save();
        return grant;
      },
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, audience) => ({
            scope: '',
            audience,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    };
  }
}
