import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { claimForService } from '../../../core/persistence/sqlite/service-lock.ts';
import { openAt } from './support.ts';

describe('persistence: the claim of a service on a SQLite file', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'vitrine-claim-'));
    file = join(directory, 'vitrine.db');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('refuses a second service with a sentence that names the file and the ways out', () => {
    const release = claimForService(file);
    expect(() => claimForService(file))
      .to.throw(`Another process serves the database ${file}`)
      .with.property('name', 'StartupError');
    release();
  });

  it('ends with its release', () => {
    claimForService(file)();
    claimForService(file)();
  });

  it('holds however the file is reached', () => {
    writeFileSync(file, '');
    symlinkSync(file, join(directory, 'link.db'));
    const release = claimForService(file);
    expect(() => claimForService(join(directory, 'link.db'))).to.throw('Another process serves');
    release();
  });

  it('leaves the database to commands, which write beside the service', async () => {
    const release = claimForService(file);
    const database = await openAt(`sqlite:${file}`);
    await database.knex.raw('CREATE TABLE notes (id text)');
    await database.close();
    release();
  });

  it('is a file that only its owner may read', () => {
    claimForService(file)();
    expect(statSync(`${file}.lock`).mode & 0o777).to.equal(0o600);
  });

  it('stops the start with the reason when it cannot be made', () => {
    writeFileSync(join(directory, 'text'), '');
    expect(() => claimForService(join(directory, 'text', 'vitrine.db'))).to.throw(
      /vitrine\.db\.lock cannot be opened: .*DATABASE_URL/,
    );
  });
});
