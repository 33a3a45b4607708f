import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../../core/testing.ts';
import { openAt } from './support.ts';

describe('persistence: a PostgreSQL server', () => {
  let scratch: Scratch;
  before(async () => {
    scratch = await makeScratch('postgres');
  });
  after(() => scratch.remove());

  it('that acknowledges before it has written is set to write first', async () => {
    const careless = `${scratch.databaseUrl}%20-c%20synchronous_commit%3Doff`;
    const database = await openAt(careless);
    const shown = await database.read('SHOW synchronous_commit').first();
    const rows = await database.knex.raw<{ rows: unknown[] }>('SHOW synchronous_commit');
    await database.close();
    expect([shown, rows.rows[0]]).to.deep.equal([{ synchronous_commit: 'on' }, { synchronous_commit: 'on' }]);
  });

  it('keeps a stronger promise than ours', async () => {
    const careful = `${scratch.databaseUrl}%20-c%20synchronous_commit%3Dremote_apply`;
    const database = await openAt(careful);
    const shown = await database.read('SHOW synchronous_commit').first();
    await database.close();
    expect(shown).to.deep.equal({ synchronous_commit: 'remote_apply' });
  });

  it('knows our connections by one name, whatever the URL calls them', async () => {
    const database = await openAt(`${scratch.databaseUrl}&application_name=shop%20front`);
    const shown = await database.read('SHOW application_name').first();
    const rows = await database.knex.raw<{ rows: unknown[] }>('SHOW application_name');
    await database.close();
    const ours = { application_name: 'vitrine' };
    expect([shown, rows.rows[0]]).to.deep.equal([ours, ours]);
  });

  it('is described by address and schema, without credentials', async () => {
    const url = new URL(scratch.databaseUrl);
    url.username ||= (await currentUser()) ?? '';
    url.password ||= 'secret';
    const database = await openAt(url.href.replaceAll('+', '%20'));
    await database.close();
    expect(database.description)
      .to.match(/^PostgreSQL .+:\d+\/.+, schema vitrine_test_/)
      .and.not.include(`:${url.password}@`);
  });

  async function currentUser(): Promise<string | undefined> {
    const database = await openAt(scratch.databaseUrl);
    const row = await database.read<{ name: string }>('SELECT current_user AS name').first();
    await database.close();
    return row?.name;
  }
});
