import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { Engine } from '../../../core/index.ts';
import { packageRoot } from '../../../core/support/package-root.ts';
import { engines } from '../../../core/testing/engines.ts';

/** What is asked for on the command line. */
export interface Options {
  readonly names: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly records: number;
  readonly engines: readonly Engine[];
  /** This checkout and the one of `--against`, with the names that stand in tables. */
  readonly builds: readonly { readonly name: string; readonly root: string }[];
}

interface Given extends Pick<Options, 'rounds' | 'seconds' | 'minutes' | 'records'> {
  readonly engine?: Engine;
  readonly against?: string;
}

/** Reads the arguments of this process. Ends it with a message when one is wrong. */
export function readOptions(known: readonly string[]): Options {
  const command = new Command('npm run bench --')
    .addArgument(new Argument('[names...]', 'what to measure').choices(known).default(known, 'all'))
    .option('--rounds <number>', 'rounds that count', whole, 5)
    .option('--seconds <number>', 'length of each run', positive, 4)
    .option('--minutes <number>', 'how long memory is watched under load', positive, 10)
    .option('--records <number>', 'records of the larger history', whole, 5_000_000)
    .addOption(new Option('--engine <engine>', 'one engine instead of both').choices(engines))
    .option('--against <folder>', 'another built checkout, measured in the same rounds')
    .showHelpAfterError()
    .parse();
  const { engine, against, ...numbers } = command.opts<Given>();
  const builds = [{ name: 'Vitrine', root: packageRoot }];
  if (against !== undefined) builds.push({ name: 'Vitrine before', root: against });
  return { ...numbers, names: command.processedArgs[0], engines: engine ? [engine] : engines, builds };
}

function positive(text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('Give a number above 0.');
}

function whole(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Give a whole number above 0.');
}
