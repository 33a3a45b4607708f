import { meantOr } from '../config/nearest.ts';
import type { Route } from '../http/routing/route.ts';
import type { PluginDefinition } from './plugin.ts';

type Kind = 'text' | 'list' | 'object' | 'url';

/** The kind of each member, which the compiler checks only for plugins in TypeScript. */
const MEMBERS: Readonly<Record<keyof PluginDefinition, Kind>> = {
  id: 'text',
  version: 'text',
  api: 'text',
  summary: 'text',
  requires: 'list',
  optional: 'list',
  config: 'object',
  services: 'list',
  routes: 'list',
  migrations: 'list',
  backup: 'object',
  events: 'object',
  opens: 'list',
  contributes: 'list',
  problems: 'list',
  permissions: 'list',
  metrics: 'list',
  health: 'list',
  doctor: 'list',
  commands: 'list',
  jobs: 'list',
  pages: 'list',
  views: 'list',
  webFiles: 'url',
  start: 'object',
  stop: 'object',
};

const REQUIRED: readonly string[] = ['id', 'version', 'api', 'summary'];
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const METRICS: readonly unknown[] = ['counter', 'gauge', 'histogram'];
const WORDS: Readonly<Record<Kind, string>> = {
  text: 'a text',
  list: 'a list',
  object: 'an object',
  url: "a URL: new URL('./pages/', import.meta.url)",
};
/** Names and parameters in braces. The router would read other characters in its own way. */
const PATH = /^(\/|(\/([\w.~-]|\{\w+\})+)+)$/;

/** An entry of a list that is an object or a function. */
type Entry = Readonly<Record<string, unknown>>;
const isText = (value: unknown): boolean => typeof value === 'string';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isOfKind = (value: unknown, kind: string): boolean => (value as Entry | undefined)?.['kind'] === kind;

/** How the entries of each list are made, and whether one is. Pages and views have checks of their own. */
const ENTRIES: Readonly<Record<string, readonly [made: string, fits: (entry: Entry) => boolean]>> = {
  services: [
    'service({ token, deps, create })',
    ({ token, create }) => isOfKind(token, 'token') && isFunction(create),
  ],
  routes: ['routesWith({ … })', () => true],
  migrations: ['{ name, up }', () => true],
  opens: ["extensionPoint('<plugin>:<name>')", (entry) => isOfKind(entry, 'extension-point')],
  contributes: [
    'contribute(POINT, { deps, create })',
    ({ to, create }) => isOfKind(to, 'extension-point') && isFunction(create),
  ],
  problems: ['problem({ code, status, title, description })', ({ code }) => isText(code)],
  permissions: ['definePermission(id, description)', (entry) => isOfKind(entry, 'permission')],
  metrics: [
    '{ kind, name, help }, whose kind is "counter", "gauge" or "histogram"',
    ({ kind, name }) => METRICS.includes(kind) && isText(name),
  ],
  health: ['healthCheck({ name, deps, check })', ({ check }) => isFunction(check)],
  doctor: [
    'doctorCheck({ name, deps, check })',
    ({ deps, check }) => typeof deps === 'object' && isFunction(check),
  ],
  commands: [
    'command({ name, summary, options, deps, run })',
    ({ name, options, run }) => isText(name) && Array.isArray(options) && isFunction(run),
  ],
  jobs: ['job({ name, summary, every, deps, run })', ({ name }) => isText(name)],
  'events.emits': ['defineEvent(id, schema, description)', (entry) => isOfKind(entry, 'event')],
  'events.listens': [
    'listen(event, { deps, handle })',
    ({ event, handle }) => isOfKind(event, 'event') && isFunction(handle),
  ],
};

