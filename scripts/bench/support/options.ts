import { parseArgs } from 'node:util';

/** What can be asked of the benchmarks on the command line. */
export interface Options {
  readonly names: readonly string[];
  /** Interleaved rounds that count. */
  readonly rounds: number;
  /** How long each run takes. */
  readonly seconds: number;
  /** How long memory is watched under load. */
  readonly minutes: number;
  /** History at 5,000,000 records too. */
  readonly large: boolean;
}

/** Throws for words that it does not know. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      minutes: { type: 'string', default: '1' },
      large: { type: 'boolean', default: false },
    },
  });
  return {
    names: positionals,
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    minutes: positive('minutes', values.minutes),
    large: values.large,
  };
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`--${name} ${text}: give a number above 0.`);
}
