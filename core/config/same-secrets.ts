import type { Fault } from '../errors/startup-error.ts';
import type { PlacedValues } from './configuration.ts';
import { environmentName, type Settings } from './settings.ts';

/** A finding for each pair of settings with the same secret, because one leaked secret must not reveal another. */
export function sameSecrets(sections: readonly Settings[], values: PlacedValues): Fault[] {
  const holders = new Map<string, string>();
  return secretsOf(sections, values).flatMap(({ name, secret, ...at }) => {
    const holder = holders.get(secret);
    if (holder === undefined) holders.set(secret, name);
    return holder === undefined
      ? []
      : [{ message: `${holder} and ${name} are the same; each secret must be its own.`, ...at }];
  });
}

function secretsOf(
  sections: readonly Settings[],
  values: PlacedValues,
): { readonly name: string; readonly secret: string; readonly setting: string; readonly env: string }[] {
  return sections.flatMap(({ section, settings }) =>
    Object.entries(settings).flatMap(([key, setting]) => {
      const value = values.get(section)?.get(key)?.value;
      if (!setting.secret || typeof value !== 'string' || value === '') return [];
      const env = environmentName(section, key, setting);
      return [{ name: `"${section}.${key}" (${env})`, secret: value, setting: `${section}.${key}`, env }];
    }),
  );
}
