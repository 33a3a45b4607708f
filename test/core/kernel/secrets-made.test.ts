import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { boot } from '../../../core/kernel/boot.ts';
import { makePlan } from '../../../core/kernel/plan.ts';
import { TRANSFERS_SQL } from '../../../core/persistence/migrations/unfinished-transfer.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { failure } from '../persistence/support.ts';
import { quiet } from '../../support/quiet.ts';

const SECRETS = ['jwt-secret', 'secret-key'];

/** Leaves a database as a restore that was interrupted does. */
async function beginTransfer({ databaseUrl }: Scratch): Promise<void> {
  if (databaseUrl.startsWith('sqlite:')) {
    new Sqlite(databaseUrl.slice('sqlite:'.length)).exec(TRANSFERS_SQL).close();
    return;
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(TRANSFERS_SQL);
  await client.end();
}

describe('kernel: the secrets that a start makes', () => {
  let scratch: Scratch;
  afterEach(() => scratch.remove());

  const start = async (url: string) => {
    const overrides = { database: { url }, data: { dir: scratch.dataDir } };
    const plan = await makePlan({ env: {}, cwd: scratch.dataDir, definitions: [], overrides });
    return boot(plan, { listen: false, logger: quiet });
  };
  const secrets = (): string[] => readdirSync(scratch.dataDir).filter((name) => SECRETS.includes(name));

  onEveryEngine((engine) => {
    it('are there after the first start', async () => {
      scratch = await makeScratch(engine);
      await (await start(scratch.databaseUrl)).stop();
      expect(secrets()).to.deep.equal(SECRETS);
    });

    it('are not made beside a database that is restored in part, whose secrets are still to come', async () => {
      scratch = await makeScratch(engine);
      await beginTransfer(scratch);
      const error = await failure(start(scratch.databaseUrl));
      expect(error.message).to.include('holds only a part of the data');
      expect(secrets()).to.deep.equal([]);
    });
  });

  it('are not made while PostgreSQL does not answer', async () => {
    scratch = await makeScratch('sqlite');
    const error = await failure(start('postgres://ann@127.0.0.1:1/shop'));
    expect(error.message).to.include('does not answer');
    expect(secrets()).to.deep.equal([]);
  });
});
