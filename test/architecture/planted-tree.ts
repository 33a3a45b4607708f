import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Rule → a file that breaks it → what the file imports. */
export const plants: Readonly<Record<string, readonly [file: string, imports: string]>> = {
  'core-knows-no-plugin': ['core/kernel/plants/plugin.ts', '../../../plugins/alpha/contract.ts'],
  'core-floors-errors': ['core/errors/planted.ts', '../events/events.ts'],
  'core-floors-telemetry': ['core/telemetry/planted.ts', '../auth/auth.ts'],
  'core-floors-persistence': ['core/persistence/planted.ts', '../http/http.ts'],
  'core-floors-http': ['core/http/planted.ts', '../kernel/kernel.ts'],
  'core-floors-kernel': ['core/kernel/planted.ts', '../testing/testing.ts'],
  'command-line-is-above-the-kernel': ['core/testing/planted.ts', '../../cli/cli.ts'],
  'command-line-knows-no-plugin': ['cli/planted.ts', '../plugins/alpha/contract.ts'],
  'plugin-enters-core-by-its-door': ['plugins/alpha/back-door.ts', '../../core/http/http.ts'],
  'plugin-sees-contracts-only': ['plugins/alpha/neighbour.ts', '../beta/service.ts'],
  'contract-stands-alone': ['plugins/gamma/contract.ts', './service.ts'],
  'routes-use-services': ['plugins/beta/routes.ts', './models.ts'],
  'routes-are-the-top': ['plugins/beta/upside-down.ts', './routes.ts'],
  'models-are-the-bottom': ['plugins/alpha/models.ts', './service.ts'],
  'no-import-of-a-front-door': ['plugins/alpha/front.ts', './plugin.ts'],
  'home-of-inversify': ['core/kernel/inversify.ts', 'inversify'],
  'home-of-koa': ['core/kernel/koa.ts', 'koa'],
  'home-of-koa-router': ['core/kernel/koa-router.ts', '@koa/router'],
  'home-of-koa-body': ['plugins/alpha/koa-body.ts', 'koa-body'],
  'home-of-koa-cors': ['plugins/alpha/koa-cors.ts', '@koa/cors'],
  'home-of-koa-compress': ['core/kernel/koa-compress.ts', 'koa-compress'],
  'home-of-ajv': ['plugins/alpha/ajv.ts', 'ajv'],
  'home-of-jsonwebtoken': ['core/http/jsonwebtoken.ts', 'jsonwebtoken'],
  'home-of-undici': ['plugins/alpha/undici.ts', 'undici'],
  'home-of-knex': ['plugins/alpha/knex.ts', 'knex'],
  'home-of-pg': ['core/auth/pg.ts', 'pg'],
  'home-of-better-sqlite3': ['core/kernel/better-sqlite3.ts', 'better-sqlite3'],
  'home-of-objection': ['plugins/alpha/objection.ts', 'objection'],
  'home-of-prom-client': ['core/http/prom-client.ts', 'prom-client'],
  'home-of-pino': ['core/http/pino.ts', 'pino'],
  'home-of-opentelemetry': ['core/http/opentelemetry.ts', '@opentelemetry/api'],
  'home-of-commander': ['plugins/alpha/commander.ts', 'commander'],
  'home-of-croner': ['core/kernel/croner.ts', 'croner'],
  'home-of-nodemailer': ['core/kernel/nodemailer.ts', 'nodemailer'],
  'home-of-openid-client': ['plugins/alpha/openid-client.ts', 'openid-client'],
  'home-of-jose': ['core/auth/jose.ts', 'jose'],
  'use-of-koa': ['core/http/app.ts', './http.ts'],
  'use-of-koa-router': ['core/http/routing/operation-table.ts', '../http.ts'],
  'use-of-koa-body': ['core/http/body.ts', './http.ts'],
  'use-of-koa-cors': ['core/http/cors.ts', './http.ts'],
  'use-of-koa-compress': ['core/http/compression.ts', './http.ts'],
  'console-uses-the-api': ['plugins/console/web/planted.ts', '../../alpha/contract.ts'],
  'service-does-not-need-the-page': ['plugins/alpha/page.ts', '../console/web/page.ts'],
  'no-cycles': ['plugins/beta/circle-back.ts', './circle.ts'],
  'source-does-not-need-tests': ['core/kernel/test-help.ts', '../../test/help.ts'],
  'runs-without-development-packages': ['core/kernel/mocha.ts', 'chai'],
  'everything-resolves': ['core/kernel/nowhere.ts', './does-not-exist.ts'],
};

const innocent: Readonly<Record<string, string>> = {
  'core/index.ts': "export * from './http/http.ts';",
  'core/events/events.ts': 'export {};',
  'core/auth/auth.ts': 'export {};',
  'core/http/http.ts': 'export const http = 1;',
  'core/kernel/kernel.ts': "export * from '../http/http.ts';",
  'core/testing/testing.ts': "export * from '../kernel/kernel.ts';",
  'cli/cli.ts': "export * from '../core/kernel/kernel.ts';",
  'plugins/alpha/contract.ts': "export * from '../../core/index.ts';",
  'plugins/alpha/service.ts': "export * from '../beta/contract.ts';",
  'plugins/alpha/plugin.ts': "export * from './service.ts';",
  'plugins/beta/contract.ts': "export * from '../alpha/contract.ts';",
  'plugins/beta/models.ts': "export * from './contract.ts';",
  'plugins/beta/service.ts': "export * from './models.ts';",
  'plugins/beta/circle.ts': "export * from './circle-back.ts';",
  'plugins/console/web/page.ts': 'export {};',
  'plugins/gamma/service.ts': 'export {};',
  'test/help.ts': 'export {};',
};

/** A source tree whose every module is innocent but the planted ones. */
export interface PlantedTree {
  readonly root: string;
  remove(): void;
}

/** Writes a source tree that breaks each rule once. */
export function plantTree(): PlantedTree {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-planted-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  };
  for (const [path, text] of Object.entries(innocent)) write(path, text);
  for (const [file, imports] of Object.values(plants)) write(file, `import '${imports}';`);

  const packages = Object.values(plants).flatMap(([, imports]) => (imports.startsWith('.') ? [] : [imports]));
  for (const name of packages) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  const dependencies = Object.fromEntries(packages.map((name) => [name, '1.0.0']));
  const { chai, ...production } = dependencies;
  write(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: production, devDependencies: { chai } }),
  );
  write('tsconfig.json', JSON.stringify({ compilerOptions: { module: 'nodenext' } }));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
