import { expect } from 'chai';
import {
  binOf,
  percentiles,
  RELATIVE_ERROR,
  type Bin,
} from '../../../../../plugins/invocation/rollups/series/buckets.ts';
import { seededRandom } from '../../../../support/seeded-random.ts';

const SHARES = [0.5, 0.95];

function histogramOf(times: readonly number[]): Bin[] {
  return times.map((seconds) => ({ bin: binOf(seconds), calls: 1, response_us: seconds * 1e6 }));
}

/** The lowest time that the share of the times does not exceed. */
function exact(times: readonly number[], share: number): number {
  const ascending = times.toSorted((one, other) => one - other);
  return ascending[Math.ceil(share * times.length) - 1]!;
}

const random = seededRandom(7);
const many = (make: () => number) => Array.from({ length: 5_000 }, make);
/** Response times in seconds. */
const distributions: Readonly<Record<string, readonly number[]>> = {
  'a single call': [0.0042],
  'times that are all equal': many(() => 0.25),
  'times between a millisecond and ten minutes': many(() => 0.001 * 600_000 ** random.next()),
  'times between 20 and 40 ms': many(() => 0.02 + 0.02 * random.next()),
  'many fast and some slow calls': many(() => (random.chance(0.9) ? 0.005 : 28) * (0.5 + random.next())),
  'an hour': [3_599, 3_600],
};

describe('A percentile of a histogram', () => {
  it('is promised to be within 10 %', () => {
    expect(RELATIVE_ERROR).to.be.below(0.1);
  });

  for (const [name, times] of Object.entries(distributions)) {
    it(`is that close to the exact one: ${name}`, () => {
      const estimates = percentiles(histogramOf(times), SHARES);
      for (const [index, share] of SHARES.entries()) {
        const right = exact(times, share);
        expect(Math.abs(estimates[index]! / right - 1), `${share}`).to.be.at.most(RELATIVE_ERROR);
      }
    });
  }

  it('is less than a millisecond away below a millisecond', () => {
    for (const times of [[0], [0.000_02, 0.000_9], [0.001]]) {
      const [p50] = percentiles(histogramOf(times), SHARES);
      expect(p50).to.be.within(0, 0.001);
    }
  });

  it('is null without calls', () => {
    expect(percentiles([], SHARES)).to.deep.equal([null, null]);
  });

  it('is of all bins together, in whatever order they come', () => {
    const times = distributions['many fast and some slow calls']!;
    const bins = histogramOf(times);
    expect(percentiles(bins.toReversed(), SHARES)).to.deep.equal(percentiles(bins, SHARES));
  });
});
