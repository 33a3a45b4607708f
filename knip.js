import { entries } from './scripts/prepare/entries.mjs';
import { filesBelow } from './scripts/prepare/files.mjs';

const modules = [...filesBelow('core'), ...filesBelow('cli'), ...filesBelow('plugins')];
/** Known to knip as the package's `bin`. */
const COMMAND = 'cli/main.ts';

export default {
  entry: [
    ...entries(modules).filter((path) => path !== COMMAND),
    'plugins/console/web/src/main.tsx',
    'plugins/console/web/src/playground/form/left-out.tsx',
    'test/**/*-worker.ts',
    'scripts/*.mjs',
    'scripts/bench/**/*.{ts,mjs}',
    'scripts/checks/{openapi.mjs,reporter.cjs}',
    'scripts/clients/*.cjs',
    'scripts/docs/*.ts',
    'test/**/*.test.ts',
    'test/core/egress/asking-over-tls.ts',
    'test/core/persistence/dying-publisher.ts',
    'test/plugins/samples/fixtures/*.ts',
    'test/support/import-suites.mjs',
  ],
  project: [
    'core/**/*.ts',
    'cli/**/*.ts',
    'plugins/**/*.{ts,tsx}',
    'scripts/**/*.{ts,mjs,cjs}',
    'test/**/*.ts',
    '!test/fixtures/**',
  ],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    '@redocly/cli',
    'axe-core',
    'better-sqlite3-13',
    'dependency-cruiser',
    'oxlint',
    'oxlint-tsgolint',
    'reflect-metadata',
    'swagger-ui-dist',
  ],
  ignoreBinaries: ['haproxy', 'helm', 'promtool', 'systemd-analyze'],
};
