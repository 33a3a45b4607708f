/** Runs the named benchmarks, or all, and prints what they found as Markdown. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { measureCalls } from './call.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureHistory } from './history.ts';
import { measureList } from './list.ts';
import { measureMemory } from './memory.ts';
import { measureOverload } from './overload.ts';
import { measureStartUp } from './startup.ts';
import { readOptions, type Options } from './support/options.ts';
import { Stage } from './support/stage.ts';

const benchmarks: Readonly<Record<string, (stage: Stage, options: Options) => Promise<void>>> = {
  call: measureCalls,
  list: measureList,
  catalogue: measureCatalogue,
  history: measureHistory,
  overload: measureOverload,
  startup: measureStartUp,
  memory: measureMemory,
};

const options = readOptions(Object.keys(benchmarks));
const processors = `${cpus().length} × ${cpus()[0]!.model.trim()}, Node ${process.versions.node}`;
console.log(`- ${new Date().toISOString()}, ${processors}, load average before: ${loadavg()[0]!.toFixed(1)}`);
for (const { name, root } of options.builds) {
  const revision = execFileSync('git', ['-C', root, 'log', '-1', '--format=%h %s'], { encoding: 'utf8' });
  console.log(`- ${name}: ${revision.trim()}`);
}
for (const name of options.names) {
  process.stderr.write(`── ${name}\n`);
  const stage = new Stage();
  try {
    await benchmarks[name]!(stage, options);
  } finally {
    await stage.end();
  }
}
