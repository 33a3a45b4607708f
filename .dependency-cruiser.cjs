/** The import rules of the house. Each is planted and found again by test/architecture/import-rules.test.ts. */

/** The floors of the kernel, lowest first: a room imports its own floor and those below it. */
const floors = [
  ['errors', 'support'],
  ['telemetry', 'events', 'di', 'config'],
  ['persistence', 'auth', 'egress', 'audit'],
  ['http'],
  ['kernel'],
  ['testing'],
];

/** Where each framework lives; no other folder imports it. */
const homes = {
  inversify: ['core/di'],
  koa: ['core/http'],
  '@koa/router': ['core/http'],
  'koa-body': ['core/http'],
  '@koa/cors': ['core/http'],
  'koa-compress': ['core/http'],
  ajv: ['core/http', 'core/config', 'plugins/catalogue'],
  jsonwebtoken: ['core/auth'],
  undici: ['core/egress', 'core/testing'],
  knex: ['core/persistence'],
  pg: ['core/persistence', 'cli/transfer'],
  'better-sqlite3': ['core/persistence', 'cli/transfer'],
  objection: ['core/persistence'],
  'prom-client': ['core/telemetry'],
  pino: ['core/telemetry'],
  '@opentelemetry': ['core/telemetry'],
  commander: ['cli'],
  croner: ['core/kernel/jobs'],
  nodemailer: ['plugins/users/mail'],
  'openid-client': ['plugins/oidc/provider'],
  jose: ['plugins/oidc/provider'],
};

const anyOf = (rooms) => `(${rooms.join('|')})`;

const floorRules = floors.slice(0, -1).map((rooms, floor) => ({
  name: `core-floors-${rooms[0]}`,
  comment: `${rooms.join(', ')}: a lower floor never imports a higher one.`,
  severity: 'error',
  from: { path: `^core/${anyOf(rooms)}/` },
  to: { path: [`^core/${anyOf(floors.slice(floor + 1).flat())}/`, '^core/(index|testing)[.]ts$'] },
}));

const homeRules = Object.entries(homes).map(([framework, rooms]) => ({
  name: `home-of-${framework.replace('@', '').replace('/', '-')}`,
  comment: `${framework} is imported in ${rooms.join(' and ')} only.`,
  severity: 'error',
  from: { path: '^(core|cli|plugins)/', pathNot: `^${anyOf(rooms)}/` },
  to: { path: `(^|/)node_modules/${framework.replace('.', '[.]')}/` },
}));

/** Where a framework must really be used: a home that stands empty would pass for a tidy one. */
const inUse = [
  ['koa', 'core/http/app.ts'],
  ['@koa/router', 'core/http/routing/operation-table.ts'],
  ['koa-body', 'core/http/body.ts'],
  ['@koa/cors', 'core/http/cors.ts'],
  ['koa-compress', 'core/http/compression.ts'],
];

const inUseRules = inUse.map(([framework, file]) => ({
  name: `use-of-${framework.replace('@', '').replace('/', '-')}`,
  comment: `${file} imports ${framework}.`,
  severity: 'error',
  module: { path: `^${file.replace('.', '[.]')}$` },
  to: { path: `(^|/)node_modules/${framework}/` },
}));

module.exports = {
  required: inUseRules,
  forbidden: [
    {
      name: 'core-knows-no-plugin',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^plugins/' },
    },
    {
      name: 'command-line-is-above-the-kernel',
      comment: 'The command line uses the kernel; the kernel and plugins work without it.',
      severity: 'error',
      from: { path: '^(core|plugins)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'command-line-knows-no-plugin',
      comment: 'Plugins add commands to their definition; the kernel loads them.',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^plugins/' },
    },
    ...floorRules,
    {
      name: 'plugin-enters-core-by-its-door',
      comment: 'All that a plugin may import of the kernel is core/index.ts.',
      severity: 'error',
      from: { path: '^plugins/' },
      to: { path: '^core/', pathNot: '^core/index[.]ts$' },
    },
    {
      name: 'plugin-sees-contracts-only',
      comment: 'Of another plugin, only its contract.ts may be imported.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: '^plugins/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/contract[.]ts$'] },
    },
    {
      name: 'contract-stands-alone',
      comment: 'contract.ts imports the kernel and other contracts.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/contract[.]ts$' },
      to: { pathNot: ['^core/index[.]ts$', '^plugins/[^/]+/contract[.]ts$'] },
    },
    {
      name: 'routes-use-services',
      comment: 'Inside a plugin: routes → service → models.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/[a-z-]*routes([.]ts$|/)' },
      to: { path: '^plugins/[^/]+/(models|migrations)([.]ts$|/)' },
    },
    {
      name: 'routes-are-the-top',
      comment: 'Only the front door, plugin.ts, and routes themselves import routes.',
      severity: 'error',
      from: {
        path: '^plugins/',
        pathNot: ['^plugins/[^/]+/plugin[.]ts$', '^plugins/[^/]+/[a-z-]*routes([.]ts$|/)'],
      },
      to: { path: '^plugins/[^/]+/[a-z-]*routes([.]ts$|/)' },
    },
    {
      name: 'models-are-the-bottom',
      severity: 'error',
      from: { path: '^plugins/[^/]+/models([.]ts$|/)' },
      to: { path: '^plugins/', pathNot: '^plugins/[^/]+/(models([.]ts$|/)|contract[.]ts$)' },
    },
    {
      name: 'no-import-of-a-front-door',
      comment: 'plugin.ts is loaded by the kernel alone.',
      severity: 'error',
      from: { path: '^(core|cli|plugins)/' },
      to: { path: '^plugins/[^/]+/plugin[.]ts$' },
    },
    ...homeRules,
    {
      name: 'console-uses-the-api',
      comment: 'The web page of the console knows the service by its API alone.',
      severity: 'error',
      from: { path: '^plugins/console/web/' },
      to: { path: ['^core/', '^plugins/'], pathNot: '^plugins/console/web/' },
    },
    {
      name: 'service-does-not-need-the-page',
      severity: 'error',
      from: { pathNot: '^plugins/console/web/' },
      to: { path: '^plugins/console/web/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'source-does-not-need-tests',
      severity: 'error',
      from: { path: '^(core|cli|plugins)/' },
      to: { path: '^(test|scripts)/' },
    },
    {
      name: 'runs-without-development-packages',
      comment:
        'What production imports is among the dependencies of package.json; the page of the console is bundled.',
      severity: 'error',
      from: { path: '^(core|cli|plugins)/', pathNot: '^plugins/console/web/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'type-only'],
      },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|dist|test/fixtures)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
