import { join } from 'node:path';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { cyclesOr } from './support/cycles.ts';
import { killUnderLoad } from './support/kill-under-load.ts';
import { makeRefused } from './support/refused.ts';
import { startScene, type Scene } from './support/scene.ts';
import { expectSoundFile } from './support/sqlite-file.ts';
import { survived } from './support/survived.ts';

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
      const expectSurvived = survived(scene);
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const refusing = refused.start();
        const killed = await killUnderLoad(scene, random);
        await refusing.stop();
        if (engine === 'sqlite') expectSoundFile(join(scene.scratch.dataDir, 'test.db'));
        await expectSurvived(killed);
        await refused.expectCounted();
      }
      expect(Object.values(refused.answered)).to.not.include(0);
    }).timeout(CYCLES * CYCLE_MS);
  });
});
