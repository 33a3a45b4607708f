const OXLINT = 'node_modules/oxlint/bin/oxlint';
/** Vite bundles it without a look at its types; those of the rest are checked by the build. */
const CONSOLE = 'plugins/console/web';

/**
 * What `npm test` checks before the suites, the longest first: a title, and the arguments of a Node process that exits with 0 if
 * all is well. A suite checks the import rules.
 */
export const checks = [
  {
    title: 'Lint (oxlint)',
    args: [OXLINT, '--type-aware', '--deny-warnings', `--ignore-pattern=${CONSOLE}`],
  },
  {
    title: 'Lint and types of the console (oxlint)',
    args: [OXLINT, '--type-aware', '--type-check', '--deny-warnings', CONSOLE],
  },
  {
    title: 'Unused files, exports and packages (knip)',
    args: ['node_modules/knip/bin/knip.js', '--no-progress'],
  },
  {
    title: 'Format (oxfmt)',
    args: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  },
  {
    title: 'OpenAPI document (redocly)',
    args: ['scripts/checks/openapi.mjs'],
  },
  {
    title: 'Generated references (npm run docs)',
    args: ['build/scripts/docs/check.js'],
  },
];
