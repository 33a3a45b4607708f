import { expect } from 'chai';
import { onEveryEngine } from '../../../../core/testing.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { CALL_LOG } from '../../../../plugins/invocation/contract.ts';
import { recordAt, store } from '../support/records.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';

const OLD = 20_000;
/** Generous, for machines that do much else; a run in one piece takes longer than that. */
const LONGEST_MS = 250;
/** Tries: only a run that delays calls every time does so by itself and not because of a busy machine. */
const ROUNDS = 3;

describe('Retention beside calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let playable: Playable;
    beforeEach(async function () {
      this.timeout(60_000);
      stage = await startStage(engine, undefined, {
        settings: { invocation: { keep_records_days: 1 } },
      });
      playable = await stage.play();
      for (let n = 0; n < 10; n += 1) await stage.call(playable);
    });
    afterEach(() => stage.stop());

    async function fill(): Promise<void> {
      const text = JSON.stringify({ text: 'x'.repeat(2000) });
      const began = Date.parse('2026-01-01T00:00:00Z');
      for (let n = 0; n < OLD; n += 1000) {
        const some = Array.from({ length: 1000 }, (_, i) =>
          recordAt(new Date(began + (n + i) * 1000).toISOString(), { input_data: text, output_data: text }),
        );
        await store(stage, some);
      }
    }

    /** How long calls take beside a run, in ascending order. */
    async function timesBesideRun(): Promise<number[]> {
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
      return times.sort((a, b) => a - b);
    }

    it('does not delay calls, and ends', async function () {
      this.timeout(150_000);
      let calls = 10;
      let almostLongest = Infinity;
      for (let round = 1; round <= ROUNDS && almostLongest >= LONGEST_MS; round += 1) {
        await fill();
        const times = await timesBesideRun();
        calls += times.length;
        expect(times.length).to.be.greaterThan(20);
        expect(await stage.get(CALL_LOG).count({})).to.equal(calls);
        almostLongest = times[Math.ceil(times.length * 0.99) - 1]!;
      }
      expect(almostLongest).to.be.lessThan(LONGEST_MS);
    });
  });
});
