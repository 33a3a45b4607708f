import { parseArgs } from 'node:util';
import type { Engine } from '../../../core/index.ts';
import { engines } from '../../../core/testing/engines.ts';

/** What can be asked of the benchmarks on the command line. */
export interface Options {
  /** Benchmarks to run. */
  readonly names: readonly string[];
  /** Interleaved rounds that count. */
  readonly rounds: number;
  /** How long each run takes. */
  readonly seconds: number;
  /** How long memory is watched under load. */
  readonly minutes: number;
  /** History at 5,000,000 records too. */
  readonly large: boolean;
  /** What history and memory are measured on. */
  readonly engines: readonly Engine[];
}

const words = {
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '4' },
  minutes: { type: 'string', default: '1' },
  large: { type: 'boolean', default: false },
  engine: { type: 'string' },
} as const;

/** How the benchmarks are called, with the default of each word. */
export function usage(known: readonly string[]): string {
  const shown = Object.entries(words).map(([name, word]) => {
    const value = word.type === 'boolean' ? '' : ` ${'default' in word ? word.default : engines.join('|')}`;
    return `[--${name}${value}]`;
  });
  return `npm run bench -- [name …] ${shown.join(' ')}\nNames, or none for all: ${known.join(', ')}. docs/benchmarks.md tells what each measures.`;
}

/** Throws for words that it does not know; `known` are the names of benchmarks, which are all meant when none is given. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: words,
  });
  return {
    names: positionals.length > 0 ? positionals.map((name) => oneOf(known, name)) : known,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    minutes: positive('minutes', values.minutes),
    large: values.large,
    engines: enginesOf(values.engine),
  };
}

function oneOf(known: readonly string[], name: string): string {
  if (known.includes(name)) return name;
  throw new Error(`There is no benchmark "${name}".`);
}

function enginesOf(name: string | undefined): readonly Engine[] {
  const named = engines.filter((engine) => name === undefined || engine === name);
  if (named.length > 0) return named;
  throw new Error(`--engine ${name}: give one of ${engines.join(', ')}, or leave it out for both.`);
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} ${text}: give a number above 0.`);
}
