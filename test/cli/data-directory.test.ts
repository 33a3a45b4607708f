import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { examine } from '../../cli/doctor/examine.ts';
import { migrateUp, migrationState } from '../../cli/migrate-commands.ts';
import { makeBackup } from '../../cli/transfer/backup-command.ts';
import { restoreBackup } from '../../cli/transfer/restore-command.ts';
import { makePlan, type Plan } from '../../core/kernel/plan.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import { makeScratch, onEveryEngine, systemClock, type Scratch } from '../../core/testing.ts';
import { fill, house, museum } from './support.ts';

describe('the data directory', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let dataDir: string;
    beforeEach(async () => {
      scratch = await makeScratch(engine);
      dataDir = join(scratch.dataDir, 'young', 'data');
    });
    afterEach(() => scratch.remove());

    /** On SQLite the database is the default file in it. */
    const plan = (url = engine === 'sqlite' ? '' : scratch.databaseUrl): Promise<Plan> =>
      makePlan({
        env: {},
        cwd: scratch.dataDir,
        definitions: [museum],
        overrides: { data: { dir: dataDir }, database: { url }, log: { level: 'silent' } },
      });

    it('is not made by commands that change nothing', async () => {
      const archive = join(scratch.dataDir, 'backup');
      const old = await house(engine);
      await fill(old, 10);
      const options = { withSecrets: false, passphraseFile: undefined, json: true };
      await makeBackup(old.plan, archive, options);
      await old.remove();
      await examine(() => plan(), systemClock);
      const { data } = await migrationState(await plan());
      expect(data).to.deep.equal([
        { plugin: 'core', applied: [], pending: corePending(data), unknown: [] },
        { plugin: 'museum', applied: [], pending: ['0001_tables'], unknown: [] },
      ]);
      await restoreBackup(await plan(), archive, { ...options, checkOnly: true });
      expect(existsSync(dataDir)).to.equal(false);
      await restoreBackup(await plan(), archive, { ...options, checkOnly: false });
      expect(statSync(dataDir).mode & 0o777, 'after the restore').to.equal(0o700);
    });

    it('is made for the owner alone by the command that makes the tables', async () => {
      await migrateUp(await plan());
      expect(statSync(dataDir).mode & 0o777).to.equal(0o700);
    });

    if (engine === 'sqlite') {
      it('has no part in the directory of a database elsewhere, which is for the owner alone, too', async () => {
        const [here, there] = ['here', 'there'].map((name) => join(scratch.dataDir, name));
        claimForService(join(here!, 'vitrine.db'))();
        await migrateUp(await plan(`sqlite:${there}/vitrine.db`));
        for (const made of [here!, there!]) expect(statSync(made).mode & 0o777).to.equal(0o700);
      });
    }
  });
});

/** Those of the kernel, of which there is at least one. */
function corePending(data: unknown): readonly string[] {
  const [core] = data as { pending: readonly string[] }[];
  expect(core!.pending).not.to.deep.equal([]);
  return core!.pending;
}
