/** What `npm test` checks before the suites: a title, and the arguments of a Node process that exits with 0 if all is well. */
export const checks = [
  {
    title: 'Types (tsc)',
    args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
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
    title: 'Import rules (dependency-cruiser)',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'core',
      'plugins',
      'scripts',
      'test',
    ],
  },
  {
    title: 'Unused files, exports and packages (knip)',
    args: ['node_modules/knip/bin/knip.js', '--no-progress'],
  },
  {
    title: 'Format (prettier)',
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '--cache', '.'],
  },
  {
    title: 'Generated references (npm run docs)',
    args: ['build/scripts/docs/check.js'],
  },
  {
    title: 'OpenAPI document (redocly)',
    args: ['scripts/checks/openapi.mjs'],
  },
];
