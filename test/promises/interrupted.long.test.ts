import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { until } from '../support/until.ts';
import { cyclesOr } from './support/cycles.ts';
import { killUnderLoad } from './support/kill-under-load.ts';
import { expectTrueLedger } from './support/ledger.ts';
import { startScene, type Scene } from './support/scene.ts';

const CYCLES = cyclesOr(2);
const CYCLE_MS = 60_000;
const SETTLED_WITHIN_MS = 30_000;

/** Waits until no call is under way as far as the history knows. */
async function settled(scene: Scene): Promise<void> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  while ((await scene.read('/history/user-calls?status=running&limit=1')).total > 0) {
    expect(performance.now(), 'calls of a dead process are still running').to.be.below(deadline);
    await pause(200);
  }
}

/** Begins a call that is under way until the service is killed. */
async function hold(scene: Scene): Promise<void> {
  const held = (): number => scene.upstream.requests.filter(({ body }) => body.input_data.isHeld).length;
  const before = held();
  const body = { ...scene.version, input_data: { channel: 'direct', isHeld: true } };
  scene.request('POST', '/algorithms/call', { token: scene.token, body }).catch(() => undefined);
  await until(() => held() > before);
}

describe(`a service that writes calls before they end and is killed ${CYCLES} times under load`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    before(async () => {
      scene = await startScene(engine, { INVOCATION_JOURNAL: 'intent' });
    });
    after(() => scene.remove());

    it('has a record of every call that an endpoint was asked for', async () => {
      const random = seededRandom(engine.length);
      const kept: string[] = [];
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        await hold(scene);
        const { ids } = await killUnderLoad(scene, random);

        await scene.start();
        kept.push(...ids);
        await settled(scene);
        const { entries, unrecorded } = await expectTrueLedger(scene, kept);
        expect(unrecorded, 'asked and not recorded').to.deep.equal([]);
        const interrupted = entries
          .filter(({ error_code }) => error_code === 'interrupted')
          .map(({ id }) => id);
        expect(interrupted).to.have.length.at.least(cycle);
        const answered = new Set(kept);
        expect(
          interrupted.filter((id) => answered.has(id)),
          'acknowledged and interrupted',
        ).to.deep.equal([]);
      }
    }).timeout(CYCLES * CYCLE_MS);
  });
});
