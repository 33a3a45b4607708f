import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../core/testing.ts';
import { migratedScratch } from './migrated-scratch.ts';

/** As `startTestKernel`, on a database that has the tables of built-in plugins already unless one is handed in. */
export async function startMigratedKernel(options: TestKernelOptions): Promise<TestKernel> {
  if (options.scratch) return startTestKernel(options);
  const scratch = await migratedScratch(options.engine, options.plugins);
  let kernel: TestKernel;
  try {
    kernel = await startTestKernel({ ...options, scratch });
  } catch (error) {
    await scratch.remove();
    throw error;
  }
  return {
    ...kernel,
    stop: async () => {
      await kernel.stop();
      await scratch.remove();
    },
  };
}
