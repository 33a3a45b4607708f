import { satisfies } from './checker.ts';
import type { Settings } from './settings.ts';
import { inWords } from './words.ts';

/** The defaults of a section that do not satisfy their schemas, one sentence each. */
export function defaultComplaints({ section, settings }: Settings): string[] {
  return Object.entries(settings)
    .filter(([, setting]) => !setting.required && !satisfies(setting.schema, setting.default))
    .map(
      ([key, setting]) =>
        `the default of its setting "${section}.${key}" is ${JSON.stringify(setting.default) ?? 'missing'}; expected ${inWords(setting.schema)}. That is a fault of the plugin and not of the configuration: tell its author.`,
    );
}
