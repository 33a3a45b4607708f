import { expect } from 'chai';
import { DATABASE, newId, timeOfId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { createCallLog } from '../../../plugins/invocation/reading/call-log.ts';
import type { CallRow } from '../../../plugins/invocation/recording/call-row.ts';
import { CALL_LOG, type CallFilter, type CallLog } from '../../../plugins/invocation/contract.ts';
import { recordAt, store } from './support/records.ts';
import { startStage, type Stage } from './support/stage.ts';

const DAY = 86_400_000;
const start = Date.UTC(2026, 0, 10);

/** Sixty calls: every four hours of ten days, of two users, three algorithms and all statuses. */
const rows: readonly CallRow[] = Array.from({ length: 60 }, (_, n) =>
  recordAt(new Date(start + n * (DAY / 6)).toISOString(), {
    user_id: n % 3 === 0 ? 'bob' : 'alice',
    algorithm_id: `algorithm-${n % 4}`,
    version_id: `version-${n % 5}`,
    status: n % 7 === 0 ? 'failed' : 'success',
  }),
);

const at = (days: number) => start + days * DAY;

const filters: readonly CallFilter[] = [
  {},
  { userId: 'alice' },
  { userId: 'nobody' },
  { algorithmId: 'algorithm-2' },
  { status: 'failed' },
  { status: 'success' },
  { status: 'unheard of' },
  { userId: 'alice', algorithmId: 'algorithm-1' },
  { userId: 'alice', status: 'failed' },
  { userId: 'bob', algorithmId: 'algorithm-3', status: 'failed' },
  { from: at(3) },
  { until: at(3) },
  { from: at(2), until: at(5) },
  { userId: 'alice', from: at(2) + 5 * 3_600_000, until: at(4) + 13 * 3_600_000 },
  { userId: 'bob', status: 'failed', from: at(1.5), until: at(7.2) },
  { userId: 'alice', status: 'success', from: at(1.1), until: at(7.2) },
  { userId: 'alice', algorithmId: 'algorithm-1', status: 'success', until: at(7.2) },
  { userId: 'alice', status: 'success', from: at(1.9), until: at(6.8) },
  { status: 'failed', from: at(3.1), until: at(3.9) },
  { status: 'success', from: at(2.4), until: at(2.6) },
  { userId: 'alice', from: at(1.1), until: at(7.9) },
  { userId: 'alice', algorithmId: 'algorithm-1', from: at(1.1) },
  { from: at(2.2), until: at(6.8) },
  { status: 'canceled', from: at(1.1), until: at(7.9) },
  { algorithmId: 'algorithm-0', from: at(4.1), until: at(4.9) },
  { userId: 'alice', algorithmId: 'algorithm-1', from: at(1.1), until: at(7.2) },
  { from: at(5), until: at(5) },
  { from: at(6), until: at(5) },
  { from: -DAY, until: Date.UTC(9999, 11, 31) + DAY },
  { from: timeOfId(rows[10]!.id), until: timeOfId(rows[10]!.id) + 1 },
];

/** The meaning of a filter, as a plain predicate. */
function matching(filter: CallFilter): CallRow[] {
  const fits = (row: CallRow): boolean =>
    (filter.userId ?? row.user_id) === row.user_id &&
    (filter.algorithmId ?? row.algorithm_id) === row.algorithm_id &&
    (filter.status ?? row.status) === row.status &&
    row.created_at >= (filter.from ?? -Infinity) &&
    row.created_at < (filter.until ?? Infinity);
  return rows.filter(fits).reverse();
}

const idsOf = (calls: readonly { readonly id: string }[]) => calls.map(({ id }) => id);

describe('The call log', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let log: CallLog;
    before(async () => {
      stage = await startStage(engine);
      await store(stage, rows);
      log = stage.get(CALL_LOG);
    });
    after(() => stage.stop());

    for (const filter of filters) {
      const name = JSON.stringify(filter);
      it(`lists and counts what matches ${name}`, async () => {
        const expected = idsOf(matching(filter));
        expect(idsOf(await log.list(filter, { skip: 0, limit: 100 }))).to.deep.equal(expected);
        expect(await log.count(filter)).to.equal(expected.length);
      });

      it(`pages through ${name} by number and by place`, async () => {
        const expected = idsOf(matching(filter));
        const bySkip = await log.list(filter, { skip: 3, limit: 4 });
        expect(idsOf(bySkip)).to.deep.equal(expected.slice(3, 7));
        const byPlace = await log.list(filter, { skip: 0, limit: 4, before: expected[2] });
        expect(idsOf(byPlace)).to.deep.equal(expected.slice(expected[2] ? 3 : 0).slice(0, 4));
      });
    }

    it('returns every field of a record', async () => {
      const row = rows[7]!;
      expect(await log.find(row.id)).to.deep.equal({
        id: row.id,
        status: 'failed',
        user_id: 'alice',
        algorithm_id: 'algorithm-3',
        version_id: 'version-2',
        input_data: { n: 1 },
        params: {},
        output_data: { n: 2 },
        response_time: 0.25,
        error_message: null,
        error_code: null,
        created_at: '2026-01-11T04:00:00.000Z',
        updated_at: '2026-01-11T04:00:00.250Z',
        request_id: 'req',
      });
    });

    it('returns the same as text', async () => {
      const record = await log.find(rows[0]!.id);
      const entry = await log.entry(rows[0]!.id);
      expect(JSON.parse(entry!.json)).to.deep.equal(record);
      expect(entry!.user_id).to.equal(record!.user_id);
    });

    it('cuts entries short when the records are large, but never below one', async () => {
      const small = createCallLog(stage.get(DATABASE), 40);
      const page = { skip: 0, limit: 10 };
      const { entries, isCut } = await small.entries({}, page);
      expect(idsOf(entries)).to.deep.equal(idsOf(rows.slice(-2).reverse()));
      expect(isCut).to.equal(true);
      const tiny = createCallLog(stage.get(DATABASE), 1);
      expect((await tiny.entries({}, page)).entries).to.have.length(1);
    });

    it('lists a page whole, however large the records', async () => {
      const small = createCallLog(stage.get(DATABASE), 25);
      const listed = await small.list({ userId: 'alice' }, { skip: 2, limit: 9 });
      expect(idsOf(listed)).to.deep.equal(idsOf(matching({ userId: 'alice' })).slice(2, 11));
    });

    it('does not report the last page as cut', async () => {
      const { entries, isCut } = await log.entries({ userId: 'bob' }, { skip: 0, limit: 100 });
      expect([entries.length, isCut]).to.deep.equal([20, false]);
    });

    it('finds nothing for other ids', async () => {
      expect([await log.find(newId()), await log.find('nonsense')]).to.deep.equal([undefined, undefined]);
    });
  });
});
