import { expect } from 'chai';
import { finishedOf } from '../../../../plugins/invocation/recording/call-row.ts';
import { totalsCompanion } from '../../../../plugins/invocation/rollups/call-totals.ts';
import { callRow } from '../support/rows.ts';

const day = { '20': Date.UTC(2026, 0, 20, 23, 59, 59, 999), '21': Date.UTC(2026, 0, 21) };

describe('The roll-ups of a batch', () => {
  const [users, algorithms] = totalsCompanion().rowsFor(
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
      ['a', '', 'x', 'success', 0, 2, 300_000],
      ['a', '2026-01-20', 'x', 'success', 0, 1, 100_000],
      ['a', '2026-01-21', 'x', 'success', 0, 1, 200_000],
      ['b', '', 'x', 'failed', 0, 1, 400_000],
      ['b', '2026-01-21', 'x', 'failed', 0, 1, 400_000],
    ]);
  });

  it('count each algorithm and everything, by day and for all time', () => {
    expect(algorithms!.rows).to.have.deep.members([
      ['x', '', 'success', 0, 2, 300_000],
      ['', '', 'success', 0, 2, 300_000],
      ['x', '2026-01-20', 'success', 0, 1, 100_000],
      ['', '2026-01-20', 'success', 0, 1, 100_000],
      ['x', '2026-01-21', 'success', 0, 1, 200_000],
      ['', '2026-01-21', 'success', 0, 1, 200_000],
      ['x', '', 'failed', 0, 1, 400_000],
      ['', '', 'failed', 0, 1, 400_000],
      ['x', '2026-01-21', 'failed', 0, 1, 400_000],
      ['', '2026-01-21', 'failed', 0, 1, 400_000],
    ]);
  });

  it('add to what is there', () => {
    expect(users!.onConflict!.add).to.deep.equal(['calls', 'response_us']);
    expect(algorithms!.onConflict!.add).to.deep.equal(['calls', 'response_us']);
  });
});
