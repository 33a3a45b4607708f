/**
 * Measures Vitrine beside its peers: `npm run bench` for everything, `npm run bench -- call --rounds 3` for one. Uses
 * the PostgreSQL of TEST_DATABASE_URL, or the one of the tests, which then waits for the disk.
 */
import { withPostgres } from './checks/postgres.mjs';
import { run, say } from './prepare/run.mjs';

const words = ['build/scripts/bench/run.js', ...process.argv.slice(2)];
try {
  await withPostgres(
    (env) => run(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...env } }),
    // What is measured is calls whose records are on the disk.
    { isDurable: true },
  );
} catch (error) {
  say(error.message);
  process.exit(1);
}
