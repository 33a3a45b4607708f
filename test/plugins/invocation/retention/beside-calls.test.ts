import { expect } from 'chai';
import { onEveryEngine } from '../../../../core/testing.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { CALL_LOG } from '../../../../plugins/invocation/contract.ts';
import { recordAt, store } from '../support/records.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';

const OLD = 20_000;
/** Generous, for machines that do much else; a run in one piece takes longer than that. */
const LONGEST_MS = 250;

describe('Retention beside calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let playable: Playable;
    beforeEach(async function () {
      this.timeout(60_000);
      stage = await startStage(engine, undefined, {
        settings: {
          invocation: { keep_records_days: 1, retention_pause_ms: 5, retention_interval_s: 604_800 },
        },
      });
      playable = await stage.play();
      const text = JSON.stringify({ text: 'x'.repeat(2000) });
      const began = Date.parse('2026-01-01T00:00:00Z');
      for (let n = 0; n < OLD; n += 1000) {
        const some = Array.from({ length: 1000 }, (_, i) =>
          recordAt(new Date(began + (n + i) * 1000).toISOString(), { input_data: text, output_data: text }),
        );
        await store(stage, some);
      }
      for (let n = 0; n < 10; n += 1) await stage.call(playable);
    });
    afterEach(() => stage.stop());

    it('does not hold calls up, and ends', async function () {
      this.timeout(60_000);
      let isRunning = true;
      const run = stage
        .get(RETENTION)
        .run()
        .finally(() => (isRunning = false));
      const times: number[] = [];
      while (isRunning) {
        const asked = performance.now();
        const { status } = await stage.call(playable);
        times.push(performance.now() - asked);
        expect(status).to.equal(200);
      }
      expect(await run).to.deep.equal({ records: OLD, payloads: 0 });
      times.sort((a, b) => a - b);
      expect(times.length).to.be.greaterThan(20);
      expect(times[Math.ceil(times.length * 0.99) - 1]).to.be.lessThan(LONGEST_MS);
      expect(await stage.get(CALL_LOG).count({})).to.equal(times.length + 10);
    });
  });
});
