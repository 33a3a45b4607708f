import type { Fault } from '../errors/startup-error.ts';
import type { PlacedValues } from './configuration.ts';
import { environmentName, type Settings } from './settings.ts';

/** A finding for each pair of settings with the same secret, because one leaked secret must not reveal another. */
export function sameSecrets(sections: readonly Settings[], values: PlacedValues): Fault[] {
  const holders = new Map<unknown, string>();
  return sections.flatMap(({ section, settings }) =>
    Object.entries(settings).flatMap(([key, setting]) => {
      const secret = values.get(section)?.get(key)?.value;
      if (!setting.secret || typeof secret !== 'string' || secret === '') return [];
      const env = environmentName(section, key, setting);
      const name = `"${section}.${key}" (${env})`;
      const holder = holders.get(secret);
      holders.set(secret, holder ?? name);
      const message = `${holder} and ${name} are the same; each secret must be its own.`;
      return holder === undefined ? [] : [{ message, setting: `${section}.${key}`, env }];
    }),
  );
}
