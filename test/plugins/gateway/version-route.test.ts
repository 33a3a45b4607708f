import { expect } from 'chai';
import { VersionRoute, type RouteRule } from '../../../plugins/gateway/traffic/version-route.ts';
import { sharedOut } from '../../../plugins/gateway/traffic/shares.ts';
import { somebody } from './rollout.ts';

const CALLERS = 20_000;
/** Of the binomial distribution; beyond it lies one outcome in sixteen thousand, and these outcomes are fixed. */
const DEVIATIONS = 4;

const callers = Array.from({ length: CALLERS }, (_, number) => somebody(number));
const everything = () => true;

function route(percents: Readonly<Record<string, number>>, more: Partial<RouteRule> = {}): VersionRoute {
  const weights = Object.entries(percents).map(([version_id, percent]) => ({ version_id, percent }));
  return new VersionRoute({
    id: '01890000-0000-7000-8000-00000000cafe',
    algorithm_id: 'algorithm',
    stable_version_id: 'stable',
    shares: sharedOut(weights, 'stable', []),
    sticky: true,
    applies_to: 'default',
    rollback: null,
    revision: 1,
    ...more,
  });
}

function counted(versions: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const version of versions) counts[version] = (counts[version] ?? 0) + 1;
  return counts;
}

/** Expects a count to be what chance leaves of `share` among `all`. */
function expectShare(count: number | undefined, share: number, all = CALLERS): void {
  const deviation = Math.sqrt(all * share * (1 - share));
  expect(count ?? 0).to.be.closeTo(all * share, DEVIATIONS * deviation);
}

describe('a route', () => {
  it('spreads callers by the weights', () => {
    const known = route({ stable: 79, a: 5, b: 1, c: 15 });
    const counts = counted(callers.map((id) => known.draw(id, everything).versionId));
    expectShare(counts['stable'], 0.79);
    expectShare(counts['a'], 0.05);
    expectShare(counts['b'], 0.01);
    expectShare(counts['c'], 0.15);
  });

  it('spreads calls by the weights when it is not sticky, for any caller', () => {
    const known = route({ stable: 50, canary: 50 }, { sticky: false });
    const counts = counted(callers.map(() => known.draw('the same', everything).versionId));
    // Drawn anew each time the test runs: beyond eight deviations lies one outcome in 10^15.
    expect(counts['canary']).to.be.closeTo(CALLERS / 2, 8 * Math.sqrt(CALLERS / 4));
  });

  it('always gives a caller the same version', () => {
    const [once, again] = [route({ stable: 50, canary: 50 }), route({ stable: 50, canary: 50 })].map(
      (known) => callers.map((id) => known.draw(id, everything).versionId),
    );
    expect(again).to.deep.equal(once);
  });

  it('draws other callers than another route', () => {
    const [one, other] = ['cafe', 'beef'].map((end) => {
      const known = route({ stable: 50, canary: 50 }, { id: `01890000-0000-7000-8000-00000000${end}` });
      return callers.map((id) => known.draw(id, everything).versionId);
    });
    expectShare(one!.filter((version, i) => version === other![i]).length, 0.5);
  });

  it('moves callers from the stable version to a growing canary, and none back', () => {
    let before = route({ stable: 95, canary: 5 });
    for (const percent of [10, 20, 50, 99, 100]) {
      const weights = [
        { version_id: 'stable', percent: 100 - percent },
        { version_id: 'canary', percent },
      ];
      const after = route({}, { shares: sharedOut(weights, 'stable', before.rule.shares) });
      const moved = callers.map(
        (id) => `${before.draw(id, everything).versionId} ${after.draw(id, everything).versionId}`,
      );
      const { 'stable canary': joined, 'canary stable': left } = counted(moved);
      expect(left).to.equal(undefined);
      expectShare(joined, (percent - before.percentOf('canary')) / 100);
      before = after;
    }
  });

  describe('with a version that is not available', () => {
    const known = route({ stable: 60, a: 30, b: 10 });
    const drawn = callers.map((id) => ({
      usual: known.draw(id, everything).versionId,
      now: known.draw(id, (version) => version !== 'b'),
    }));

    it('gives its share to the others, in proportion to theirs', () => {
      const others = drawn.filter(({ usual }) => usual === 'b').map(({ now }) => now);
      const counts = counted(others.map(({ versionId }) => versionId));
      expectShare(counts['stable'], 60 / 90, others.length);
      expectShare(counts['a'], 30 / 90, others.length);
      expect(new Set(others.map(({ insteadOf }) => insteadOf))).to.deep.equal(new Set(['b']));
    });

    it('does not move the callers of the others', () => {
      const rest = drawn.filter(({ usual }) => usual !== 'b');
      expect(rest.filter(({ usual, now }) => usual !== now.versionId)).to.deep.equal([]);
    });

    it('gives nothing to a version without a share', () => {
      const promoted = route({ stable: 0, canary: 100 });
      expect(promoted.draw('x', (id) => id === 'stable')).to.deep.equal({
        versionId: 'canary',
        insteadOf: undefined,
      });
    });
  });

  it('decides about the alias alone, or about the stable version too', () => {
    const decided = (known: VersionRoute) =>
      ['default', 'stable', 'canary', 'other'].filter((id) => known.decides(id));
    expect(decided(route({ stable: 50, canary: 50 }))).to.deep.equal(['default']);
    const all = route({ stable: 50, canary: 50 }, { applies_to: 'all' });
    expect(decided(all)).to.deep.equal(['default', 'stable']);
  });
});
