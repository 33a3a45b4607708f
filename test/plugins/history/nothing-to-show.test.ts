import { expect } from 'chai';
import type { UserPrincipal } from '../../../core/index.ts';
import { createHistory } from '../../../plugins/history/history.ts';
import type { HistoryQuery } from '../../../plugins/history/schemas.ts';
import type { CallFilter, CallLog } from '../../../plugins/invocation/contract.ts';

const alice = { userId: 'alice' } as UserPrincipal;
const query: HistoryQuery = { skip: 0, limit: 20 };

/** A log that counts `total`, and notes for what it was asked to look. */
function logWith(total: number): { readonly calls: CallLog; readonly looked: CallFilter[] } {
  const looked: CallFilter[] = [];
  const calls = {
    count: async () => total,
    entries: async (filter: CallFilter) => (looked.push(filter), { entries: [], isCut: false }),
  };
  return { calls: calls as unknown as CallLog, looked };
}

describe('A page of calls with a status', () => {
  it('is not looked for when there is none, which could lead past every call there is', async () => {
    const { calls, looked } = logWith(0);
    const answer = await createHistory({ calls }).page(alice, { ...query, status: 'success' });
    expect(JSON.parse(answer as string)).to.deep.equal({
      history: [],
      count: 0,
      skip: 0,
      limit: 20,
      total: 0,
      next_cursor: null,
    });
    expect(looked).to.deep.equal([]);
  });

  it('is looked for when there is one', async () => {
    const { calls, looked } = logWith(1);
    await createHistory({ calls }).page(alice, { ...query, status: 'success' });
    expect(looked.map(({ userId, status }) => [userId, status])).to.deep.equal([['alice', 'success']]);
  });
});