/** Missing, unknown and malformed members of a definition, one sentence each. For plugins that no compiler has checked. */
export function shapeFaults(definition: PluginDefinition): readonly string[] {
  const members = Object.entries(definition).flatMap(([name, value]) => memberFaults(name, value));
  const missing = REQUIRED.filter((name) => !(name in definition)).map((name) => `it has no ${name}.`);
  if (members.length + missing.length > 0) return [...members, ...missing];
  const entries = entryFaults(definition);
  if (entries.length > 0) return entries;
  const { routes = [], migrations = [], start, stop } = definition;
  return [
    ...configFaults(definition),
    ...routes.flatMap(routeFaults),
    ...migrations
      .filter(({ name, up }) => typeof name !== 'string' || typeof up !== 'function')
      .map(({ name }) => `its migration "${name}" needs a name and a function "up".`),
    ...Object.entries({ start, stop })
      .filter(([, step]) => step && (typeof step.run !== 'function' || typeof step.deps !== 'object'))
      .map(([name]) => `its ${name} must be made with step({…}, run).`),
  ];
}

function memberFaults(name: string, value: unknown): string[] {
  const kind = (MEMBERS as Readonly<Record<string, keyof typeof WORDS | undefined>>)[name];
  if (kind === undefined) {
    const end = meantOr('Take it out.', name, Object.keys(MEMBERS));
    return [`it has a member "${name}", which no plugin has${end}`];
  }
  if (value === undefined) return [];
  const actual = kindOf(value);
  // A value made by `step` has a check of its own.
  return actual === kind || (kind === 'object' && actual === 'function')
    ? []
    : [`its ${name} must be ${WORDS[kind]}.`];
}

function kindOf(value: unknown): string {
  if (value instanceof URL) return 'url';
  return Array.isArray(value) ? 'list' : isText(value) ? 'text' : typeof value;
}

function entryFaults({ events, ...lists }: PluginDefinition): string[] {
  const all: Readonly<Record<string, unknown>> = {
    ...lists,
    'events.emits': events?.emits,
    'events.listens': events?.listens,
  };
  const ids = [...(lists.requires ?? []), ...(lists.optional ?? [])];
  return [
    ...ids
      .filter((id) => !isText(id))
      .map((id) => `its requires and optional are ids of plugins, and not ${shown(id)}.`),
    ...Object.entries(ENTRIES).flatMap(([name, [made, fits]]) => {
      const list = all[name] ?? [];
      if (!Array.isArray(list)) return [`its ${name} must be a list.`];
      return list.flatMap((entry: unknown, index) => {
        const isEntry = isFunction(entry) || (typeof entry === 'object' && entry !== null);
        return isEntry && fits(entry as Entry)
          ? []
          : [`entry ${index + 1} of its ${name} is ${shown(entry)}; make it with ${made}.`];
      });
    }),
  ];
}

/** The names of the members of an object; any other value itself. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value).join(', ');
  return names === '' ? '{}' : `{ ${names} }`;
}

function configFaults({ config }: PluginDefinition): string[] {
  if (!config) return [];
  if (!isText(config.section) || typeof config.settings !== 'object')
    return ["its config must be made with defineSettings('<id>', { … })."];
  return Object.entries(config.settings)
    .filter(([, setting]) => typeof setting?.schema !== 'object')
    .map(([key]) => `its setting "${key}" must be made with setting(Type.…, { … }).`);
}

function routeFaults(route: Partial<Route>): string[] {
  const { method, path, operationId, answers, handle } = route;
  const lacks: readonly (readonly [isWrong: boolean, way: string])[] = [
    [!METHODS.includes(String(method)), `the method must be one of ${METHODS.join(', ')}`],
    [typeof path !== 'string' || !path.startsWith('/'), 'the path must begin with a slash'],
    [
      typeof path === 'string' && path.startsWith('/') && !isRoutable(path),
      'write its path as names and parameters, each once: /greetings/{name}',
    ],
    [typeof operationId !== 'string' || operationId === '', 'it needs an operationId'],
    [typeof answers !== 'object' || answers === null, 'it needs the schema of what it answers, as answers'],
    [typeof handle !== 'function', 'it needs a function "handle"'],
  ];
  return lacks
    .filter(([isWrong]) => isWrong)
    .map(([, way]) => `its route ${String(method)} ${String(path)} cannot be served: ${way}.`);
}

function isRoutable(path: string): boolean {
  const parameters = path.match(/\{\w+\}/g) ?? [];
  return PATH.test(path) && new Set(parameters).size === parameters.length;
}
