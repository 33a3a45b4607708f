import { expect } from 'chai';
import { DATABASE, type Database } from '../../../../core/index.ts';
import { onEveryEngine } from '../../../../core/testing.ts';
import { createCallLog } from '../../../../plugins/invocation/reading/call-log.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import type { CallFilter, CallPage } from '../../../../plugins/invocation/contract.ts';
import { partitionsOf } from '../../../../plugins/invocation/partitions/partition.ts';
import { clockAt, liveThrough, monthsFrom } from '../support/months.ts';
import { overheard, plannedAnew, planOn, planOnSqlite, type Asked, type Plan } from '../support/plans.ts';
import { recordAt, store } from '../support/records.ts';
import { startStage, type Stage } from '../support/stage.ts';

const MONTHS = monthsFrom('2023-01', '2025-12');
const RECORDS = 18_000;
const first = Date.UTC(2023, 0, 1);
const distance = (Date.UTC(2026, 0, 1) - first) / RECORDS;
const TEXT = JSON.stringify({ text: 'What is shown here is precious. '.repeat(8) });

/** A fifth is of one caller, a twentieth failed; with one algorithm none did, with another every second. */
const rows: readonly CallRow[] = Array.from({ length: RECORDS }, (_, n) =>
  recordAt(new Date(first + n * distance).toISOString(), {
    user_id: n % 5 === 0 ? 'busy' : `user-${n % 50}`,
    algorithm_id: `algorithm-${n % 19}`,
    status: (n % 23 === 0 && n % 19 !== 7) || n % 38 === 5 ? 'failed' : 'success',
    input_data: TEXT,
  }),
);

const ofBusy = rows.filter((row) => row.user_id === 'busy');
const middle = { from: Date.UTC(2024, 5, 10), until: Date.UTC(2024, 6, 20) };
const page: CallPage = { skip: 0, limit: 21 };

interface Question {
  readonly filter: CallFilter;
  readonly page?: CallPage;
  /** Months whose partition may be read, beside the coming ones, which are empty. */
  readonly months: number;
}

const everyMonth = MONTHS.length;
const questions: Readonly<Record<string, Question>> = {
  'the first page of a caller': { filter: { userId: 'busy' }, months: 2 },
  'the first page of all': { filter: {}, months: 2 },
  'a page by cursor, deep down': {
    filter: { userId: 'busy' },
    page: { ...page, before: ofBusy[600]!.id },
    months: 2,
  },
  'a page after many that are passed over': {
    filter: { userId: 'busy' },
    page: { ...page, skip: 500 },
    months: 8,
  },
  // It is merged from both statuses: as many months are read as have a page of either.
  'the first page of an algorithm': {
    filter: { userId: 'busy', algorithmId: 'algorithm-5' },
    months: 10,
  },
  'the first page of an algorithm that hardly ever fails': {
    filter: { userId: 'busy', algorithmId: 'algorithm-3' },
    months: everyMonth,
  },
  'what succeeded': { filter: { userId: 'busy', status: 'success' }, months: 2 },
  'what failed': { filter: { userId: 'busy', status: 'failed' }, months: 7 },
  'what failed with an algorithm': {
    filter: { userId: 'busy', algorithmId: 'algorithm-3', status: 'failed' },
    months: everyMonth,
  },
  'what failed with an algorithm that never does': {
    filter: { userId: 'busy', algorithmId: 'algorithm-7', status: 'failed' },
    months: everyMonth,
  },
  'a status that nothing has': { filter: { userId: 'busy', status: 'pending' }, months: everyMonth },
  'a caller who never called': { filter: { userId: 'nobody' }, months: everyMonth },
  'some weeks': { filter: { userId: 'busy', ...middle }, months: 2 },
  'some weeks of an algorithm': {
    filter: { userId: 'busy', algorithmId: 'algorithm-3', ...middle },
    months: 2,
  },
  'what failed in some weeks': { filter: { userId: 'busy', status: 'failed', ...middle }, months: 2 },
  'what failed in some weeks with an algorithm': {
    filter: { userId: 'busy', algorithmId: 'algorithm-7', status: 'failed', ...middle },
    months: 2,
  },
};

/** Index pages to look at in a partition, and some for what is found. */
const PAGES_OF_PARTITION = 4;
const PAGES_OF_ENTRIES = 80;

