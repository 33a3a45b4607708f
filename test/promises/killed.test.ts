import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { cyclesOr } from './support/cycles.ts';
import { expectEachFound, expectTrueLedger } from './support/ledger.ts';
import { acknowledged, startLoad } from './support/load.ts';
import { startScene, type Scene } from './support/scene.ts';
import { expectSoundFile } from './support/sqlite-file.ts';

const CYCLES = cyclesOr(3);
const CYCLE_MS = 30_000;
const FEW = 20;
const LATEST_MS = 300;

describe(`a service that is killed ${CYCLES} times under load`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    before(async () => {
      scene = await startScene(engine);
    });
    after(() => scene.remove());

    it('keeps every acknowledged call, asks no endpoint twice, and its sums are those of its records', async () => {
      const random = seededRandom(engine.length);
      const kept: string[] = [];
      let interrupted = 0;
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const load = startLoad(scene);
        while (acknowledged(load.answers).length < FEW) await pause(5);
        await pause(random.below(LATEST_MS));
        const { inFlight } = load;
        const stopped = load.stop();
        await scene.end('SIGKILL');
        await stopped;
        expect(inFlight).to.be.at.least(1);
        interrupted += inFlight;
        if (engine === 'sqlite') expectSoundFile(join(scene.scratch.dataDir, 'test.db'));

        await scene.start();
        const ids = acknowledged(load.answers);
        kept.push(...ids);
        await expectEachFound(scene, ids);
        const { unrecorded } = await expectTrueLedger(scene, kept);
        expect(unrecorded.length, unrecorded.join(', ')).to.be.at.most(interrupted);
      }
    }).timeout(CYCLES * CYCLE_MS);
  });
});
