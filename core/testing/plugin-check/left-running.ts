import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** What keeps a process alive, by Node's names, and what it is called in a sentence. */
const WATCHED: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  TCPSERVERWRAP: 'an open port',
  FSEVENTWRAP: 'a watched file',
  PROCESSWRAP: 'a child process',
};
/** Connections and threads may take a moment to end. */
const WAIT_MS = 2_000;
const STEP_MS = 20;

/** A timer or a handle of Node's. One that is unreferenced, or a handle that is closed, does not keep a process alive. */
interface Running {
  readonly kind: string;
  readonly resource: { hasRef(): unknown };
}

/**
 * Does the work, then tells in words what it left that keeps this process alive. What runs beside the work does not count,
 * such as the kernel of a test that calls the kit. Waits a moment for connections and threads to end.
 */
export async function leftRunning(work: () => Promise<void>): Promise<readonly string[]> {
  const running = new Map<number, Running>();
  const began = new AsyncLocalStorage<Map<number, Running>>();
  const hook = createHook({
    init(id, kind, _trigger, resource) {
      if (kind in WATCHED) began.getStore()?.set(id, { kind, resource: resource as Running['resource'] });
    },
    destroy: (id) => void running.delete(id),
  }).enable();
  try {
    await began.run(running, work);
    for (let waited = 0; ; waited += STEP_MS) {
      const left = new Set(
        [...running.values()].filter(({ resource }) => resource.hasRef()).map(({ kind }) => WATCHED[kind]!),
      );
      if (left.size === 0 || waited >= WAIT_MS) return [...left];
      await pause(STEP_MS);
    }
  } finally {
    hook.disable();
    // It would stay enabled, and Node 20 then runs a hook for every promise of the process.
    began.disable();
  }
}
