import { expect } from 'chai';
import { finishedOf } from '../../../../plugins/invocation/recording/call-row.ts';
import { totalsHook } from '../../../../plugins/invocation/rollups/call-rollups.ts';
import { callRow } from '../support/rows.ts';

const day = { '20': Date.UTC(2026, 0, 20, 23, 59, 59, 999), '21': Date.UTC(2026, 0, 21) };

describe('The roll-ups of a batch', () => {
  // SQLite adds everything in shard 0, without a query.
  const [users, algorithms] = totalsHook({ engine: 'sqlite' }).rowsFor(
    [
      callRow({ user_id: 'a', algorithm_id: 'x', created_at: day['20'], response_time: 0.1 }),
      callRow({ user_id: 'a', algorithm_id: 'x', created_at: day['21'], response_time: 0.2 }),
      callRow({
        user_id: 'b',
        algorithm_id: 'x',
        created_at: day['21'],
        status: 'failed',
        response_time: 0.4,
      }),
    ].map(finishedOf),
  );

  it('count each user with each algorithm, by day and for all time', () => {
    expect(users!.rows).to.have.deep.members([
      ['a', '', 'x', 'success', 2, 300_000, 0, 0],
      ['a', '2026-01-20', 'x', 'success', 1, 100_000, 0, 0],
      ['a', '2026-01-21', 'x', 'success', 1, 200_000, 0, 0],
      ['b', '', 'x', 'failed', 1, 400_000, 0, 0],
      ['b', '2026-01-21', 'x', 'failed', 1, 400_000, 0, 0],
    ]);
  });

  it('count each algorithm and everything, by day and for all time', () => {
    expect(algorithms!.rows).to.have.deep.members([
      ['x', '', 'success', 2, 300_000, 0, 0],
      ['', '', 'success', 2, 300_000, 0, 0],
      ['x', '2026-01-20', 'success', 1, 100_000, 0, 0],
      ['', '2026-01-20', 'success', 1, 100_000, 0, 0],
      ['x', '2026-01-21', 'success', 1, 200_000, 0, 0],
      ['', '2026-01-21', 'success', 1, 200_000, 0, 0],
      ['x', '', 'failed', 1, 400_000, 0, 0],
      ['', '', 'failed', 1, 400_000, 0, 0],
      ['x', '2026-01-21', 'failed', 1, 400_000, 0, 0],
      ['', '2026-01-21', 'failed', 1, 400_000, 0, 0],
    ]);
  });
});
