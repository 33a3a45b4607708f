/**
 * What `npm test` checks before the suites, the longest first: a title, and the arguments of a Node process that exits with 0 if
 * all is well. The build has checked the types of all but the console, and a suite checks the import rules.
 */
export const checks = [
  {
    title: 'Format (prettier)',
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '.'],
  },
  {
    title: 'Types of the console (tsc)',
    args: ['node_modules/typescript/bin/tsc', '-p', 'plugins/console/web'],
  },
  {
    title: 'Lint, with types (oxlint)',
    args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  },
  {
    title: 'Unused files, exports and packages (knip)',
    args: ['node_modules/knip/bin/knip.js', '--no-progress'],
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
