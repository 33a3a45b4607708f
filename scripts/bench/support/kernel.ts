import { boot, type Kernel } from '../../../core/kernel/boot.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import type { Scratch } from '../../../core/testing.ts';

/** Runs work with this build's kernel on a database, without a listener, and stops it afterwards. */
export async function withKernel<T>(store: Scratch, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const env = { ...process.env, DATA_DIR: store.dataDir, DATABASE_URL: store.databaseUrl, LOG_LEVEL: 'warn' };
  const kernel = await boot(await makePlan({ env, cwd: store.dataDir }), { listen: false });
  try {
    return await work(kernel);
  } finally {
    await kernel.stop();
  }
}
