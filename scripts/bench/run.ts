/** Runs the named benchmarks, or all, and prints what they found as Markdown. */
import { measureCapacity } from './capacity.ts';
import { measureCalls } from './call.ts';
import { measureCommits } from './commits.ts';
import { measureHeldSnapshot } from './held-snapshot.ts';
import { measureHistory } from './history.ts';
import { measureList } from './list.ts';
import { measureLogins } from './logins.ts';
import { measureMemory } from './memory.ts';
import { measureOverload } from './overload.ts';
import { measureSlowClients } from './slow-clients.ts';
import { measureSoak } from './soak.ts';
import { measureStartUp } from './startup.ts';
import { measureWorkers } from './workers.ts';
import { conditions } from './support/conditions.ts';
import { readOptions, usage, type Options } from './support/options.ts';
import { progress } from './support/progress.ts';
import type { Section } from './support/report.ts';

const benchmarks: Readonly<Record<string, (options: Options) => Promise<Section[]>>> = {
  call: measureCalls,
  commits: measureCommits,
  list: measureList,
  history: measureHistory,
  startup: measureStartUp,
  overload: measureOverload,
  'slow-clients': measureSlowClients,
  logins: measureLogins,
  memory: measureMemory,
  soak: measureSoak,
  workers: measureWorkers,
  'held-snapshot': measureHeldSnapshot,
  capacity: measureCapacity,
};

const known = Object.keys(benchmarks);
const options = optionsOrUsage(process.argv.slice(2));
if (options) {
  console.log((await conditions()).join('\n'));
  for (const name of options.names) await run(name, options);
}

function optionsOrUsage(args: readonly string[]): Options | undefined {
  if (args.includes('--help')) {
    console.log(usage(known));
    return undefined;
  }
  try {
    return readOptions(args, known);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage(known)}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function run(name: string, options: Options): Promise<void> {
  progress(`── ${name}`);
  for (const { title, lines } of await benchmarks[name]!(options)) {
    console.log(`\n## ${title}\n\n${lines.join('\n').trim()}`);
  }
}
