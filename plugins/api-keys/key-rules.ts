import {
  DAY_MS,
  isId,
  isoTime,
  networkMatcher,
  storableTime,
  token,
  ValidationFailed,
  type Clock,
  type UserPrincipal,
} from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { ApiKeysSettings } from './config.ts';

/** Checks what users ask of a key. Each check throws `ValidationFailed`. */
export class KeyRules {
  readonly #clock: Clock;
  readonly #settings: ApiKeysSettings;
  readonly #catalogue: Pick<Catalogue, 'visibleAmong'> | undefined;

  constructor(deps: {
    readonly clock: Clock;
    readonly settings: ApiKeysSettings;
    readonly catalogue: Pick<Catalogue, 'visibleAmong'> | undefined;
  }) {
    this.#clock = deps.clock;
    this.#settings = deps.settings;
    this.#catalogue = deps.catalogue;
  }

  /** The stored form of an expiry. */
  expiry(text: string): string {
    const expiry = storableTime(text);
    const longest = this.#settings.longest_life_days;
    const refuse = (message: string) =>
      ValidationFailed(`The expiry "${text}" is not acceptable: it ${message}`, {
        errors: [{ pointer: '/body/expires_at', message }],
      });
    const now = this.#clock.now();
    if (expiry === undefined) throw refuse('must lie before the year 10000.');
    if (expiry <= now) throw refuse('must lie in the future.');
    if (longest > 0 && expiry > now + longest * DAY_MS) {
      throw refuse(`must lie within the next ${longest} days.`);
    }
    return isoTime(expiry);
  }

  /** Refuses algorithms that do not exist for the owner. */
  async algorithms(owner: UserPrincipal, ids: readonly string[] | null | undefined): Promise<void> {
    if (!ids) return;
    const known = new Set(await this.#catalogue?.visibleAmong(ids.filter(isId), owner));
    const unknown = ids.map((id, index) => ({ id, index })).filter(({ id }) => !known.has(id));
    if (unknown.length === 0) return;
    const named = unknown.map(({ id }) => `"${id}"`).join(', ');
    throw ValidationFailed(`You can see no algorithm with the id ${named}.`, {
      errors: unknown.map(({ id, index }) => ({
        pointer: `/body/algorithms/${index}`,
        message: `must be the id of an algorithm that you can see: "${id}" is none.`,
      })),
    });
  }

  /** Refuses what is no network. */
  networks(networks: readonly string[] | null | undefined): void {
    const errors = (networks ?? []).flatMap((text, index) =>
      networkMatcher([text])
        ? []
        : {
            pointer: `/body/networks/${index}`,
            message: `must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32: "${text}" is neither.`,
          },
    );
    if (errors.length > 0) throw ValidationFailed('The key has a network that cannot be read.', { errors });
  }
}

export const KEY_RULES = token<KeyRules>('api-keys:rules');
