import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import {
  contribute,
  DATABASE,
  definePlugin,
  newId,
  type BatchInsert,
  type Engine,
} from '../../../../core/index.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../../core/testing.ts';
import {
  CALL_LOG,
  CALL_STATISTICS,
  RECORD_HOOKS,
  type FinishedCall,
} from '../../../../plugins/invocation/contract.ts';
import { RECORDER } from '../../../../plugins/invocation/recording/recorder.ts';
import { until } from '../../../support/until.ts';
import { startStage, type Playable, type Stage, type StageOptions } from '../support/stage.ts';

/** Two record hooks that write down the ids of calls, as another plugin would bring them. */
function noters(options: { noteOf?: (call: FinishedCall) => string | null } = {}) {
  const { noteOf = ({ id }) => id } = options;
  const rowsIn = (table: string) => (calls: readonly FinishedCall[]) => [
    { table, columns: { note: 'text' }, rows: calls.map((call) => [noteOf(call)]) } satisfies BatchInsert,
  ];
  const hook = (name: string) =>
    contribute(RECORD_HOOKS, {
      deps: {},
      create: () => ({ name, rowsFor: rowsIn(`noters_${name}`) }),
    });
  return definePlugin({
    id: 'noters',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Writes down the ids of calls',
    requires: ['invocation'],
    contributes: [hook('ones'), hook('twos')],
    migrations: [
      {
        name: '0001_notes',
        up: async (trx) => {
          for (const table of ['noters_ones', 'noters_twos'])
            await trx.schema.createTable(table, (notes) => void notes.text('note').notNullable());
        },
      },
    ],
  });
}

