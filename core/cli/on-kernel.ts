import { boot, type Kernel } from '../kernel/boot.ts';
import type { Plan } from '../kernel/plan.ts';

/** Boots a kernel that does not listen, runs one command on it, and stops it. */
export async function onKernel<T>(plan: Plan, work: (kernel: Kernel) => Promise<T>): Promise<T> {
  const kernel = await boot(plan, { listen: false });
  try {
    return await work(kernel);
  } finally {
    await kernel.stop();
  }
}
