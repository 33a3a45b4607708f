import { expect } from 'chai';
import { DATABASE } from '../../../../core/index.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { NOW, startHalfAYear } from '../support/half-a-year.ts';
import { clockAt, liveThrough, makeMonths, monthsFrom, type SetClock } from '../support/months.ts';
import { storeWhile } from '../support/records.ts';
import type { Stage } from '../support/stage.ts';

/** What calls may wait while the table is taken: a tenth of a second for a turn, and what a busy machine adds. */
const LONGEST_WAIT_MS = 1_500;

/** What takes the table of call records for a moment, again and again. */
const works: Readonly<Record<string, (stage: Stage, clock: SetClock) => Promise<unknown>>> = {
  'partitions of the coming months are made': (stage, clock) =>
    liveThrough(stage, clock, monthsFrom('2041-01', '2042-12')),
  'partitions of old months are dropped': (stage) => stage.get(RETENTION).run(),
};

describe('Calls hardly wait', () => {
  const clock = clockAt(NOW);
  let stage: Stage;
  beforeEach(async function () {
    this.timeout(60_000);
    ({ stage } = await startHalfAYear(clock, { keep_records_days: 60 }));
  });
  afterEach(() => stage.stop());

  for (const [what, work] of Object.entries(works)) {
    it(`while ${what}`, async () => {
      let isDone = false;
      const working = work(stage, clock).finally(() => (isDone = true));
      const waits = await storeWhile(stage, NOW, (stored) => !isDone || stored < 20);
      await working;
      expect(Math.max(...waits)).to.be.below(LONGEST_WAIT_MS);
    }).timeout(60_000);
  }

  const attempts: typeof works = {
    'partitions of the coming months': (from, own) => {
      own.set('2025-07-02T00:00:00Z');
      return makeMonths(from);
    },
    'retention by age': (from) => from.get(RETENTION).run(),
  };
  for (const [what, work] of Object.entries(attempts)) {
    it(`while ${what} and a long read wait for each other`, async () => {
      const reader = await stage.get(DATABASE).knex.transaction();
      await reader.raw('SELECT 1 FROM invocation_calls LIMIT 1');
      let isDone = false;
      const working = work(stage, clock).finally(() => (isDone = true));
      const waits = await storeWhile(stage, NOW, (stored) => !isDone && stored < 500);
      await reader.rollback();
      await working;
      expect(Math.max(...waits)).to.be.below(LONGEST_WAIT_MS);
    }).timeout(60_000);
  }
});