describe('A database that answers and does not take records', () => {
  let stage: Stage;
  let of: Playable;
  let dataDir: string;
  let lines: { msg: string; call_ids?: string[]; hooks?: string[] }[];
  const undo: (() => Promise<void>)[] = [];

  async function start(engine: Engine, options: StageOptions = {}): Promise<void> {
    const scratch = options.scratch ?? (await makeScratch(engine));
    undo.push(() => scratch.remove());
    dataDir = scratch.dataDir;
    lines = [];
    const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
    stage = await startStage(engine, undefined, { log, ...options, scratch });
    undo.push(() => stage.stop());
    of = await stage.play();
    expect((await stage.call(of)).status).to.equal(200);
  }
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  });

  const run = (sql: string): Promise<unknown> => stage.get(DATABASE).knex.raw(sql);
  const counted = async (): Promise<number> =>
    (await stage.get(CALL_STATISTICS).totals({ userId: await aliceId() })).total_calls;
  const aliceId = async (): Promise<string> =>
    (await stage.request('GET', '/users/me', { token: stage.alice })).body.id;

  /** Expects that calls are refused, mostly unasked, until the database is mended, and that none is lost then. */
  async function expectRefusedUntil(mend: () => Promise<unknown>): Promise<void> {
    const asked = await stage.call(of, { input_data: { kept: true } });
    expect([asked.status, asked.body.code]).to.deep.equal([503, 'store_unavailable']);
    expect(stage.upstream.requests).to.have.length(2);
    await pause(1_200);
    expect(stage.get(RECORDER).state).to.include({ isAway: true, spooled: 1 });
    expect(stage.get(RECORDER).state.reason).to.include('lacks a table, a column or a right');
    const further = await stage.call(of);
    expect([further.status, further.body.code]).to.deep.equal([503, 'store_unavailable']);
    expect(stage.upstream.requests, 'asked in vain').to.have.length(2);
    const logged = lines.flatMap(({ call_ids = [] }) => call_ids);
    expect(logged).to.include(String(stage.upstream.requests[1]!.headers['x-call-id']));

    await mend();
    await until(() => !stage.get(RECORDER).state.isAway);
    expect((await stage.call(of)).status).to.equal(200);
    await until(() => stage.get(RECORDER).state.spooled === 0);
    const records = await stage.get(CALL_LOG).list({}, { skip: 0, limit: 10 });
    expect(records.filter(({ input_data }) => input_data?.['kept'])).to.have.length(1);
    expect(records).to.have.length(3);
    expect(await counted()).to.equal(3);
  }

  onEveryEngine((engine) => {
    for (const [what, breaks, mends] of [
      [
        'the table of records',
        'ALTER TABLE invocation_calls RENAME TO elsewhere',
        'ALTER TABLE elsewhere RENAME TO invocation_calls',
      ],
      [
        'a column of records',
        'ALTER TABLE invocation_calls RENAME COLUMN channel TO gate',
        'ALTER TABLE invocation_calls RENAME COLUMN gate TO channel',
      ],
      [
        'the table of a record hook',
        'ALTER TABLE invocation_user_totals RENAME TO elsewhere',
        'ALTER TABLE elsewhere RENAME TO invocation_user_totals',
      ],
    ] as const) {
      it(`for want of ${what}: calls get 503, and what was asked is stored when it is back`, async () => {
        await start(engine);
        await run(breaks);
        await expectRefusedUntil(() => run(mends));
      }).timeout(30_000);
    }

    it('for want of the table of calls that begin: further ones are refused until it is back', async () => {
      await start(engine, { settings: { invocation: { journal: 'intent' } } });
      await run('ALTER TABLE invocation_open_calls RENAME TO elsewhere');
      expect((await stage.call(of)).status).to.equal(503);
      await pause(1_700);
      expect((await stage.call(of)).status).to.equal(503);
      expect(stage.upstream.requests).to.have.length(1);
      await run('ALTER TABLE elsewhere RENAME TO invocation_open_calls');
      await until(() => !stage.get(RECORDER).state.isAway);
      expect((await stage.call(of)).status).to.equal(200);
    }).timeout(30_000);

    it('keeps a record whose content it refuses in the spool, logs it, and stores the others', async () => {
      let bad = '';
      const noteOf = ({ id, version_id }: FinishedCall): string | null => (version_id === bad ? null : id);
      await start(engine, { plugins: [noters({ noteOf })] });
      const other = await stage.play({ algorithm: { name: 'Bad' } });
      bad = other.version_id;
      const good = Array.from({ length: 5 }, () => stage.call(of));
      const [wrong, ...right] = await Promise.all([stage.call(other), ...good]);
      expect([wrong.status, wrong.body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(wrong.body.detail).to.equal(
        'The endpoint was asked, but the database refuses the record of this call. Tell the operator the request id.',
      );
      expect(right.map(({ status }) => status)).to.deep.equal(right.map(() => 200));
      expect(stage.get(RECORDER).state.isAway).to.equal(false);
      const id = lines.find(({ msg }) => msg.includes('refuses the record'))?.call_ids?.[0];
      expect(stage.upstream.requests.map(({ headers }) => headers['x-call-id'])).to.include(id);
      const spool = join(dataDir, 'spool', 'calls');
      await until(() => readdirSync(spool).includes(`${id}.json.refused`));
      const [row] = JSON.parse(readFileSync(join(spool, `${id}.json.refused`), 'utf8'));
      expect(row).to.include({ id, version_id: bad });
      expect(await counted()).to.equal(6);
    });
  });

  describe('(postgres only)', () => {
    /** A schema owned by a role of its own, because revoking rights from a superuser has no effect. */
    async function ownedScratch(): Promise<Scratch> {
      const scratch = await makeScratch('postgres');
      const role = `vitrine_test_${newId().replaceAll('-', '')}`;
      const admin = new pg.Client({ connectionString: scratch.databaseUrl });
      await admin.connect();
      await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
      await admin.query(
        `DO $$ BEGIN EXECUTE format('GRANT ALL ON SCHEMA %I TO ${role}', current_schema()); END $$`,
      );
      const url = new URL(scratch.databaseUrl);
      url.username = role;
      url.password = 'secret';
      return {
        ...scratch,
        databaseUrl: url.href.replaceAll('+', '%20'),
        remove: async () => {
          await admin.query(`DROP OWNED BY ${role} CASCADE`);
          await admin.query(`DROP ROLE ${role}`);
          await admin.end();
          await scratch.remove();
        },
      };
    }

    it('for want of a right: calls get 503, and what was asked is stored when it is back', async () => {
      await start('postgres', { scratch: await ownedScratch() });
      await run('REVOKE INSERT ON invocation_calls FROM CURRENT_USER');
      await expectRefusedUntil(() => run('GRANT INSERT ON invocation_calls TO CURRENT_USER'));
    }).timeout(30_000);

    it('because its sessions only read: calls get 503, and go on without a restart when new sessions write', async () => {
      const scratch = await ownedScratch();
      await start('postgres', { scratch });
      const client = new pg.Client({ connectionString: scratch.databaseUrl });
      await client.connect();
      await client.query('ALTER ROLE CURRENT_USER SET default_transaction_read_only = on');
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()',
      );
      await until(async () => (await stage.call(of)).status === 503);
      await pause(1_000);
      expect((await stage.call(of)).status).to.equal(503);
      await client.query('ALTER ROLE CURRENT_USER RESET default_transaction_read_only');
      await client.end();
      await until(async () => (await stage.call(of)).status === 200);
      await until(() => stage.get(RECORDER).state.spooled === 0);
    }).timeout(30_000);

    it('for want of a partition: calls get 503, and what was asked is stored when it is back', async () => {
      await start('postgres');
      const { rows } = (await run(
        `SELECT invocation_calls.tableoid::regclass::text AS name, pg_get_expr(relpartbound, part.oid) AS bounds
         FROM invocation_calls JOIN pg_class part ON part.oid = invocation_calls.tableoid`,
      )) as { rows: { name: string; bounds: string }[] };
      const { name, bounds } = rows[0]!;
      await run(`ALTER TABLE invocation_calls DETACH PARTITION ${name}`);
      await expectRefusedUntil(() => run(`ALTER TABLE invocation_calls ATTACH PARTITION ${name} ${bounds}`));
    }).timeout(30_000);
  });
});
