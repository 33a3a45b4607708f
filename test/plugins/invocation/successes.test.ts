import { expect } from 'chai';
import { DATABASE, isId, timeOfId, type Database } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { createCallLog } from '../../../plugins/invocation/reading/call-log.ts';
import type { CallRow } from '../../../plugins/invocation/recording/call-row.ts';
import type { CallFilter, CallPage } from '../../../plugins/invocation/contract.ts';
import { overheard } from './support/plans.ts';
import { recordAt, store } from './support/records.ts';
import { startStage, type Stage } from './support/stage.ts';

const DAY = 86_400_000;
const start = Date.UTC(2026, 0, 10);
const at = (days: number): number => start + days * DAY;

/** Failures enough of a day that they are not passed one by one. */
const FAILURES = 1_100;

function callsAt(days: number, status: 'success' | 'failed', algorithm: string): CallRow {
  return recordAt(new Date(at(days)).toISOString(), {
    user_id: 'alice',
    algorithm_id: algorithm,
    status,
    error_code: status === 'failed' ? 'upstream_error' : null,
  });
}

/** Successes on the first, the fourth and the sixth day, and so many failures on those between. */
const rows: readonly CallRow[] = [
  ...[0.1, 0.2, 0.9, 3.05, 3.95, 5.1, 5.2].map((days, n) => callsAt(days, 'success', `algorithm-${n % 2}`)),
  ...[1, 2, 3, 4].flatMap((day) =>
    Array.from({ length: FAILURES }, (_, n) =>
      callsAt(day + (n + 100) / (FAILURES + 200), 'failed', `algorithm-${n % 2}`),
    ),
  ),
].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const ofAlice: CallFilter = { userId: 'alice', status: 'success' };

function matching({ algorithmId, from = -Infinity, until = Infinity }: CallFilter): string[] {
  return rows
    .filter(({ status }) => status === 'success')
    .filter(({ algorithm_id }) => (algorithmId ?? algorithm_id) === algorithm_id)
    .filter(({ created_at }) => created_at >= from && created_at < until)
    .map(({ id }) => id)
    .reverse();
}

describe('The successes of a caller most of whose calls failed', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let database: Database;
    before(async () => {
      stage = await startStage(engine);
      database = stage.get(DATABASE);
      for (let n = 0; n < rows.length; n += 1000) await store(stage, rows.slice(n, n + 1000));
    });
    after(() => stage.stop());

    /** The ids of a page, and from when to when, and for how many records, it looked. */
    async function look(filter: CallFilter, page: CallPage) {
      const ears = overheard(database);
      const listed = await createCallLog(ears.database).list(filter, page);
      const finding = ears.asked.filter(({ sql }) => sql.startsWith('SELECT id FROM'));
      const looks = finding.map(({ values }) => {
        const [from, until] = values.filter((value) => isId(String(value))).map((id) => timeOfId(String(id)));
        return { from: from!, until: until!, most: Number(values.at(-2)) };
      });
      return { ids: listed.map(({ id }) => id), looks };
    }

    const filters: readonly CallFilter[] = [
      ofAlice,
      { ...ofAlice, algorithmId: 'algorithm-1' },
      { ...ofAlice, from: at(0.15) },
      { ...ofAlice, until: at(5.15) },
      { ...ofAlice, from: at(0.2), until: at(3.95) },
      { ...ofAlice, from: at(1), until: at(3) },
    ];
    for (const filter of filters) {
      it(`are paged through, whatever the page, with ${JSON.stringify(filter)}`, async () => {
        const expected = matching(filter);
        for (let skip = 0; skip <= expected.length + 1; skip += 1) {
          const { ids } = await look(filter, { skip, limit: 2 });
          expect(ids, `skip ${skip}`).to.deep.equal(expected.slice(skip, skip + 2));
          const before = expected[skip];
          const byPlace = await look(filter, { skip: 1, limit: 3, before });
          const rest = before === undefined ? expected : expected.slice(skip + 1);
          expect(byPlace.ids, `after ${skip}`).to.deep.equal(rest.slice(1, 4));
        }
      });
    }

    it('are looked for where there are some, and no further than the last', async () => {
      const { ids, looks } = await look(ofAlice, { skip: 0, limit: 101 });
      expect(ids).to.have.length(7);
      expect(looks).to.deep.equal([
        { from: at(5), until: at(6), most: 2 },
        { from: at(3), until: at(4), most: 2 },
        { from: at(0), until: at(1), most: 3 },
      ]);
    });

    it('are not looked for where all are passed over', async () => {
      expect((await look(ofAlice, { skip: 7, limit: 10 })).looks).to.deep.equal([]);
      const { looks } = await look(ofAlice, { skip: 3, limit: 1 });
      expect(looks.map(({ from }) => from)).to.deep.equal([at(3)]);
    });

    it('are not looked for where there are none', async () => {
      const { looks } = await look({ ...ofAlice, userId: 'nobody' }, { skip: 0, limit: 10 });
      expect(looks).to.deep.equal([]);
    });

    it('are all there when more come while they are looked for', async () => {
      let more: CallRow | undefined = recordAt(new Date(at(5.5)).toISOString(), { user_id: 'bob' });
      await store(stage, [recordAt(new Date(at(5.3)).toISOString(), { user_id: 'bob' })]);
      const read: Database['read'] = <Row>(sql: string) => {
        const statement = database.read<Row>(sql);
        return {
          first: (...values) => statement.first(...values),
          all: async (...values) => {
            const late = sql.startsWith('SELECT id FROM') ? more : undefined;
            if (late) {
              more = undefined;
              await store(stage, [late]);
            }
            return statement.all(...values);
          },
        };
      };
      const log = createCallLog({ ...database, read });
      const listed = await log.list({ userId: 'bob', status: 'success' }, { skip: 0, limit: 10 });
      expect(listed.map(({ created_at }) => Date.parse(created_at))).to.deep.equal([at(5.5), at(5.3)]);
    });
  });
});
