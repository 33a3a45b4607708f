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

/** Lets the young generation widen, by which calls cost a tenth less under load. */
export function releaseYoungGeneration(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
