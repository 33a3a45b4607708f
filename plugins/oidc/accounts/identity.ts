import type { ProviderSettings } from '../provider-settings.ts';

/** More groups of one person than these are cut off. */
const MOST_GROUPS = 100;
const LONGEST_EMAIL = 254;

type Claims = Readonly<Record<string, unknown>>;

/** What a provider says about a person. */
export interface Identity {
  /** Exactly as the provider sent it; empty where it sent none. */
  readonly subject: string;
  /** It identifies a person only with `email_verified: true`. */
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  /** What may become the username, best first. */
  readonly names: readonly string[];
  /** `undefined` where the provider tells nothing of groups. */
  readonly groups: readonly string[] | undefined;
  readonly isAdmin: boolean;
}

/** Reads the claims as the settings of the provider say. */
export function identityIn(claims: Claims, settings: ProviderSettings): Identity {
  const { username_claim = 'preferred_username', groups_claim, admin_claim, admin_values = [] } = settings;
  const email = textOf(claims['email']);
  const groups = groups_claim === undefined ? undefined : textsOf(claimAt(claims, groups_claim));
  const marks = admin_claim === undefined ? [] : textsOf(claimAt(claims, admin_claim));
  return {
    subject: typeof claims['sub'] === 'string' ? claims['sub'] : '',
    email: email?.includes('@') && email.length <= LONGEST_EMAIL ? email : undefined,
    isEmailVerified: claims['email_verified'] === true,
    names: [
      textOf(claimAt(claims, username_claim)),
      email?.split('@')[0],
      textOf(claims['client_id'] ?? claims['azp']),
      textOf(claims['name']),
      textOf(claims['sub']),
    ].filter((name) => name !== undefined),
    groups: groups?.slice(0, MOST_GROUPS),
    isAdmin: marks.some((mark) => admin_values.includes(mark)),
  };
}

/** A claim by its name, or by the way to it through objects: `realm_access.roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let at: unknown = claims;
  for (const step of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Claims)[step];
  }
  return at;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A claim with one value may be a text instead of a list. */
function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each) ?? []);
}
