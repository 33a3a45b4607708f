/**
 * Measures Vitrine beside its peers: `npm run bench` for everything, `npm run bench -- call --rounds 3` for one. Uses
 * the PostgreSQL of TEST_DATABASE_URL, or the one of the tests, which then waits for the disk.
 */
import { spawn } from 'node:child_process';
import { withPostgres } from './checks/postgres.mjs';
import { root } from './prepare/files.mjs';

process.exitCode = await withPostgres(
  (env) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['build/scripts/bench/run.js', ...process.argv.slice(2)], {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, ...env },
      });
      child.on('exit', (code) => resolve(code ?? 1));
    }),
  // What is measured is calls whose records are on the disk.
  { isDurable: true },
);
