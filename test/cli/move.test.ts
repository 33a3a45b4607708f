import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBackup } from '../../cli/transfer/backup-command.ts';
import { moveDatabase } from '../../cli/transfer/move-command.ts';
import { migrateUp } from '../../cli/migrate-commands.ts';
import { unusedDatabase } from '../../cli/start/unused-database.ts';
import type { Engine } from '../../core/index.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { locate } from '../../core/persistence/location.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import { engines, onEveryEngine } from '../../core/testing.ts';
import { failure } from '../core/persistence/support.ts';
import { copyOf, makeTemplate } from '../support/databases/template-databases.ts';
import { closedMuseum, fill, house, houseIn, museum, museumOfLater, reopen, type House } from './support.ts';

interface MoveData {
  readonly resumed: boolean;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
}

describe('the command move', () => {
  const houses: House[] = [];
  const made = async (engine: Engine, plugin = museum): Promise<House> => {
    const here = await house(engine, plugin);
    houses.push(here);
    return here;
  };
  afterEach(async () => {
    for (const here of houses.splice(0)) await here.remove();
  });

  // Other suites have connections to the same PostgreSQL.
  const move = async (plan: Plan, from: House, to: House, ignoresConnections = true): Promise<MoveData> => {
    const urls = { from: from.scratch.databaseUrl, to: to.scratch.databaseUrl };
    return (await moveDatabase(plan, { ...urls, ignoresConnections, json: true })).data as MoveData;
  };
  const file = ({ scratch }: House): string => scratch.databaseUrl.slice('sqlite:'.length);

  for (const to of engines) {
    onEveryEngine((from) => {
      it(`brings everything to ${to} and back, with the same counts and hashes`, async () => {
        const [old, young, again] = [await made(from), await made(to), await made(from)];
        await fill(old, 1_100);
        const there = await move(old.plan, old, young);
        const back = await move(old.plan, young, again);
        expect(there.tables.find(({ name }) => name === 'museum_things')!.rows).to.equal(1_100);
        if (from === to) expect(back.tables).to.deep.equal(there.tables);
        const third = await made(from);
        expect((await move(old.plan, again, third)).tables, 'what came back is what was there').to.deep.equal(
          (await move(old.plan, old, await made(from))).tables,
        );
      });

      it(`goes on in the middle of a table on ${to}, and with what changed meanwhile`, async () => {
        const [old, young] = [await made(from), await made(to)];
        await fill(old, 1_100);
        const closed = await houseIn(young.scratch, closedMuseum);
        expect((await failure(move(closed.plan, old, young))).message).to.match(
          /museum_things up to number 10[02]0/,
        );
        const half = await young.open();
        expect((await half.knex('museum_things').select()).length).to.be.within(500, 520);
        await half.close();
        expect((await failure(migrateUp(young.plan))).message).to.match(/holds only a part.*`vitrine move`/);
        expect((await failure(move(old.plan, young, await made('sqlite')))).message).to.match(
          /Run that command again/,
        );
        await reopen(young);
        // A row that is copied already, and one of a table that is.
        const database = await old.open();
        await database.knex('museum_things').where({ number: 3 }).update({ height: 99 });
        await database.knex('museum_rooms').insert({ id: 'new', name: 'Room new' });
        await database.close();
        const { resumed } = await move(old.plan, old, young);
        expect(resumed).to.equal(true);
        const whole = await young.open();
        expect(await whole.knex('museum_things').where({ number: 3 }).first('height')).to.deep.equal({
          height: 99,
        });
        expect(await whole.knex('museum_things').count({ rows: '*' })).to.deep.equal([{ rows: 1_100 }]);
        expect(await whole.knex('museum_rooms').where({ id: 'new' })).to.have.length(1);
        await whole.close();
        expect((await migrateUp(young.plan)).message).to.equal('Every table is up to date.');
      });
    });
  }

  onEveryEngine((engine) => {
    it('needs an empty database, and leaves another as it is', async () => {
      const [old, young] = [await made('sqlite'), await made(engine)];
      await fill(old, 1);
      await fill(young, 2);
      expect((await failure(move(old.plan, old, young))).message).to.match(
        /is not empty\. Nothing was changed/,
      );
      const database = await young.open();
      expect(await database.knex('museum_things').select()).to.have.length(2);
      await database.close();
    });

    it('does not mix two sources', async () => {
      const [old, other, young] = [await made('sqlite'), await made('sqlite'), await made(engine)];
      await fill(old, 700);
      await fill(other, 1);
      const closed = await houseIn(young.scratch, closedMuseum);
      await failure(move(closed.plan, old, young));
      expect((await failure(move(old.plan, other, young))).message).to.match(/another transfer.*from SQLite/);
    });

    it('refuses a source that is the target, has nothing, or was made by a newer release', async () => {
      const [old, young] = [await made(engine, museumOfLater), await made('sqlite')];
      expect((await failure(move(old.plan, old, old))).message).to.include('cannot be moved to itself');
      // A file that nobody made is no source either.
      expect((await failure(move(old.plan, old, young))).message).to.match(
        /no tables of Vitrine|no SQLite file/,
      );
      await migrateUp(old.plan);
      expect((await failure(move(young.plan, old, young))).message).to.match(
        /0002_colours, which this release does not know/,
      );
      expect(existsSync(file(young))).to.equal(false);
    });
  });

  it('names what is wrong with a URL', async () => {
    const { plan } = await made('sqlite');
    const { message } = await failure(
      moveDatabase(plan, { from: undefined, to: 'mysql://x', ignoresConnections: false, json: true }),
    );
    expect(message).to.match(/URL of --to begins with "mysql:\/\/"; it must begin with sqlite:/);
  });

  it('is refused while a service runs on the SQLite file, and keeps a service away', async () => {
    const [old, young] = [await made('sqlite'), await made('sqlite')];
    await fill(old, 1);
    const release = claimForService(file(old));
    expect((await failure(move(old.plan, old, young))).message).to.match(
      /A service runs on .*Stop every instance first/,
    );
    release();
    await move(old.plan, old, young);
  });

  it('is refused while services are connected to the PostgreSQL, unless they are of another installation', async () => {
    const scratch = await copyOf(await makeTemplate(async () => undefined));
    const old = await houseIn(scratch);
    houses.push(old);
    await fill(old, 1);
    const service = await old.open();
    expect((await failure(move(old.plan, old, await made('sqlite'), false))).message).to.match(
      /have \d+ connections to .*--ignore-connections/,
    );
    await service.close();
    await move(old.plan, old, await made('sqlite'), false);
  });

  it('leaves files of records where they are, and a half-moved database is not backed up', async () => {
    const [old, young] = [await made('sqlite'), await made('sqlite')];
    await fill(old, 700);
    mkdirSync(join(old.scratch.dataDir, 'data', 'waiting'), { recursive: true });
    writeFileSync(join(old.scratch.dataDir, 'data', 'waiting', 'one.json'), '[]');
    const closed = await houseIn(young.scratch, closedMuseum);
    await failure(move(closed.plan, old, young));
    const options = { withSecrets: false, passphraseFile: undefined, json: true };
    expect(
      (await failure(makeBackup(young.plan, join(young.scratch.dataDir, 'b'), options))).message,
    ).to.match(/holds only a part/);
    await reopen(young);
    const { from, to } = { from: old.scratch.databaseUrl, to: young.scratch.databaseUrl };
    const answer = await moveDatabase(old.plan, { from, to, ignoresConnections: false, json: true });
    expect(answer.message).to.match(/1 files of records wait/);
    expect(statSync(file(young)).mode & 0o777).to.equal(0o600);
  });

  describe('an unused vitrine.db', () => {
    it('beside another database is noticed with the way out', async () => {
      const { scratch } = await made('sqlite');
      const unused = join(scratch.dataDir, 'vitrine.db');
      const elsewhere = locate('postgres://user:secret@db.example/vitrine', scratch.dataDir);
      expect(unusedDatabase(elsewhere, scratch.dataDir)).to.equal(undefined);
      writeFileSync(unused, 'SQLite format 3');
      const note = unusedDatabase(elsewhere, scratch.dataDir)!;
      expect(note).to.include(`vitrine move --from sqlite:${unused} --to "$DATABASE_URL"`);
      expect(note).to.include('PostgreSQL db.example:5432/vitrine').and.not.include('secret');
    });

    it('that is in use is not noticed', async () => {
      const { scratch } = await made('sqlite');
      const used = join(scratch.dataDir, 'vitrine.db');
      writeFileSync(used, 'SQLite format 3');
      expect(unusedDatabase(locate('', scratch.dataDir), scratch.dataDir)).to.equal(undefined);
      expect(unusedDatabase(locate(`sqlite:${used}`, scratch.dataDir), scratch.dataDir)).to.equal(undefined);
    });
  });
});
