import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: NodeJS.GCFunction | undefined;

/**
 * Collects V8's young generation now, which takes a millisecond or two. For code that has let go of much memory which V8
 * does not count as its own, such as what was read from sockets: by itself it lets 64 MiB of that become garbage.
 */
export function collectYoung(): void {
  collect ??= exposedCollector();
  collect({ type: 'minor' });
}

/** V8's own collector, of everything unless told otherwise: it gives `gc` to contexts that are made while the flag is set. */
export function exposedCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
