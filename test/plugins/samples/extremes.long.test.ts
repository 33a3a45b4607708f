import { expect } from 'chai';
import { moduleOf, samples } from '../../../plugins/samples/algorithms/index.ts';
import type { AlgorithmPool } from '../../../plugins/samples/running/pool.ts';
import { seededRandom } from '../../../plugins/samples/statistics/random.ts';
import { photograph } from './painting.ts';
import { poolOf, runIn } from './support.ts';

const random = seededRandom(11);
const numbers = (count: number, size = 1e3) => Array.from({ length: count }, () => (random() - 0.5) * size);
const table = (rows: number, columns: number) => Array.from({ length: rows }, () => numbers(columns));
const words = (count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 3000).toString(36)).join(' ');
const series = { series: numbers(2000) };
const image = photograph();
const text = () => ({
  text: Array.from({ length: 400 }, () => `Word ${words(30)}.`)
    .join(' ')
    .slice(0, 100_000),
});

/** The most that the schema of each sample admits, or nearly. */
const LARGEST: Readonly<Record<string, () => { input: object; params?: object }>> = {
  'edge-detection': () => ({ input: { image }, params: { max_side: 2048, sigma: 10 } }),
  'dominant-colours': () => ({ input: { image }, params: { colours: 16 } }),
  'contrast-equalisation': () => ({ input: { image }, params: { max_side: 2048, tiles: 16 } }),
  'keyword-extraction': () => ({ input: text(), params: { max_keywords: 100 } }),
  'language-detection': () => ({ input: text() }),
  'text-summary': () => ({ input: text(), params: { sentences: 50 } }),
  'text-similarity': () => ({
    input: { texts: Array.from({ length: 50 }, () => words(5000).slice(0, 20_000)) },
  }),
  'k-means': () => ({ input: { rows: table(2000, 30) }, params: { k: 30, starts: 5 } }),
  'linear-regression': () => ({ input: { rows: table(2000, 30), y: numbers(2000) } }),
  'principal-components': () => ({ input: { rows: table(2000, 30) }, params: { components: 30 } }),
  'decision-tree': () => ({
    input: {
      rows: table(2000, 30),
      labels: numbers(2000).map((n) => `label ${Math.floor(Math.abs(n) / 50)}`),
    },
    params: { max_depth: 10 },
  }),
  'seasonal-forecast': () => ({
    input: series,
    params: { season_length: 400, horizon: 200, seasonality: 'additive' },
  }),
  'anomaly-detection': () => ({ input: series, params: { season_length: 400 } }),
  'change-points': () => ({ input: series, params: { penalty: 100, min_length: 1 } }),
  'shortest-tour': () => ({
    input: { points: table(200, 2).map(([x, y]) => ({ x, y })) },
    params: { restarts: 100 },
  }),
  'linear-optimisation': () => ({
    input: {
      goal: 'maximise',
      objective: Object.fromEntries(numbers(60).map((n, i) => [`x${i}`, Math.abs(n)])),
      constraints: table(60, 60).map((row) => ({
        terms: Object.fromEntries(row.map((n, i) => [`x${i}`, Math.abs(n)])),
        relation: 'at most',
        value: 1e5,
      })),
    },
  }),
};

describe('The samples at their largest', function () {
  this.timeout(60_000);
  let pool: AlgorithmPool;

  before(() => {
    pool = poolOf({ memoryMb: 768 });
  });

  after(() => pool.close());

  it('are all tried', () => {
    expect(Object.keys(LARGEST)).to.have.members(samples.map(({ name }) => name));
  });

  for (const about of samples) {
    it(`${about.name} answers within the time and memory of a call`, async () => {
      const { input, params = {} } = LARGEST[about.name]!();
      const job = { module: moduleOf(about).href, input, params, maxOutputBytes: 8 * 1024 * 1024 };
      const verdict = await runIn(pool, job as never, 30_000);
      expect(verdict.kind, JSON.stringify(verdict).slice(0, 300)).to.equal('done');
    });
  }
});
