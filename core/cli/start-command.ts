import { boot, type Kernel } from '../kernel/boot.ts';
import type { Plan } from '../kernel/plan.ts';

/** `start`: serves until SIGTERM or SIGINT, finishes the calls in flight, and lets the exit code tell how it went. */
export async function serve(plan: Plan): Promise<void> {
  const kernel = await boot(plan, { listen: true });
  await announce(kernel);
  const clean = await untilSignal(kernel);
  // Whatever still holds the process open after a stop is a leak; the code must not wait for it.
  process.exit(clean ? 0 : 1);
}

async function announce(kernel: Kernel): Promise<void> {
  const lines = [`Vitrine serves at ${kernel.url}`, ...(await kernel.notes())];
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}

function untilSignal(kernel: Kernel): Promise<boolean> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void kernel.stop().then(resolve));
    }
  });
}
