import type { ProviderSettings } from './provider-settings.ts';

/** What is wrong with the providers beyond their schema; it continues after the name of the setting. */
export function providerComplaint(providers: readonly ProviderSettings[]): string | undefined {
  const twice = repeated(providers.map(({ id }) => id));
  if (twice !== undefined) return `has two providers with the id "${twice}"; give each its own`;
  const issuer = repeated(
    providers.filter(({ audience }) => audience).map((each) => withoutSlash(each.issuer)),
  );
  if (issuer !== undefined)
    return `has two providers with the issuer ${issuer} and an audience; keep the audience of one, for a token names only its issuer`;
  return providers
    .map((each) => complaintOf(each) ?? audienceComplaint(each, providers))
    .find((complaint) => complaint !== undefined);
}

/** The address of an issuer as tokens and settings are compared by it. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

/** What is wrong with the secrets. Says nothing of their values. */
export function secretsComplaint(
  secrets: readonly string[],
  providers: readonly ProviderSettings[],
): string | undefined {
  const ids = secrets.map((each) => secretIn(each)?.id);
  const unreadable = ids.indexOf(undefined);
  if (unreadable >= 0)
    return `has no "=" in entry ${unreadable + 1}; write ID=SECRET with the id of the provider, and ["ID=SECRET"] in the environment where the secret has a comma`;
  const twice = repeated(ids as string[]);
  if (twice !== undefined) return `has two secrets for the provider "${twice}"; keep one`;
  const unknown = ids.find((id) => providers.every((provider) => provider.id !== id));
  return unknown === undefined
    ? undefined
    : `has a secret for "${unknown}", but oidc.providers has no provider with that id`;
}

/** The id and the secret of an entry `ID=SECRET`. */
export function secretIn(entry: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = /^([a-z0-9-]+)=(.+)$/s.exec(entry) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

function complaintOf({ id, admin_claim, admin_values }: ProviderSettings): string | undefined {
  if ((admin_claim === undefined) !== (admin_values === undefined))
    return `gives the provider "${id}" one of admin_claim and admin_values; who becomes an administrator needs both`;
  return undefined;
}

/** Clients of one issuer may stand in the settings as several providers. */
function audienceComplaint(
  { id, issuer, audience }: ProviderSettings,
  providers: readonly ProviderSettings[],
): string | undefined {
  const client = providers.find(
    (each) => each.client_id === audience && withoutSlash(each.issuer) === withoutSlash(issuer),
  );
  if (!client) return undefined;
  const whose = client.id === id ? 'its client_id' : `the client_id of "${client.id}"`;
  return `gives the provider "${id}" ${whose} as audience; ID tokens have that one, which anybody who signs in holds, so name another for access tokens`;
}

function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}
