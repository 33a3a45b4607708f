import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { contribute, DATABASE, definePlugin, StoreUnavailable } from '../../../../core/index.ts';
import { onEveryEngine } from '../../../../core/testing.ts';
import { CALL_GUARDS, CALL_LOG, TRANSPORTS } from '../../../../plugins/invocation/contract.ts';
import { findIn, formsOf } from '../../../promises/support/planted.ts';
import { rowsOf } from '../../../promises/support/rows.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';
import { until } from '../../../support/until.ts';

/** What must not be kept, each sent on a way of its own. */
const planted = {
  'redacted input': 'rEdInput-7Qm2ZxV9rT4bN8',
  'redacted input of an item': 'rEdItem-3Wp6YuB0eR7nM2',
  'hashed params': 'hAshParams-vJ8tGa4Xs5Tz',
  'dropped output': 'dRopOutput-8Lk2Qw6Ph0Vb',
  'quoted by the endpoint': 'qUoted-4Nm9Xc7Zr5Dq8Ty3',
  'name in an invalid output': 'iNvalid-Ui6Op4Fg7Hj2Kl9',
  'thrown by a transport': 'tHrownT-Mn3Sx6Ec9Rv2Tb1',
  'thrown by a transport at a trial': 'tHrownTr-Kq7Wd1Zb5Xy8',
  'thrown by a guard': 'tHrownG-Yh5Uj8Ik0Ol2Qa7',
  'set aside in an outage': 'sPooled-Ws4Ed6Rf8Tg1Yh3',
} as const;
const kept = 'kEpt-without-a-policy-Az9Sx8Dc7';

/** A transport and a guard that fail and say what they were given. */
const talkative = definePlugin({
  id: 'talkative',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Quotes what it is given',
  requires: ['invocation'],
  contributes: [
    contribute(TRANSPORTS, {
      deps: {},
      create: () => ({
        schemes: ['talk'],
        check: () => undefined,
        send: async ({ json }) => {
          throw new Error(`cannot work with ${json.input}`);
        },
      }),
    }),
    contribute(CALL_GUARDS, {
      deps: {},
      create: () => ({
        name: 'talkative',
        around: async ({ request, json }, send) => {
          await send();
          if (request.input_data['guard']) throw new Error(`will not let ${json.input} out`);
          return send();
        },
      }),
    }),
  ],
});

const policy = {
  input_data: { mode: 'redact', pointers: ['/patient/name', '/visits/*/note', '/guard'] },
  params: { mode: 'hash' },
  output_data: { mode: 'drop' },
};

