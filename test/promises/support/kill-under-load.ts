import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { callsOr } from './cycles.ts';
import { acknowledged, startLoad } from './load.ts';
import type { Scene } from './scene.ts';

const CALLS = callsOr(20);
const LATEST_MS = 300;

/** What was going on when a service was killed. */
export interface Killed {
  /** Ids of the calls that were answered. */
  readonly ids: readonly string[];
  /** Calls that were not; at least one. */
  readonly inFlight: number;
}

/**
 * Puts load on the service and kills it at some moment after the first answers, and something else with it. It is not
 * started again.
 */
export async function killUnderLoad(
  scene: Scene,
  random: SeededRandom,
  killAlso?: () => Promise<void>,
): Promise<Killed> {
  const load = startLoad(scene);
  while (acknowledged(load.answers).length < CALLS) await pause(5);
  await pause(random.below(LATEST_MS));
  const { inFlight } = load;
  const stopped = load.stop();
  await Promise.all([scene.end('SIGKILL'), killAlso?.()]);
  await stopped;
  expect(inFlight).to.be.at.least(1);
  return { ids: acknowledged(load.answers), inFlight };
}
