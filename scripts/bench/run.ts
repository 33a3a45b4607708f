/** Runs the named benchmarks, or all, and prints what they found as Markdown. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { measureCalls } from './call.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureHistory } from './history.ts';
import { measureList } from './list.ts';
import { measureMemory } from './memory.ts';
import { measureOverload } from './overload.ts';
import { measureStartUp } from './startup.ts';
import { Stage } from './support/stage.ts';
import { readOptions, usage, type Build, type Options } from './support/options.ts';

const benchmarks: Readonly<Record<string, (stage: Stage, options: Options) => Promise<void>>> = {
  call: measureCalls,
  list: measureList,
  catalogue: measureCatalogue,
  history: measureHistory,
  overload: measureOverload,
  startup: measureStartUp,
  memory: measureMemory,
};

const known = Object.keys(benchmarks);
if (process.argv.includes('--help')) console.log(usage(known));
else {
  try {
    await run(readOptions(process.argv.slice(2), known));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage(known)}`);
    process.exitCode = 2;
  }
}

async function run(options: Options): Promise<void> {
  const [processor] = cpus();
  console.log(`- ${new Date().toISOString()}, load average before: ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `- ${cpus().length} × ${processor!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}, Node ${process.versions.node}`,
  );
  for (const build of options.builds) console.log(`- ${build.name}: ${revisionOf(build)}`);
  for (const name of options.names) {
    process.stderr.write(`── ${name}\n`);
    const stage = new Stage();
    try {
      await benchmarks[name]!(stage, options);
    } finally {
      await stage.end();
    }
  }
}

function revisionOf({ root }: Build): string {
  return execFileSync('git', ['-C', root, 'log', '-1', '--format=%h %s'], { encoding: 'utf8' }).trim();
}
