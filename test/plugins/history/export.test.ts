import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import { newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { HISTORY, type History } from '../../../plugins/history/history.ts';
import { CALL_LOG, type CallLog, type CallRecord } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { recordAt, store } from '../invocation/support/records.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';

const START = Date.UTC(2026, 0, 1);

describe('The export of the history', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let mine: { readonly user_id: string; readonly algorithm_id: string };
    beforeEach(async () => {
      stage = await startStage(engine);
      const { id } = (await stage.request('GET', '/users/me', { token: stage.alice })).body;
      mine = { user_id: id, algorithm_id: newId() };
    });
    afterEach(() => stage.stop());

    const exported = async (query: string) => {
      const headers = { Authorization: `Bearer ${stage.alice}` };
      const answer = await fetch(`${stage.baseUrl}/history/export${query}`, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, text: bytes.toString() };
    };
    const lines = (text: string) => text.trimEnd().split(/\r?\n/);
    /** Records a second apart, the oldest first. */
    const storeMany = async (count: number, fields: Parameters<typeof recordAt>[1] = {}): Promise<void> => {
      for (let stored = 0; stored < count; stored += 1_000) {
        const rows = Array.from({ length: Math.min(1_000, count - stored) }, (_, i) =>
          recordAt(new Date(START + (stored + i) * 1_000).toISOString(), { ...mine, ...fields }),
        );
        await store(stage, rows);
      }
    };

    it('needs credentials', async () => {
      expect((await stage.request('GET', '/history/export')).status).to.equal(401);
    });

    it('has as NDJSON the records of the list, over all pages and in the same order', async () => {
      await storeMany(1_201);
      const { text, headers } = await exported('?format=ndjson');
      expect(headers.get('content-type')).to.equal('application/x-ndjson');
      expect(headers.get('content-disposition')).to.equal('attachment; filename="calls.ndjson"');
      const list = await stage.request('GET', '/history/user-calls?limit=1000', { token: stage.alice });
      const records = lines(text).map((line) => JSON.parse(line));
      expect(records).to.have.length(1_201);
      expect(records.slice(0, 1_000)).to.deep.equal(list.body.history);
    });

    it('has as CSV a line for each call, with the payloads as JSON', async () => {
      await store(stage, [
        recordAt('2026-01-31T09:30:00Z', { ...mine, input_data: '{"text":"a \\"b\\", c"}', params: '{}' }),
      ]);
      const { text, headers } = await exported('');
      expect(headers.get('content-type')).to.equal('text/csv; charset=utf-8');
      const [head, line, ...rest] = lines(text);
      expect(head).to.match(/^\uFEFFid,created_at,status,/);
      expect(line)
        .to.contain(',2026-01-31T09:30:00.000Z,success,')
        .and.contain(`"{""text"":""a \\""b\\"", c""}",{},`);
      expect(rest).to.deep.equal([]);
    });

    for (const formula of ['=1+1', '@SUM(A1)', '+1', '-1', '\t=1', ' =1', '＝1']) {
      it(`keeps a spreadsheet from running ${JSON.stringify(formula)}`, async () => {
        const failed = { status: 'failed', error_code: 'upstream_rejected', output_data: null } as const;
        await store(stage, [
          recordAt('2026-01-31T09:30:00Z', { ...mine, ...failed, error_message: formula }),
        ]);
        expect((await exported('?format=csv')).text).to.contain(`,"'${formula}",`);
      });
    }

    it('has what the filters of the list select, and nobody else’s', async () => {
      const other = { ...mine, algorithm_id: newId() };
      await store(stage, [
        recordAt('2026-01-30T12:00:00Z', mine),
        recordAt('2026-01-31T12:00:00Z', mine),
        recordAt('2026-01-31T13:00:00Z', { ...mine, status: 'failed', output_data: null }),
        recordAt('2026-01-31T14:00:00Z', other),
        recordAt('2026-01-31T15:00:00Z', { ...mine, user_id: newId() }),
      ]);
      const times = async (query: string) =>
        lines((await exported(`?format=ndjson${query}`)).text)
          .filter((line) => line !== '')
          .map((line) => (JSON.parse(line) as CallRecord).created_at.slice(8, 13));
      expect(await times('')).to.deep.equal(['31T14', '31T13', '31T12', '30T12']);
      expect(await times(`&algorithm_id=${mine.algorithm_id}`)).to.deep.equal(['31T13', '31T12', '30T12']);
      expect(await times('&status=failed')).to.deep.equal(['31T13']);
      expect(await times('&end_date=2026-01-30')).to.deep.equal(['30T12']);
      expect(await times('&start_date=2026-02-01')).to.deep.equal([]);
    });

    it('refuses a format that it does not have', async () => {
      const { status, text } = await exported('?format=xlsx');
      expect([status, JSON.parse(text).errors[0].pointer]).to.deep.equal([422, '/query/format']);
    });

    it('stops reading when the client goes away', async () => {
      await storeMany(20_000, { output_data: JSON.stringify({ text: 'x'.repeat(2_000) }) });
      const calls: CallLog = stage.get(CALL_LOG);
      const { entries } = calls;
      let reads = 0;
      Object.assign(calls, {
        entries: (...args: Parameters<typeof entries>) => ((reads += 1), entries(...args)),
      });
      const history: History = stage.get(HISTORY);
      const { export: exported } = history;
      let isEnded = false;
      const watched = async function* (pages: AsyncIterable<readonly string[]>) {
        try {
          yield* pages;
        } finally {
          isEnded = true;
        }
      };
      Object.assign(history, {
        export: (...args: Parameters<typeof exported>) => watched(exported(...args)),
      });
      const asked = request(`${stage.baseUrl}/history/export`, {
        headers: { Authorization: `Bearer ${stage.alice}` },
      });
      asked.on('error', () => undefined).end();
      const [answer] = await once(asked, 'response');
      await once(answer, 'readable');
      asked.destroy();
      await until(() => isEnded);
      const seen = reads;
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(reads)
        .to.equal(seen)
        .and.to.be.below(20_000 / 500);
    });
  });
});
