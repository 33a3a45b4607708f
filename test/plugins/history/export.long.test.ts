import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { recordAt, store } from '../invocation/support/records.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';

const START = Date.UTC(2026, 0, 1);

describe('The export of a long history', function () {
  this.timeout(120_000);
  onEveryEngine((engine) => {
    let stage: Stage;
    beforeEach(async () => {
      stage = await startStage(engine);
      const { id: user_id } = (await stage.request('GET', '/users/me', { token: stage.alice })).body;
      const fields = {
        user_id,
        algorithm_id: newId(),
        output_data: JSON.stringify({ text: 'x'.repeat(400) }),
      };
      for (let stored = 0; stored < 100_000; stored += 2_000) {
        const rows = Array.from({ length: 2_000 }, (_, i) =>
          recordAt(new Date(START + (stored + i) * 1_000).toISOString(), fields),
        );
        await store(stage, rows);
      }
    });
    afterEach(() => stage.stop());

    it('is sent without being kept in memory', async () => {
      const answer = await fetch(`${stage.baseUrl}/history/export?format=ndjson`, {
        headers: { Authorization: `Bearer ${stage.alice}` },
      });
      const before = heldBytes();
      let [bytes, lines, looks, highest] = [0, 0, 0, 0];
      for await (const chunk of answer.body!) {
        bytes += (chunk as Uint8Array).length;
        lines += (chunk as Uint8Array).filter((byte) => byte === 10).length;
        if (bytes < looks * 10_000_000) continue;
        looks += 1;
        highest = Math.max(highest, heldBytes() - before);
      }
      expect(lines).to.equal(100_000);
      expect(bytes).to.be.above(80_000_000);
      expect(highest).to.be.below(30_000_000);
    });
  });
});
