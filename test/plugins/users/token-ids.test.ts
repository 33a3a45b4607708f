import { expect } from 'chai';
import { isId, newId, timeOfId } from '../../../core/index.ts';
import { endOfTokens, tokenId, type ReadAccount } from '../../../plugins/users/token-ids.ts';

const FAR_AHEAD = 'ffffffff-0000-7fff-bfff-ffffffffffff';

describe('the ids of tokens', () => {
  const states: Record<string, ReadAccount> = {
    'of which no token has ended': { id: newId(), tokens_after: '' },
    'whose tokens ended just now': { id: newId(), tokens_after: newId() },
    'whose tokens ended while the clock was far ahead': { id: newId(), tokens_after: FAR_AHEAD },
  };

  for (const [which, account] of Object.entries(states)) {
    it(`come after what has ended, for an account ${which}`, () => {
      const id = tokenId(account);
      expect([isId(id), id > account.tokens_after]).to.deep.equal([true, true]);
    });

    it(`come before the next end, whichever is made first, for an account ${which}`, () => {
      const early = tokenId(account);
      const end = endOfTokens(account);
      const late = tokenId(account);
      expect([isId(end), early < end, late < end]).to.deep.equal([true, true, true]);
    });
  }

  it('differ', () => {
    const account = states['of which no token has ended']!;
    expect(new Set(Array.from({ length: 10_000 }, () => tokenId(account))).size).to.equal(10_000);
  });

  it('do not take other ids along to a time ahead', () => {
    endOfTokens({ id: newId(), tokens_after: FAR_AHEAD });
    expect(timeOfId(newId())).to.be.closeTo(Date.now(), 60_000);
  });

  it('have ended up to now, where the clock is ahead of the account', () => {
    const before = Date.now();
    const end = endOfTokens({ id: '01890a5d-ac96-774b-bcce-b302099a8058', tokens_after: '' });
    expect(timeOfId(end)).to.be.within(before, Date.now() + 1);
  });
});
