import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 5;

/** For what instances hear of each other within 2 s. The long suite about other instances judges that; a busy machine may take longer. */
export const HEARD_ELSEWHERE_MS = 20_000;

/** Waits until something is so; throws, and says what for, when it is not so within the time. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`Not so within ${Math.round(withinMs)} ms: ${condition}`);
    }
    await pause(LOOK_MS);
  }
}
