import { join } from 'node:path';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { cyclesOr } from './support/cycles.ts';
import { expectEachFound, expectTrueLedger } from './support/ledger.ts';
import { killUnderLoad } from './support/kill-under-load.ts';
import { makeRefused } from './support/refused.ts';
import { startScene, type Scene } from './support/scene.ts';
import { expectSoundFile } from './support/sqlite-file.ts';

const CYCLES = cyclesOr(3);
const CYCLE_MS = 30_000;

describe(`a service that is killed ${CYCLES} times under load`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    beforeEach(async () => {
      scene = await startScene(engine);
    });
    afterEach(() => scene.remove());

    it('keeps every acknowledged call, asks no endpoint twice, and its sums are those of its records and refusals', async () => {
      const random = seededRandom(engine.length);
      const refused = await makeRefused(scene);
      const kept: string[] = [];
      let interrupted = 0;
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const refusing = refused.start();
        const { ids, inFlight } = await killUnderLoad(scene, random);
        await refusing.stop();
        interrupted += inFlight;
        if (engine === 'sqlite') expectSoundFile(join(scene.scratch.dataDir, 'test.db'));

        await scene.start();
        kept.push(...ids);
        await expectEachFound(scene, ids);
        const { unrecorded } = await expectTrueLedger(scene, kept);
        expect(unrecorded.length, unrecorded.join(', ')).to.be.at.most(interrupted);
        await refused.expectCounted();
      }
      expect(Object.values(refused.answered)).to.not.include(0);
    }).timeout(CYCLES * CYCLE_MS);
  });
});
