import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: NodeJS.GCFunction | undefined;

/**
 * Collects V8's young generation now, which takes a millisecond or two. For code that has let go of much memory which V8
 * does not count as its own, such as what was read from sockets: by itself it lets 64 MiB of that become garbage, and twice
 * as much on Node 24.
 */
export function collectYoung(): void {
  collect ??= exposedCollector();
  collect({ type: 'minor' });
}

const BYTES_OF_GARBAGE = 4 * 1024 * 1024;

/** Collects V8's young generation for every four megabytes that were read in large pieces and are garbage by now. */
export class ReadGarbage {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= BYTES_OF_GARBAGE) return;
    this.#bytes = 0;
    collectYoung();
  }
}

/** V8's own collector, of everything unless told otherwise: it gives `gc` to contexts that are made while the flag is set. */
export function exposedCollector(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
