import {
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { makeBackup } from '../../cli/transfer/backup-command.ts';
import { restoreBackup } from '../../cli/transfer/restore-command.ts';
import type { Engine } from '../../core/index.ts';
import { migrateUp } from '../../cli/migrate-commands.ts';
import { engines, onEveryEngine } from '../../core/testing.ts';
import { failure } from '../core/persistence/support.ts';
import { closedMuseum, fill, house, houseIn, museum, museumOfLater, reopen, type House } from './support.ts';

const PASSPHRASE = 'a passphrase of some length';
const SECRET = 'a-signing-secret-of-some-32-bytes-or-more';

describe('the commands backup and restore', () => {
  const houses: House[] = [];
  const made = async (
    engine: Engine,
    ...more: Parameters<typeof house> extends [Engine, ...infer Rest] ? Rest : never
  ) => {
    const here = await house(engine, ...more);
    houses.push(here);
    return here;
  };
  afterEach(async () => {
    for (const here of houses.splice(0)) await here.remove();
  });

  const dataDir = ({ scratch }: House): string => join(scratch.dataDir, 'data');
  const archiveIn = ({ scratch }: House, name = 'backup'): string => join(scratch.dataDir, name);
  const passphraseFile = ({ scratch }: House, text = PASSPHRASE): string => {
    const file = join(scratch.dataDir, `passphrase of ${text.length} characters`);
    writeFileSync(file, `${text}\n`);
    return file;
  };
  const backup = (here: House, file: string, more: object = {}) =>
    makeBackup(here.plan, file, {
      withSecrets: true,
      passphraseFile: passphraseFile(here),
      json: true,
      ...more,
    });
  const restore = (here: House, file: string, more: object = {}) =>
    restoreBackup(here.plan, file, {
      withSecrets: true,
      passphraseFile: passphraseFile(here),
      checkOnly: false,
      json: true,
      ...more,
    });
  const sums = (data: unknown): unknown => (data as { tables: unknown }).tables;
  const keepSecret = (here: House, file: string, fill = 7): string => {
    mkdirSync(dataDir(here), { recursive: true });
    const secret = Buffer.alloc(48, fill).toString('base64url');
    writeFileSync(join(dataDir(here), file), secret);
    return secret;
  };
  const edited = (file: string, change: (lines: string[]) => string[]): void => {
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    writeFileSync(file, gzipSync(change(lines).join('\n')));
  };

  for (const to of engines) {
    onEveryEngine((from) => {
      it(`brings every kind of value to ${to}, and what is backed up there is the same`, async () => {
        const [old, young] = [await made(from), await made(to)];
        await fill(old, 1_203);
        const first = await backup(old, archiveIn(old));
        await restore(young, archiveIn(old));
        const second = await backup(young, archiveIn(young));
        const names = (sums(first.data) as { name: string }[]).map(({ name }) => name);
        expect(names).to.have.members(['core_jobs', 'museum_rooms', 'museum_things', 'museum_visits']);
        if (from === to) expect(sums(second.data)).to.deep.equal(sums(first.data));
        const database = await young.open();
        const rows = (await database.knex('museum_things').orderBy('number')) as Record<string, unknown>[];
        expect(rows).to.have.length(1_203);
        expect(
          rows[2]!['weight'] === 9007199254740993n || Number(rows[2]!['weight']) === 9007199254740992,
        ).to.equal(true);
        expect(rows[0]).to.include({ number: 1, room: 'a', shown: 1, height: -1e300 });
        expect(rows[1]!['height']).to.equal(5e-324);
        expect([...(rows[2]!['picture'] as Buffer)]).to.deep.equal([0, 1, 255, 2]);
        const kept = (await database.knex('museum_rooms').where({ id: '_' }).first()) as object;
        expect(kept).to.include({ inside: 'ä' });
        await database.knex('museum_things').insert({ room: 'a', shown: false });
        const { highest } = (await database.knex('museum_things').max('number as highest').first()) as {
          highest: number;
        };
        expect(highest, 'numbers go on behind the restored ones').to.equal(1_204);
        const orphan = await failure(database.knex('museum_things').insert({ room: 'none', shown: false }));
        expect(orphan.name, 'foreign keys hold again').to.equal('ConstraintViolation');
        await database.close();
      });
    });
  }

  onEveryEngine((engine) => {
    it('is one moment, whatever is written meanwhile', async () => {
      const [old, young] = [await made(engine), await made('sqlite')];
      await fill(old, 3_000);
      const database = await old.open();
      let isOver = false;
      let written = 0;
      const writing = (async () => {
        while (!isOver) {
          await database.transaction(async (trx) => {
            await trx('museum_visits').insert({ of: 'pair', minutes: 1 });
            await trx('museum_things').insert({ room: 'a', shown: false });
          });
          written += 1;
          // The driver of SQLite answers at once, so that nothing else would ever run.
          await nextTurn();
        }
      })();
      const { data } = await backup(old, archiveIn(old));
      isOver = true;
      await writing;
      await database.close();
      const rows = new Map(
        (sums(data) as { name: string; rows: number }[]).map((one) => [one.name, one.rows]),
      );
      expect(written).to.be.greaterThan(1);
      expect(rows.get('museum_things')! - 3_000).to.equal(rows.get('museum_visits')! - 3);
      await restore(young, archiveIn(old));
    });

    it('is restored into an empty database only', async () => {
      const old = await made(engine);
      await fill(old, 10);
      await backup(old, archiveIn(old));
      const error = await failure(restore(old, archiveIn(old)));
      expect(error.message).to.match(
        /is not empty\. Nothing was changed\. To keep what it has, (move its file|name an empty)/,
      );
      const database = await old.open();
      expect(await database.knex('museum_things').select()).to.have.length(10);
      await database.close();
    });

    it('of an older release is restored with its tables, which are then upgraded', async () => {
      const [old, young] = [await made('sqlite'), await made(engine, museumOfLater)];
      await fill(old, 5);
      await backup(old, archiveIn(old));
      const { data } = await restore(young, archiveIn(old));
      expect((data as { upgraded: string[] }).upgraded).to.deep.equal(['museum: applied 0002_colours']);
      const database = await young.open();
      expect(await database.knex('museum_things').distinct('colour')).to.deep.equal([{ colour: 'grey' }]);
      await database.close();
    });

    it('that was not restored to its end keeps a service away, and is restored by the same command', async () => {
      const [old, young] = [await made('sqlite'), await made(engine)];
      await fill(old, 700);
      await backup(old, archiveIn(old));
      await backup(old, archiveIn(old, 'other'));
      const broken = await houseIn(young.scratch, closedMuseum);
      expect((await failure(restore(broken, archiveIn(old)))).message).to.match(
        /rows of museum_things up to number 700 cannot be stored.*closed.*run the same command again/,
      );
      expect((await failure(migrateUp(young.plan))).message).to.match(
        /holds only a part.*restore.*run the same command again/,
      );
      expect((await failure(restore(young, archiveIn(old, 'other')))).message).to.match(/another transfer/);
      await reopen(young);
      await restore(young, archiveIn(old));
      expect((await migrateUp(young.plan)).message).to.equal('Every table is up to date.');
    });

    it('of a newer release is refused', async () => {
      const [old, young] = [await made('sqlite', museumOfLater), await made(engine)];
      await migrateUp(old.plan);
      await backup(old, archiveIn(old));
      const error = await failure(restore(young, archiveIn(old)));
      expect(error.message).to.match(/"museum" has the steps 0002_colours, which this release does not know/);
      const database = await young.open();
      expect(await database.knex.schema.hasTable('core_migrations')).to.equal(false);
      await database.close();
    });
  });

  describe('a file', () => {
    let here: House;
    beforeEach(async () => {
      here = await made('sqlite');
      await fill(here, 1_000);
    });

    const refused = async (file: string): Promise<string> => {
      const young = await made('sqlite');
      const { message } = await failure(restore(young, file));
      expect(existsSync(join(young.scratch.dataDir, 'test.db')), 'nothing is made').to.equal(false);
      return message;
    };

    it('that exists is left alone', async () => {
      writeFileSync(archiveIn(here), 'precious');
      expect((await failure(backup(here, archiveIn(here)))).message).to.match(/exists already/);
      expect(readFileSync(archiveIn(here), 'utf8')).to.equal('precious');
    });

    it('needs a folder that is there', async () => {
      const folder = join(here.scratch.dataDir, 'not-mounted');
      const { message } = await failure(backup(here, join(folder, 'all.vbak')));
      expect(message).to.match(/There is no folder \S+not-mounted for .* Mount its disk/);
      expect(existsSync(folder)).to.equal(false);
    });

    it('is for its owner alone, and nothing is left beside it', async () => {
      await backup(here, archiveIn(here));
      expect(statSync(archiveIn(here)).mode & 0o777).to.equal(0o600);
      expect(existsSync(`${archiveIn(here)}.partial`)).to.equal(false);
    });

    it('that fails at once leaves nothing behind, so that the next one need not wait', async () => {
      const empty = await made('sqlite');
      const { message } = await failure(backup(empty, archiveIn(empty)));
      expect(message).to.match(/There is no SQLite file/);
      // By then a stream has made its file, though it was destroyed first.
      for (let look = 0; look < 10; look += 1) await stat(empty.scratch.dataDir);
      expect(existsSync(`${archiveIn(empty)}.partial`)).to.equal(false);
      expect((await failure(backup(empty, archiveIn(empty)))).message).to.equal(message);
    });

    it('that cannot be made names the reason', async () => {
      symlinkSync('/nowhere/backup', `${archiveIn(here)}.partial`);
      const { message } = await failure(backup(here, archiveIn(here)));
      expect(message).to.match(/cannot be written: ENOENT.*No backup was made/);
    });

    it('on a full disk is removed, and the message says so', async () => {
      symlinkSync('/dev/full', `${archiveIn(here)}.partial`);
      const { message } = await failure(backup(here, archiveIn(here)));
      expect(message).to.match(/There is no room for .*ENOSPC.*No backup was made/);
      expect(existsSync(archiveIn(here))).to.equal(false);
    });

    it('that another backup is writing is left to it', async () => {
      writeFileSync(`${archiveIn(here)}.partial`, '');
      expect((await failure(backup(here, archiveIn(here)))).message).to.match(
        /another backup to the same file is running, or one was interrupted within the last minute/,
      );
      utimesSync(`${archiveIn(here)}.partial`, 0, 0);
      await backup(here, archiveIn(here));
    });

    it('is recognised when it is cut off, at any place', async () => {
      await backup(here, archiveIn(here));
      const whole = readFileSync(archiveIn(here));
      for (const share of [0.3, 0.9, 0.999]) {
        writeFileSync(archiveIn(here), whole.subarray(0, Math.floor(whole.length * share)));
        expect(await refused(archiveIn(here))).to.match(/is not complete|is no backup/);
      }
    });

    it('is recognised when whole lines are missing, or one was changed', async () => {
      await backup(here, archiveIn(here));
      const whole = readFileSync(archiveIn(here));
      edited(archiveIn(here), (lines) => lines.slice(0, -2));
      expect(await refused(archiveIn(here))).to.match(/is not complete/);
      writeFileSync(archiveIn(here), whole);
      edited(archiveIn(here), (lines) => lines.map((line) => line.replace('"Room a"', '"Room A"')));
      expect(await refused(archiveIn(here))).to.match(/is damaged: the rows of museum_rooms are not/);
      writeFileSync(
        archiveIn(here),
        whole.map((byte, index) => (index === whole.length - 400 ? byte ^ 1 : byte)),
      );
      expect(await refused(archiveIn(here))).to.match(/is damaged/);
    });

    it('of a newer format names the release to install', async () => {
      await backup(here, archiveIn(here));
      edited(archiveIn(here), ([first = '', ...rest]) => [
        first.replace('"vitrine_backup":1', '"vitrine_backup":2'),
        ...rest,
      ]);
      expect(await refused(archiveIn(here))).to.match(/made by Vitrine .*in format 2.*reads up to format 1/);
    });

    it('of another kind, or that is missing, is refused in words', async () => {
      writeFileSync(archiveIn(here), 'no backup at all');
      expect(await refused(archiveIn(here))).to.match(/is no backup/);
      writeFileSync(archiveIn(here), gzipSync('{"other": true}\n'));
      expect(await refused(archiveIn(here))).to.match(/is no backup/);
      expect(await refused(archiveIn(here, 'nowhere'))).to.match(/cannot be read: ENOENT/);
      mkdirSync(archiveIn(here, 'folder'));
      expect(await refused(archiveIn(here, 'folder'))).to.match(/cannot be read: EISDIR/);
    });

    it('is checked without a database', async () => {
      await backup(here, archiveIn(here));
      const young = await made('sqlite');
      const { message } = await restore(young, archiveIn(here), {
        checkOnly: true,
        passphraseFile: undefined,
      });
      expect(message).to.match(/is complete: 1,008 rows of 4 tables/);
      expect(existsSync(join(young.scratch.dataDir, 'test.db'))).to.equal(false);
    });

    it('has files that wait for the database, which are put back', async () => {
      mkdirSync(join(dataDir(here), 'waiting'), { recursive: true });
      const content = Buffer.alloc(2_500_000, 'records ');
      writeFileSync(join(dataDir(here), 'waiting', 'one.json'), content);
      writeFileSync(join(dataDir(here), 'waiting', 'two.json.tmp'), 'half');
      const { data } = await backup(here, archiveIn(here));
      expect((data as { files: string[] }).files).to.deep.equal(['waiting/one.json']);
      const young = await made('sqlite');
      await restore(young, archiveIn(here));
      expect(readFileSync(join(dataDir(young), 'waiting', 'one.json')).equals(content)).to.equal(true);
    });

    it('with a path outside of the data directory is refused', async () => {
      mkdirSync(join(dataDir(here), 'waiting'), { recursive: true });
      writeFileSync(join(dataDir(here), 'waiting', 'one.json'), 'records');
      await backup(here, archiveIn(here));
      edited(archiveIn(here), (lines) =>
        lines.map((line) => line.replace('file:waiting/one', 'file:../../one')),
      );
      expect(await refused(archiveIn(here))).to.match(/outside of the data directory/);
    });
  });

  describe('the secrets', () => {
    let here: House;
    let vaultKey: string;
    beforeEach(async () => {
      here = await made('sqlite');
      await fill(here, 1);
      vaultKey = keepSecret(here, 'secret-key');
    });

    it('are sealed in the file, and put back for their owner alone', async () => {
      await backup(here, archiveIn(here));
      expect(gunzipSync(readFileSync(archiveIn(here))).toString()).not.to.include(vaultKey);
      const young = await made('sqlite');
      await restore(young, archiveIn(here));
      const file = join(dataDir(young), 'secret-key');
      expect(readFileSync(file, 'utf8').trim()).to.equal(vaultKey);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    });

    it('are not opened by another passphrase, and nothing is restored', async () => {
      await backup(here, archiveIn(here));
      const young = await made('sqlite');
      const error = await failure(
        restore(young, archiveIn(here), { passphraseFile: passphraseFile(young, 'another one') }),
      );
      expect(error.message).to.match(/passphrase does not open.*Nothing was changed/);
      expect(existsSync(join(young.scratch.dataDir, 'test.db'))).to.equal(false);
    });

    it('need a passphrase that is not short', async () => {
      const error = await failure(
        backup(here, archiveIn(here), { passphraseFile: passphraseFile(here, 'short') }),
      );
      expect(error.message).to.match(/5 characters.*at least 12/);
      expect(existsSync(archiveIn(here))).to.equal(false);
    });

    it('that are others here stop the restore', async () => {
      await backup(here, archiveIn(here));
      const young = await made('sqlite');
      keepSecret(young, 'secret-key', 8);
      const error = await failure(restore(young, archiveIn(here)));
      expect(error.message).to.match(
        /SECRET_KEY is another one here.*Move the file "secret-key".*--without-secrets/,
      );
      await restore(young, archiveIn(here), { withSecrets: false });
    });

    it('of the settings are not in the file, and a restore without them says so', async () => {
      const configured = await made('sqlite', museum, { jwt: { secret: SECRET } });
      await fill(configured, 1);
      const { message } = await backup(configured, archiveIn(configured));
      expect(message).to.match(/has no JWT_SECRET, which is in the settings/);
      const young = await made('sqlite');
      expect((await restore(young, archiveIn(configured))).message).to.match(
        /does not hold JWT_SECRET\. Set it/,
      );
    });
  });
});