describe('The plans behind pages of records', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let database: Database;
    let partitions = 0;
    before(async function () {
      this.timeout(120_000);
      const clock = clockAt(`${MONTHS[0]!}-01T00:00:00Z`);
      stage = await startStage(engine, undefined, { clock });
      await liveThrough(stage, clock, MONTHS);
      for (let n = 0; n < RECORDS; n += 1000) await store(stage, rows.slice(n, n + 1000));
      database = stage.get(DATABASE);
      if (engine === 'postgres') {
        await database.knex.raw('VACUUM ANALYZE invocation_calls');
        partitions = (await partitionsOf(database.knex)).length;
      }
    });
    after(() => stage.stop());

    /** The statements for a page: the first finds its ids, the second reads the records. */
    async function askedFor({ filter, page: wanted = page }: Question): Promise<readonly Asked[]> {
      const ears = overheard(database);
      const log = createCallLog(ears.database);
      await log.entries(filter, wanted);
      return ears.asked;
    }

    /** The statement that counts within a day that the bounds cut. */
    async function counting(filter: CallFilter): Promise<Asked> {
      const ears = overheard(database);
      const log = createCallLog(ears.database);
      const part = { from: middle.from + 1, until: middle.from + 3_600_000 };
      await log.count({ ...filter, ...part });
      return ears.asked.find(({ sql }) => sql.includes('COUNT(*)'))!;
    }

    for (const filter of [
      {},
      { status: 'success' },
      { status: 'failed' },
      { algorithmId: 'algorithm-3', status: 'success' },
    ]) {
      it(`count part of a day within indexes alone: ${JSON.stringify(filter)}`, async () => {
        const asked = await counting({ userId: 'busy', ...filter });
        if (engine === 'sqlite') {
          const lines = (await planOnSqlite(database, asked)).filter((line) =>
            line.includes('invocation_calls'),
          );
          for (const line of lines) expect(line).to.match(/USING COVERING INDEX .*id>\? AND id<\?/);
        } else {
          const { kinds, scanned } = await database.transaction((trx) => planOn(trx, asked, 'custom'));
          expect([...kinds].filter((kind) => kind.includes('Scan'))).to.deep.equal(['Index Only Scan']);
          expect(scanned.size).to.equal(1);
        }
      });
    }

    if (engine === 'sqlite') {
      it('begin at the cursor, with any bound in time', async () => {
        const before = ofBusy[600]!.id;
        const filter = { userId: 'busy', until: Date.UTC(2026, 0, 1) };
        const [finding] = await askedFor({ filter, page: { ...page, before }, months: 2 });
        // Once for ended calls, and once for open ones.
        expect(finding!.sql.match(/id < \?/g)).to.have.length(2);
        expect(finding!.values).to.include(before);
      });

      for (const [name, question] of Object.entries(questions)) {
        it(`go straight to ${name}`, async () => {
          const [finding] = await askedFor(question);
          const lines = (await planOnSqlite(database, finding!)).filter((line) =>
            line.includes('invocation_calls'),
          );
          const isOfUser = question.filter.userId !== undefined;
          const index = isOfUser ? /^SEARCH .* USING COVERING INDEX/ : /USING (COVERING )?INDEX/;
          for (const line of lines) expect(line).to.match(index);
          expect((await planOnSqlite(database, finding!)).join()).not.to.include('TEMP B-TREE');
        });
      }
      return;
    }

    const inOrder = (plan: Plan, { months }: Question): void => {
      const kinds = [...plan.kinds].filter(
        (kind) => !/^(Limit|Append|Merge Append|Index Only Scan|Index Scan|Subquery Scan)$/.test(kind),
      );
      expect(kinds).to.deep.equal([]);
      const ahead = partitions - MONTHS.length;
      expect(plan.scanned.size).to.be.at.most(months + ahead);
      expect(plan.pages).to.be.at.most(plan.scanned.size * PAGES_OF_PARTITION + PAGES_OF_ENTRIES);
    };

    for (const [name, question] of Object.entries(questions)) {
      it(`go straight to ${name}, however they were made`, async () => {
        const [finding] = await askedFor(question);
        for (const kind of finding!.plans) {
          inOrder(await database.transaction((trx) => planOn(trx, finding!, kind)), question);
        }
      });
    }

    it('are made for the values of a page between two bounds: for any values, all calls between would be sorted', async () => {
      const before = ofBusy[600]!.id;
      for (const bounded of [
        { filter: { userId: 'busy', ...middle }, months: 2 },
        { filter: { userId: 'busy', from: middle.from }, page: { ...page, before }, months: 2 },
      ]) {
        const [finding] = await askedFor(bounded);
        expect(finding!.plans).to.deep.equal(['custom']);
      }
    });

    it('are made once for any values, because planning takes longer than the page', async () => {
      const unbounded = Object.entries(questions).filter(([, { filter }]) => filter.from === undefined);
      for (const [name, question] of unbounded) {
        const [finding] = await askedFor(question);
        expect(await database.transaction((trx) => plannedAnew(trx, finding!)), name).to.equal(5);
      }
    });

    it('read the rows of a page from their partitions alone', async () => {
      for (const name of ['the first page of a caller', 'a page by cursor, deep down']) {
        const [, reading] = await askedFor(questions[name]!);
        const plan = await database.transaction((trx) => planOn(trx, reading!, 'custom'));
        expect(plan.planned.size).to.be.at.most(2);
      }
    });

    it('look a record up in its partition alone, however they were made', async () => {
      const ears = overheard(database);
      await createCallLog(ears.database).find(ofBusy[700]!.id);
      for (const kind of ['custom', 'generic'] as const) {
        const plan = await database.transaction((trx) => planOn(trx, ears.asked[0]!, kind));
        expect([...plan.planned], kind).to.have.length(1);
      }
    });
  });
});
