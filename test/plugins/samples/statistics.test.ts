import { expect } from 'chai';
import { deviation, isConstant, median, quantile } from '../../../plugins/samples/statistics/moments.ts';
import { minimised } from '../../../plugins/samples/statistics/nelder-mead.ts';
import { seededRandom, shuffledIndexes } from '../../../plugins/samples/statistics/random.ts';
import {
  criticalT,
  incompleteBeta,
  twoSidedP,
  upperTailF,
} from '../../../plugins/samples/statistics/student.ts';

function expectClose(value: number, known: number): void {
  expect(Math.abs(value / known - 1), `${value} for ${known}`).to.be.lessThan(1e-12);
}

describe('The distributions of t and F', () => {
  const tails = [
    [2, 10, 0.07338803477074037],
    [0.5, 3, 0.651447964848151],
    [8, 9, 2.2134816809400155e-5],
    [40, 9, 1.8982998449339822e-11],
    [3, 1, 0.20483276469913345],
  ] as const;
  for (const [t, freedom, p] of tails) {
    it(`agree with scipy: p of t = ${t} with ${freedom} degrees of freedom`, () => {
      expectClose(twoSidedP(t, freedom), p);
      expect(twoSidedP(-t, freedom)).to.equal(twoSidedP(t, freedom));
    });
  }

  for (const [f, a, b, p] of [
    [4, 2, 10, 0.052922149401344654],
    [1, 5, 5, 0.5],
    [0.2, 1, 30, 0.6579331563760638],
  ] as const) {
    it(`agree with scipy: p of F = ${f} with ${a} and ${b} degrees of freedom`, () => {
      expectClose(upperTailF(f, a, b), p);
    });
  }

  for (const [confidence, freedom, t] of [
    [0.95, 9, 2.262157162798205],
    [0.99, 3, 5.840909309733355],
    [0.9, 1, 6.313751514675037],
    [0.999, 200, 3.3398354062757107],
  ] as const) {
    it(`agree with scipy: t for ${confidence} with ${freedom} degrees of freedom`, () => {
      expectClose(criticalT(confidence, freedom), t);
    });
  }

  it('have a beta function that is symmetric', () => {
    for (const x of [0, 0.001, 0.2, 0.5, 0.77, 1]) {
      expect(incompleteBeta(2.5, 4, x) + incompleteBeta(4, 2.5, 1 - x)).to.be.closeTo(1, 1e-14);
    }
  });
});

describe('Small statistics', () => {
  it('take the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).to.deep.equal([2, 2.5]);
  });

  it('interpolate quantiles', () => {
    expect([0, 0.25, 0.5, 1].map((share) => quantile([10, 20, 30], share))).to.deep.equal([10, 15, 20, 30]);
  });

  it('know the deviation of a population and of a sample', () => {
    expect([deviation([1, 3], 0), deviation([1, 3], 1)]).to.deep.equal([1, Math.SQRT2]);
  });

  it('do not take rounding for a difference', () => {
    expect([isConstant([0.1 + 0.2, 0.3]), isConstant([1, 1.0001]), isConstant([0, 0])]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });
});

describe('The search for a minimum', () => {
  it('finds the bottom of the valley of Rosenbrock', () => {
    const valley = ([x = 0, y = 0]: readonly number[]) => (1 - x) ** 2 + 100 * (y - x * x) ** 2;
    const { point } = minimised(valley, [-1.2, 1], [-5, 5]);
    point.forEach((value) => expect(value).to.be.closeTo(1, 1e-4));
  });

  it('stays within bounds', () => {
    const { point } = minimised(([x = 0, y = 0]) => (x - 3) ** 2 + (y + 4) ** 2, [0.5, 0.5], [0, 1]);
    point.forEach((value, i) => expect(value).to.be.closeTo([1, 0][i]!, 1e-6));
  });
});

describe('Seeded chance', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const draws = [5, 5, 6].map((seed) => {
      const random = seededRandom(seed);
      return [random(), random(), random()];
    });
    expect(draws[0]).to.deep.equal(draws[1]);
    expect(draws[0]).to.not.deep.equal(draws[2]);
  });

  it('is spread evenly', () => {
    const random = seededRandom(1);
    const counts = Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i++) counts[Math.floor(random() * 10)]!++;
    counts.forEach((count) => expect(count).to.be.within(9_700, 10_300));
  });

  it('shuffles without losing anything', () => {
    const order = shuffledIndexes(50, seededRandom(3));
    expect(order.toSorted((a, b) => a - b)).to.deep.equal(Array.from({ length: 50 }, (_, i) => i));
    expect(order).to.not.deep.equal(order.toSorted((a, b) => a - b));
  });
});
