import { expect } from 'chai';
import { DATABASE, type PluginDefinition } from '../../../../core/index.ts';
import { builtInPlugins, makeScratch, onEveryEngine, startTestKernel } from '../../../../core/testing.ts';
import { finishedOf, type CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { CALL_STATISTICS } from '../../../../plugins/invocation/contract.ts';
import { errorTotalsCompanion } from '../../../../plugins/invocation/rollups/error-totals.ts';
import { recordAt, store } from '../support/records.ts';

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
  it('are counted by algorithm and day, those of a batch that are alike together', () => {
    const [counts, ...others] = errorTotalsCompanion().rowsFor(calls.map(finishedOf));
    expect(others).to.deep.equal([]);
    expect(counts!.rows).to.deep.equal([
      ['x', '2026-01-20', 'upstream_error', 0, 1],
      ['x', '2026-01-21', 'upstream_error', 0, 2],
      ['x', '2026-01-21', 'upstream_timeout', 0, 1],
      ['y', '2026-01-21', 'egress_denied', 0, 1],
    ]);
  });

  it('cost calls that succeed nothing', () => {
    expect(errorTotalsCompanion().rowsFor(calls.slice(-1).map(finishedOf))).to.deep.equal([]);
  });

  onEveryEngine((engine) => {
    /** The plugins as they are, or as they were before codes were counted. */
    const plugins = async (when: 'before' | 'now'): Promise<PluginDefinition[]> => {
      const all = await builtInPlugins(['users', 'catalogue', 'permissions', 'invocation']);
      return all.map((plugin) => ({
        ...plugin,
        migrations: (plugin.migrations ?? []).filter(
          ({ name }) => when === 'now' || name !== '0014_error_totals',
        ),
      }));
    };

    it('of records from before they were counted are counted too, and others are added', async () => {
      const scratch = await makeScratch(engine);
      try {
        const old = await startTestKernel({ engine, scratch, plugins: await plugins('before') });
        await store(old, calls);
        await old.stop();
        const kernel = await startTestKernel({ engine, scratch, plugins: await plugins('now') });
        const more = failed('2026-01-21T23:00:00.000Z', 'x', 'upstream_timeout');
        await kernel.get(DATABASE).write(errorTotalsCompanion().rowsFor([finishedOf(more)]));
        const { errors } = kernel.get(CALL_STATISTICS);
        const found = [
          await errors('x', '2026-01-20', '2026-01-21'),
          await errors('x', '2026-01-20', '2026-01-20'),
          await errors('z', '2026-01-20', '2026-01-21'),
        ];
        await kernel.stop();
        expect(found).to.deep.equal([{ upstream_error: 3, upstream_timeout: 2 }, { upstream_error: 1 }, {}]);
      } finally {
        await scratch.remove();
      }
    });
  });
});
