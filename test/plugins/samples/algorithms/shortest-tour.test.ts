import { expect } from 'chai';
import {
  distancesBetween,
  tourLength,
  type Distances,
} from '../../../../plugins/samples/algorithms/shortest-tour/distances.ts';
import { shortestTour } from '../../../../plugins/samples/algorithms/shortest-tour/exact.ts';
import { lowerBound } from '../../../../plugins/samples/algorithms/shortest-tour/lower-bound.ts';
import { run } from '../../../../plugins/samples/algorithms/shortest-tour/run.ts';
import { shortTour } from '../../../../plugins/samples/algorithms/shortest-tour/search.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { seededRandom } from '../../../../plugins/samples/statistics/random.ts';
import { BERLIN52 } from '../fixtures/berlin52.ts';

const usual = { distance: 'plane', return_to_start: true, restarts: 200, seed: 1 } as const;

function randomPoints(count: number, seed: number): { x: number; y: number }[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => ({ x: random() * 100, y: random() * 100 }));
}

/** The shortest of all orders, the slow way. */
function bestOfAll(distances: Distances, tour: number[] = [0]): number {
  if (tour.length === distances.length) return tourLength(tour, distances);
  const open = [...distances.keys()].filter((point) => !tour.includes(point));
  return Math.min(...open.map((point) => bestOfAll(distances, [...tour, point])));
}

describe('Shortest tour', () => {
  it('finds the known shortest tour of berlin52', () => {
    const { length, exact, order } = run({ points: BERLIN52 }, usual);
    expect(length).to.be.closeTo(7544.3659, 1e-4);
    expect(exact).to.equal(true);
    expect(new Set(order).size).to.equal(52);
  });

  it('is exact for few points', () => {
    for (const count of [2, 3, 4, 6, 8]) {
      const points = randomPoints(count, count);
      expect(run({ points }, usual).length).to.be.closeTo(bestOfAll(distancesBetween(points, 'plane')), 1e-9);
    }
  });

  it('finds by searching what it finds exactly, and a bound that is not above it', () => {
    for (let seed = 0; seed < 10; seed++) {
      const distances = distancesBetween(randomPoints(10, seed), 'plane');
      const shortest = tourLength(shortestTour(distances), distances);
      expect(tourLength(shortTour(distances, { restarts: 100, seed }), distances)).to.be.closeTo(
        shortest,
        1e-9,
      );
      expect(lowerBound(distances, shortest)).to.be.within(shortest * 0.95, shortest + 1e-9);
    }
  });

  it('visits the corners of a polygon in turn', () => {
    const corners = Array.from({ length: 20 }, (_, i) => (i * 7) % 20);
    const points = corners.map((i) => ({ x: Math.cos((i * Math.PI) / 10), y: Math.sin((i * Math.PI) / 10) }));
    const { order, length } = run({ points }, usual);
    const turns = order.map(
      (point, i) => (corners[order[(i + 1) % 20]! - 1]! - corners[point - 1]! + 20) % 20,
    );
    expect(new Set(turns).size).to.equal(1);
    expect(length).to.be.closeTo(40 * Math.sin(Math.PI / 20), 1e-9);
  });

  it('is within its own gap of the bound for many points', () => {
    const { length, lower_bound, gap_percent } = run(
      { points: randomPoints(120, 3) },
      { ...usual, restarts: 50 },
    );
    expect(gap_percent).to.be.closeTo((100 * (length - lower_bound)) / lower_bound, 1e-9);
    expect(gap_percent).to.be.lessThan(5);
  });

  it('begins a round with the first point and comes back to it', () => {
    const { stops, order } = run({ points: randomPoints(15, 1) }, usual);
    expect([order[0], stops[0]!.point, stops.at(-1)!.point, stops.length]).to.deep.equal([1, 1, 1, 16]);
  });

  it('need not return, which is shorter, exactly and by searching', () => {
    for (const count of [7, 15]) {
      const points = Array.from({ length: count }, (_, i) => ({ x: (i * 4) % count, y: 0 }));
      const { length, stops } = run({ points }, { ...usual, return_to_start: false });
      expect([length, stops.length]).to.deep.equal([count - 1, count]);
    }
  });

  it('adds the legs up to the length', () => {
    for (const return_to_start of [true, false]) {
      const { length, stops } = run({ points: randomPoints(20, 4) }, { ...usual, return_to_start });
      expect(stops.reduce((sum, { leg }) => sum + leg, 0)).to.be.closeTo(length, 1e-9);
    }
  });

  it('measures on the earth: London to Paris is 344 km, across the date line it is not far', () => {
    const london = { x: -0.1278, y: 51.5074 };
    const legs = [
      [london, { x: 2.3522, y: 48.8566 }],
      [
        { x: 179.5, y: 0 },
        { x: -179.5, y: 0 },
      ],
    ].map((points) => run({ points }, { ...usual, distance: 'earth', return_to_start: false }).length);
    expect(legs[0]).to.be.closeTo(343.6, 0.5);
    expect(legs[1]).to.be.closeTo(111.2, 0.1);
  });

  it('copes with points in the same place', () => {
    const points = Array.from({ length: 20 }, () => ({ x: 1, y: 1 }));
    expect(run({ points }, usual)).to.deep.include({ length: 0, gap_percent: 0, exact: true });
  });

  it('answers the same for the same seed', () => {
    const answers = [5, 5].map((seed) =>
      run({ points: randomPoints(60, 6) }, { ...usual, restarts: 20, seed }),
    );
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('refuses places that are not on the earth', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 10, y: 95 },
    ];
    expect(() => run({ points }, { ...usual, distance: 'earth' })).to.throw(
      InputRejected,
      'Point 2 lies at longitude 10',
    );
  });
});
