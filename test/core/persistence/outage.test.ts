import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../../core/persistence/migrations/migrate.ts';
import type { OpenDatabase } from '../../../core/persistence/kernel-database.ts';
import type { Problem } from '../../../core/index.ts';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import { quiet } from '../../support/quiet.ts';
import { failure, openAt, shop } from './support.ts';
import { TcpProxy } from './tcp-proxy.ts';

const item = (id: string) =>
  [{ table: 'shop_items', columns: { id: 'text', name: 'text' }, rows: [[id, `item ${id}`]] }] as const;

describe('persistence: PostgreSQL away', () => {
  let scratch: Scratch;
  let proxy: TcpProxy;
  let database: OpenDatabase;

  beforeEach(async () => {
    scratch = await makeScratch('postgres');
    const url = new URL(scratch.databaseUrl);
    proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    await proxy.open();
    url.host = `127.0.0.1:${proxy.port}`;
    database = await openAt(url.href.replaceAll('+', '%20'), {
      connect_timeout_ms: 10_000,
      statement_timeout_ms: 300,
    });
    await migrate(database, [shop], { logger: quiet });
  });
  afterEach(async () => {
    await proxy.cut();
    await database.close();
    await scratch.remove();
  });

  const ways: Record<string, () => PromiseLike<unknown>> = {
    'a query': () => database.knex('shop_items').select(),
    'a transaction': () => database.transaction((trx) => trx('shop_items').select()),
    'a prepared read': () => database.read('SELECT id FROM shop_items').all(),
    'a batch': () => database.write(item('x')),
    'a ping': () => database.ping(),
  };

  for (const [what, ask] of Object.entries(ways)) {
    it(`answers ${what} with 503 and Retry-After, and as ever once it is back`, async () => {
      await ask();
      await database.knex('shop_items').delete();
      await proxy.cut();
      const error = await failure(ask());
      expect(error).to.include({ status: 503, code: 'store_unavailable' });
      expect(error).to.have.nested.property('extras.headers.Retry-After', '2');
      await proxy.open();
      await ask();
    });
  }

  it('breaks a transaction under way with 503, and nothing of it stays', async () => {
    const work = database.transaction(async (trx) => {
      await trx('shop_items').insert({ id: 'a', name: 'lamp' });
      await proxy.cut();
      await trx('shop_items').insert({ id: 'b', name: 'chair' });
    });
    expect(await failure(work)).to.include({ status: 503 });
    await proxy.open();
    expect(await database.knex('shop_items').pluck('id')).to.deep.equal([]);
  });

  it('answers 503 when it falls silent, and does not reuse those connections', async () => {
    await database.ping();
    proxy.silence();
    expect(await failure(database.knex('shop_items').select())).to.include({ status: 503 });
    await proxy.cut();
    await proxy.open();
    expect(await database.knex('shop_items').pluck('id')).to.deep.equal([]);
  }).timeout(10_000);

  describe('that lets packets vanish', () => {
    let patient: OpenDatabase;
    const timeouts = { connect_timeout_ms: 400, statement_timeout_ms: 30_000 };
    const throughProxy = (): string => {
      const url = new URL(scratch.databaseUrl);
      url.host = `127.0.0.1:${proxy.port}`;
      return url.href.replaceAll('+', '%20');
    };
    beforeEach(async () => (patient = await openAt(throughProxy(), timeouts)));
    afterEach(() => patient.close());

    it('answers all that wait with 503 long before their statements time out, and as ever once it is back', async () => {
      const ask = (): Promise<unknown>[] => [
        Promise.resolve(patient.knex('shop_items').select()),
        patient.transaction((trx) => trx('shop_items').select()),
        patient.read('SELECT id FROM shop_items').all(),
        patient.write(item('x')),
        patient.ping(),
      ];
      await patient.ping();
      proxy.silence();
      const errors = await Promise.all(ask().map(failure));
      expect(errors.map((error) => (error as Problem).status)).to.deep.equal([503, 503, 503, 503, 503]);
      await proxy.cut();
      await proxy.open();
      await Promise.all(ask());
    }).timeout(5_000);

    it('lets a statement take its time when the server still accepts connections', async () => {
      const { rows } = await patient.knex.raw<{ rows: object[] }>('SELECT 1 AS slept FROM pg_sleep(1)');
      expect(rows).to.deep.equal([{ slept: 1 }]);
    });
  });

  it('answers 503 while the server refuses connections to the database', async () => {
    const admin = await openAt(scratch.databaseUrl, { statement_timeout_ms: 30_000 });
    const { knex } = admin;
    const name = `refused_${randomUUID().slice(0, 8)}`;
    const url = new URL(scratch.databaseUrl);
    url.pathname = `/${name}`;
    url.search = '';
    await knex.raw('CREATE DATABASE ??', [name]);
    const refused = await openAt(url.href);
    try {
      await knex.raw('ALTER DATABASE ?? WITH ALLOW_CONNECTIONS false', [name]);
      await knex.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ?', [name]);
      await failure(refused.ping());
      for (const ask of [refused.ping(), refused.knex.raw('SELECT 1')])
        expect(await failure(ask)).to.include({ status: 503, code: 'store_unavailable' });
    } finally {
      await refused.close();
      await knex.raw('DROP DATABASE ?? WITH (FORCE)', [name]);
      await admin.close();
    }
  }).timeout(30_000);

  it('loses no batch that it acknowledged', async () => {
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n++) {
        await database.write(item(`n${n}`)).then(
          () => acknowledged.push(`n${n}`),
          () => pause(5),
        );
      }
    })();
    const more = async (count: number): Promise<void> => {
      const goal = acknowledged.length + count;
      while (acknowledged.length < goal) await pause(1);
    };
    for (let round = 0; round < 5; round++) {
      await more(10);
      await proxy.cut();
      await proxy.open();
    }
    await more(10);
    stop.abort();
    await writing;
    expect(await database.knex('shop_items').pluck('id')).to.include.members(acknowledged);
  });

  it('stops the start with one sentence that has no password', async () => {
    await proxy.cut();
    const error = await failure(openAt(`postgres://ann:secret@127.0.0.1:${proxy.port}/shop`));
    expect(error.name).to.equal('StartupError');
    expect(error.message).to.match(
      /The database at 127\.0\.0\.1:\d+\/shop does not answer: .*ECONNREFUSED.*DATABASE_URL/,
    );
    expect(error.message).to.not.include('secret');
  });

  it('stops the start when the server has no such database, and says so', async () => {
    const elsewhere = new URL(scratch.databaseUrl);
    elsewhere.pathname = '/nowhere';
    const { message } = await failure(openAt(elsewhere.href));
    expect(message).to.match(/has no such database: database "nowhere" does not exist\. Create it/);
    expect(message).to.not.include('does not answer');
  });

  it('stops the start when the server does not know the user, and says so', async () => {
    const stranger = new URL(scratch.databaseUrl);
    stranger.username = 'stranger';
    const { message } = await failure(openAt(stranger.href));
    expect(message).to.match(/does not let this user in: .*Correct the user/);
    expect(message).to.not.include('does not answer');
  });

  it('stops the start when its schema does not exist', async () => {
    const error = await failure(
      openAt(scratch.databaseUrl.replace(/search_path%3D\w+/, 'search_path%3Dnowhere')),
    );
    expect(error.message).to.match(/none of the schemas/);
  });
});
