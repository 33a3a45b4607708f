import { expect } from 'chai';
import type { Share, Weight } from '../../../plugins/gateway/models.ts';
import { sharedOut, weightsOf } from '../../../plugins/gateway/traffic/shares.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const weights = (percents: Readonly<Record<string, number>>): Weight[] =>
  Object.entries(percents).map(([version_id, percent]) => ({ version_id, percent }));

/** The version of each slot. */
function holders(shares: readonly Share[]): (string | undefined)[] {
  const found = Array.from<string | undefined>({ length: 100 });
  for (const { version_id, slots } of shares) for (const slot of slots) found[slot] = version_id;
  return found;
}

function moves(before: readonly Share[], after: readonly Share[]): string[] {
  const now = holders(after);
  return holders(before).flatMap((from, slot) => (from === now[slot] ? [] : [`${from} to ${now[slot]}`]));
}

describe('the shares of versions', () => {
  const at = (percent: number, before: readonly Share[] = []): Share[] =>
    sharedOut(weights({ stable: 100 - percent, canary: percent }), 'stable', before);

  it('have the weights that were asked for, in their order', () => {
    const wanted = weights({ a: 33, b: 0, stable: 60, c: 7 });
    expect(weightsOf(sharedOut(wanted, 'stable', []))).to.deep.equal(wanted);
  });

  it('move slots from the stable version to a growing canary, and none back', () => {
    let shares = at(1);
    for (let percent = 2; percent <= 100; percent++) {
      const grown = at(percent, shares);
      expect(moves(shares, grown)).to.deep.equal(['stable to canary']);
      shares = grown;
    }
  });

  it('come back to the canary that had them', () => {
    const twenty = at(20);
    const rolledBack = at(0, twenty);
    expect(holders(at(20, rolledBack))).to.deep.equal(holders(twenty));
    expect(holders(at(5, at(20, at(5))))).to.deep.equal(holders(at(5)));
  });

  it('leave a canary alone when another one grows', () => {
    const before = sharedOut(weights({ stable: 80, a: 10, b: 10 }), 'stable', []);
    const after = sharedOut(weights({ stable: 70, a: 20, b: 10 }), 'stable', before);
    expect(new Set(moves(before, after))).to.deep.equal(new Set(['stable to a']));
  });

  it('move as few slots as possible, whatever changes', () => {
    const random = seededRandom(16);
    const ids = ['stable', 'a', 'b', 'c'];
    let before = sharedOut(weights({ stable: 100, a: 0, b: 0, c: 0 }), 'stable', []);
    for (let round = 0; round < 300; round++) {
      const cuts = [random.below(101), random.below(101), random.below(101)].toSorted((x, y) => x - y);
      const wanted = ids.map((version_id, i) => ({
        version_id,
        percent: (cuts[i] ?? 100) - (i === 0 ? 0 : cuts[i - 1]!),
      }));
      const after = sharedOut(wanted, random.pick(ids), before);
      expect(weightsOf(after)).to.deep.equal(wanted);
      expect(holders(after)).not.to.include(undefined);
      const grown = wanted.reduce(
        (sum, { percent }, i) => sum + Math.max(0, percent - before[i]!.slots.length),
        0,
      );
      expect(moves(before, after)).to.have.length(grown);
      before = after;
    }
  });
});
