/** Runs the examples of the samples and writes what they answer beside their readmes. Look at the difference. */
import { writeFile } from 'node:fs/promises';
import { moduleOf, samples } from '../../plugins/samples/algorithms/index.ts';
import { assetOf } from '../../plugins/samples/assets.ts';
import { AlgorithmPool } from '../../plugins/samples/running/pool.ts';

const pool = new AlgorithmPool({ size: 1, memoryMb: 768, idleMs: 60_000, queueLimit: 8 });
for (const about of samples) {
  const outputs: string[] = [];
  for (const { name, input = about.example, params = {} } of about.examples) {
    const job = { module: moduleOf(about).href, input, params, maxOutputBytes: 262_144 };
    const limits = { timeoutMs: 60_000, signal: new AbortController().signal };
    const verdict = await pool.run(job as Parameters<typeof pool.run>[0], limits);
    if (verdict.kind !== 'done') throw new Error(`${about.name}, "${name}": ${JSON.stringify(verdict)}`);
    outputs.push(verdict.json);
  }
  await writeFile(assetOf(about.name, 'outputs.json'), `[\n${outputs.join(',\n')}\n]\n`);
}
await pool.close();
