import { expect } from 'chai';
import { onEveryEngine } from '../../../../core/testing.ts';
import { CALL_STATISTICS } from '../../../../plugins/invocation/contract.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { recordAt, store } from '../support/records.ts';
import { startStage, type Stage } from '../support/stage.ts';

const failed = (time: string, algorithm_id: string, error_code: CallRow['error_code']): CallRow =>
  recordAt(time, { algorithm_id, error_code, status: 'failed', output_data: null });

const calls: readonly CallRow[] = [
  failed('2026-01-20T23:59:59.999Z', 'x', 'upstream_error'),
  failed('2026-01-21T00:00:00.000Z', 'x', 'upstream_error'),
  failed('2026-01-21T10:00:00.000Z', 'x', 'upstream_error'),
  failed('2026-01-21T11:00:00.000Z', 'x', 'upstream_timeout'),
  failed('2026-01-21T12:00:00.000Z', 'y', 'egress_denied'),
  recordAt('2026-01-21T13:00:00.000Z', { algorithm_id: 'x' }),
];

describe('The codes of failed calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => {
      stage = await startStage(engine);
    });
    after(() => stage.stop());

    it('are counted by algorithm and day, also after a fold', async () => {
      const { errors } = stage.get(CALL_STATISTICS);
      await store(stage, calls);
      await stage.runJob('invocation:fold-series');
      await store(stage, [failed('2026-01-21T23:00:00.000Z', 'x', 'upstream_timeout')]);
      expect(await errors('x', '2026-01-20', '2026-01-21')).to.deep.equal({
        upstream_error: 3,
        upstream_timeout: 2,
      });
      expect(await errors('x', '2026-01-20', '2026-01-20')).to.deep.equal({ upstream_error: 1 });
      expect(await errors('y', '2026-01-20', '2026-01-21')).to.deep.equal({ egress_denied: 1 });
    });
  });
});
