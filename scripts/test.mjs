/**
 * Every check there is, cheap ones first and two at a time, then all suites on SQLite and PostgreSQL.
 * Ends at the first stage that fails, with an exit code that says so. Arguments go to mocha: `npm test -- -g paging`.
 */
import { checks } from './checks/checks.mjs';
import { runAll } from './checks/pool.mjs';
import { withPostgres } from './checks/postgres.mjs';
import { runSuites } from './checks/suites.mjs';

const passed = await runAll(checks, 2);
if (passed) process.exitCode = await withPostgres((env) => runSuites(process.argv.slice(2), env));
else process.exitCode = 1;
