import { setFlagsFromString } from 'node:v8';

/**
 * Loading modules leaves so much behind that V8 widens its young generation to the limit, and never narrows it again:
 * an idle service would keep 64 MiB for garbage it does not make. Held until the service is up, it widens under load.
 */
export function holdYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Where much is in flight at once, V8 learns that what a call makes lives long, never unlearns it, and puts it where only
 * a full collection finds it: under load one every few seconds, for which calls wait a twentieth of a second.
 */
export function keepCallsInYoungGeneration(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Lets the young generation widen, by which calls cost a tenth less under load, and the old one grow by six tenths
 * before it is collected: V8 would do so for every few MiB, and while it marks, calls share their core with it for a tenth
 * of a second.
 */
export function widenHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--heap-growing-percent=60');
}
