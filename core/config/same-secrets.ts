import type { Sourced } from './configuration.ts';
import { environmentName, type Settings } from './settings.ts';

/** A finding for each pair of settings with the same secret, because one leaked secret must not reveal another. */
export function sameSecrets(
  sections: readonly Settings[],
  values: ReadonlyMap<string, ReadonlyMap<string, Sourced>>,
): string[] {
  const holders = new Map<string, string>();
  return secretsOf(sections, values).flatMap(({ name, secret }) => {
    const holder = holders.get(secret);
    if (holder === undefined) holders.set(secret, name);
    return holder === undefined ? [] : [`${holder} and ${name} are the same; each secret must be its own.`];
  });
}

function secretsOf(
  sections: readonly Settings[],
  values: ReadonlyMap<string, ReadonlyMap<string, Sourced>>,
): { readonly name: string; readonly secret: string }[] {
  return sections.flatMap(({ section, settings }) =>
    Object.entries(settings).flatMap(([key, setting]) => {
      const value = values.get(section)?.get(key)?.value;
      if (!setting.secret || typeof value !== 'string' || value === '') return [];
      return [{ name: `"${section}.${key}" (${environmentName(section, key, setting)})`, secret: value }];
    }),
  );
}