/** Also what the database keeps beside its file. */
function filesBelow(directory: string): string {
  return pathsBelow(directory)
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

function pathsBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('What a payload policy does not keep', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let spooled: string;
    let statuses: number[];
    const lines: string[] = [];
    const written: string[] = [];
    const stored = async (): Promise<string> =>
      filesBelow(stage.scratch.dataDir) +
      (engine === 'postgres' ? await rowsOf(stage.scratch.databaseUrl) : '');

    const under = async (
      rules: object | undefined,
      version: Record<string, unknown> = {},
    ): Promise<Playable> => {
      const of = await stage.play({ version });
      if (rules) {
        const path = `/algorithms/${of.algorithm_id}/payload-policy`;
        await stage.request('PUT', path, { token: stage.admin, body: rules });
      }
      return of;
    };
    const patient = (name: string) => ({ patient: { name, age: 36 } });

    /** Calls while nothing can be written; answers what lay in the spool, and waits until it is stored. */
    const callInOutage = async (of: Playable): Promise<string> => {
      const database = stage.get(DATABASE);
      const { write } = database;
      // It answers a ping, so that the endpoint is asked however long ago the last record was stored.
      Object.assign(database, {
        write: async () => {
          throw StoreUnavailable('The database does not answer.');
        },
      });
      const input_data = patient(planted['set aside in an outage']);
      statuses.push((await stage.call(of, { input_data })).status);
      const spool = join(stage.scratch.dataDir, 'spool');
      const lain = filesBelow(spool);
      Object.assign(database, { write });
      const count = () => stage.get(CALL_LOG).count({ algorithmId: of.algorithm_id });
      await until(async () => (await count()) > 0, 5_000);
      expect(await count()).to.equal(1);
      // What is stored is removed afterwards, and not while the files are read.
      await until(() => pathsBelow(spool).length === 0, 5_000);
      return lain;
    };

    before(async function () {
      this.timeout(60_000);
      stage = await startStage(
        engine,
        ({ body }, response) => {
          const { refuse, result } = body.input_data;
          if (refuse) return void response.writeHead(422, { 'content-type': 'text/plain' }).end(refuse);
          return result ?? { output: planted['dropped output'] };
        },
        { plugins: [talkative], log: { write: (line) => lines.push(line) } },
      );
      const database = stage.get(DATABASE);
      const write = database.write.bind(database);
      database.write = (batch, changes) => {
        written.push(JSON.stringify([batch, changes]));
        return write(batch, changes);
      };
      const of = await under(policy);
      const strict = { type: 'object', additionalProperties: false };
      const all = { input_data: { mode: 'drop' }, params: { mode: 'drop' }, output_data: { mode: 'drop' } };
      const hidden = await under(all);
      const answers = [
        await stage.call(of, {
          input_data: {
            ...patient(planted['redacted input']),
            visits: [{ note: planted['redacted input of an item'] }],
          },
          params: { who: planted['hashed params'] },
        }),
        await stage.call(hidden, { input_data: { refuse: `No: ${planted['quoted by the endpoint']}` } }),
        await stage.call(await under(all, { output_schema: strict }), {
          input_data: { result: { [planted['name in an invalid output']]: 1 } },
        }),
        await stage.call(await under(all, { url: 'talk:x' }), {
          input_data: patient(planted['thrown by a transport']),
        }),
        await stage.call(of, { input_data: { guard: planted['thrown by a guard'] } }),
        await stage.call(await under(undefined), { input_data: { ...patient(kept), result: {} } }),
      ];
      const trial = {
        url: 'talk:x',
        algorithm_id: hidden.algorithm_id,
        call: { input_data: patient(planted['thrown by a transport at a trial']) },
      };
      const path = '/algorithms/try';
      answers.push(await stage.request('POST', path, { token: stage.admin, body: trial }));
      statuses = answers.map(({ status }) => status);
      spooled = await callInOutage(await under(policy));
    });
    after(() => stage.stop());

    it('reaches the endpoints and the callers', () => {
      expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200, 200, 503]);
      const asked = JSON.stringify(stage.upstream.requests);
      const elsewhere = ['dropped output', 'thrown by a transport', 'thrown by a transport at a trial'];
      for (const [way, secret] of Object.entries(planted)) {
        if (!elsewhere.includes(way)) expect(asked, way).to.include(secret);
      }
    });

    it('is not in the files of the database', async () => {
      const text = await stored();
      if (engine === 'sqlite') expect(readdirSync(stage.scratch.dataDir)).to.include('test.db-wal');
      expect(findIn(text, formsOf(planted))).to.deep.equal([]);
      expect(findIn(text, formsOf({ kept })), 'the search finds what is there').not.to.deep.equal([]);
    });

    it('is not in the statements to the database', () => {
      expect(findIn(written.join('\n'), formsOf(planted))).to.deep.equal([]);
      expect(
        findIn(written.join('\n'), formsOf({ kept })),
        'the search finds what is there',
      ).not.to.deep.equal([]);
    });

    it('is not in the spool', () => {
      expect(spooled).to.include('[redacted]');
      expect(findIn(spooled, formsOf(planted))).to.deep.equal([]);
    });

    it('is not in the log, which has the failures', () => {
      const log = lines.join('\n');
      expect(log).to.include('A transport failed.').and.include('A guard failed');
      expect(findIn(log, formsOf(planted))).to.deep.equal([]);
    });
  });
});
