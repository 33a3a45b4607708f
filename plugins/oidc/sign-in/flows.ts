import { token, type Clock, type CredentialSource, type Vault } from '../../../core/index.ts';
import { SignInEnded } from '../problems.ts';

const PURPOSE = 'oidc:flow';
const COOKIE = 'vitrine_oidc';
/** Seconds that a sign-in may take at the provider. */
const LONGEST_SECONDS = 600;

/** What a browser keeps from the begin to the end of a sign-in. It is sealed, so no client can read or make it. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirect_uri: string;
  readonly next: string | null;
}

interface KeptFlow extends Flow {
  /** Milliseconds since 1970. */
  readonly ends: number;
}

/** Keeps sign-ins under way in a sealed cookie, so that any process can finish them and nothing piles up. */
export class Flows {
  readonly #vault: Vault;
  readonly #clock: Clock;

  constructor(vault: Vault, clock: Clock) {
    this.#vault = vault;
    this.#clock = clock;
  }

  /** The header `Set-Cookie` that keeps a flow. It is sealed for its provider: at another one it cannot be finished. */
  cookie(provider: string, flow: Flow, { publicUrl }: Pick<CredentialSource, 'publicUrl'>): string {
    const kept: KeptFlow = { ...flow, ends: this.#clock.now() + LONGEST_SECONDS * 1000 };
    const sealed = this.#vault.seal(PURPOSE, provider, JSON.stringify(kept));
    const secure = publicUrl.protocol === 'https:' ? '; Secure' : '';
    return `${COOKIE}=${sealed}; Path=${publicUrl.pathname}; Max-Age=${LONGEST_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
  }

  /** Throws `SignInEnded`. */
  opened(provider: string, request: Pick<CredentialSource, 'header'>): Flow {
    const flow = this.#kept(provider, request);
    if (!flow)
      throw SignInEnded(
        'This browser has not begun this sign-in, or has begun another one since. Begin again, in one tab.',
      );
    if (flow.ends < this.#clock.now())
      throw SignInEnded(
        `The sign-in took longer than ${LONGEST_SECONDS / 60} minutes, so it has expired. Begin again.`,
      );
    return flow;
  }

  #kept(provider: string, request: Pick<CredentialSource, 'header'>): KeptFlow | undefined {
    const pairs = request.header('cookie')?.split(';') ?? [];
    const sealed = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(`${COOKIE}=`));
    if (sealed === undefined) return undefined;
    try {
      return JSON.parse(this.#vault.open(PURPOSE, provider, sealed.slice(COOKIE.length + 1))) as KeptFlow;
    } catch {
      return undefined;
    }
  }
}

export const FLOWS = token<Flows>('oidc:flows');
