import { parseArgs } from 'node:util';
import type { Engine } from '../../../core/index.ts';
import { packageRoot } from '../../../core/support/package-root.ts';
import { engines } from '../../../core/testing/engines.ts';

/** A built checkout of Vitrine. */
export interface Build {
  /** Stands before the engine in tables. */
  readonly name: string;
  readonly root: string;
}

/** What is asked for on the command line. */
export interface Options {
  readonly names: readonly string[];
  /** Rounds that count; in each, everything that is compared runs once. */
  readonly rounds: number;
  /** Of each run. */
  readonly seconds: number;
  /** How long memory is watched under load. */
  readonly minutes: number;
  /** Records of the larger history. */
  readonly records: number;
  readonly engines: readonly Engine[];
  /** This checkout, and the one of `--against`. */
  readonly builds: readonly Build[];
}

const words = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '4' },
  minutes: { type: 'string', default: '10' },
  records: { type: 'string', default: '5000000' },
  engine: { type: 'string' },
  against: { type: 'string' },
} as const;

/** How the benchmarks are called. */
export function usage(known: readonly string[]): string {
  const defaults = Object.entries(words).flatMap(([name, word]) =>
    'default' in word ? [`[--${name} ${word.default}]`] : [],
  );
  return [
    `npm run bench -- [name …] ${defaults.join(' ')} [--engine ${engines.join('|')}] [--against FOLDER]`,
    `Names, or none for all: ${known.join(', ')}.`,
    '--against measures another built checkout of Vitrine in the same rounds.',
  ].join('\n');
}

/** Throws an error that says what is wrong with the arguments. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: words });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}".`);
  const named = engines.filter((engine) => values.engine === undefined || engine === values.engine);
  if (named.length === 0) throw new Error(`--engine ${values.engine}: give one of ${engines.join(', ')}.`);
  const builds = [{ name: 'Vitrine', root: packageRoot }];
  if (values.against !== undefined) builds.push({ name: 'Vitrine before', root: values.against });
  return {
    names: positionals.length > 0 ? positionals : known,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    minutes: positive('minutes', values.minutes),
    records: positive('records', values.records),
    engines: named,
    builds,
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} ${text}: give a number above 0.`);
}
