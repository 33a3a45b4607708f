import { expect } from 'chai';
import { OneATurn } from '../../../core/http/one-a-turn.ts';

describe('one a turn', () => {
  it('lets those who come at once go on one in each turn, in their order', async () => {
    const turns = new OneATurn();
    let turn = 0;
    const counting = (): void => {
      turn += 1;
      if (turn < 20) setImmediate(counting);
    };
    setImmediate(counting);
    const begun: (readonly [who: number, turn: number])[] = [];
    await Promise.all([0, 1, 2, 3].map((who) => turns.next().then(() => void begun.push([who, turn]))));
    expect(begun.map(([who]) => who)).to.deep.equal([0, 1, 2, 3]);
    expect(new Set(begun.map(([, at]) => at)).size).to.equal(4);
  });

  it('does not make wait who comes alone', async () => {
    const turns = new OneATurn();
    await turns.next();
    let isOver = false;
    setImmediate(() => setImmediate(() => (isOver = true)));
    await turns.next();
    expect(isOver).to.equal(false);
  });
});
