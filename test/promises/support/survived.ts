import { expect } from 'chai';
import type { Killed } from './kill-under-load.ts';
import { expectEachFound, expectTrueLedger } from './ledger.ts';
import type { Scene } from './scene.ts';

/** Starts a service again each time that it was killed, and expects it to have kept every call it ever acknowledged. */
export function survived(scene: Scene): (killed: Killed) => Promise<void> {
  const kept: string[] = [];
  let interrupted = 0;
  return async ({ ids, inFlight }) => {
    interrupted += inFlight;
    await scene.start();
    kept.push(...ids);
    await expectEachFound(scene, ids);
    const { unrecorded } = await expectTrueLedger(scene, kept);
    expect(unrecorded.length, unrecorded.join(', ')).to.be.at.most(interrupted);
  };
}
