import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';

/** Starts the PostgreSQL that the benchmarks bring along, and asks it. */
const ASKS = `
  const { withPostgres } = await import('./scripts/checks/postgres.mjs');
  const { default: pg } = await import('pg');
  const work = async ({ TEST_DATABASE_URL: connectionString }) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const { rows } = await client.query('SHOW fsync');
    await client.end();
    console.log('fsync is ' + rows[0].fsync);
  };
  await withPostgres(work, { isDurable: true });`;

describe('scripts/checks/postgres.mjs', () => {
  it('starts a server that waits for the disk where that is what is measured', function () {
    this.timeout(120_000);
    const env = { ...process.env, TEST_DATABASE_URL: '' };
    const args = ['--input-type=module', '--eval', ASKS];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: packageRoot, env, encoding: 'utf8' });
    // Then the suites do without it as well.
    if (stderr.includes('cannot run as root')) return this.skip();
    expect(stdout, stderr).to.include('fsync is on');
  });
});
