import { nearest } from '../config/nearest.ts';
import type { Route } from '../http/routing/route.ts';
import type { PluginDefinition } from './plugin.ts';

/** The kind of each member, which the compiler checks only for plugins in TypeScript. */
const MEMBERS: Readonly<Record<keyof PluginDefinition, 'text' | 'list' | 'object'>> = {
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
  webFiles: 'object',
  start: 'object',
  stop: 'object',
};

const REQUIRED: readonly string[] = ['id', 'version', 'api', 'summary'];
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const WORDS = { text: 'a text', list: 'a list', object: 'an object' };

/** Missing, unknown and malformed members of a definition, one sentence each. For plugins that no compiler has checked. */
export function shapeFaults(definition: PluginDefinition): readonly string[] {
  const members = Object.entries(definition).flatMap(([name, value]) => memberFaults(name, value));
  const missing = REQUIRED.filter((name) => !(name in definition)).map((name) => `it has no ${name}.`);
  if (members.length + missing.length > 0) return [...members, ...missing];
  const { routes = [], migrations = [], start, stop } = definition;
  return [
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
    const guess = nearest(name, Object.keys(MEMBERS));
    return [
      `it has a member "${name}", which no plugin has${guess === undefined ? '' : `; did you mean "${guess}"?`}`,
    ];
  }
  if (value === undefined) return [];
  const actual = Array.isArray(value) ? 'list' : typeof value === 'string' ? 'text' : typeof value;
  // A value made by `step` has a check of its own.
  return actual === kind || (kind === 'object' && actual === 'function')
    ? []
    : [`its ${name} must be ${WORDS[kind]}.`];
}

function routeFaults(route: Partial<Route>): string[] {
  const { method, path, operationId, answers, handle } = route;
  const lacks: readonly (readonly [isWrong: boolean, way: string])[] = [
    [!METHODS.includes(String(method)), `the method must be one of ${METHODS.join(', ')}`],
    [typeof path !== 'string' || !path.startsWith('/'), 'the path must begin with a slash'],
    [typeof operationId !== 'string' || operationId === '', 'it needs an operationId'],
    [typeof answers !== 'object' || answers === null, 'it needs the schema of what it answers, as answers'],
    [typeof handle !== 'function', 'it needs a function "handle"'],
  ];
  return lacks
    .filter(([isWrong]) => isWrong)
    .map(([, way]) => `its route ${String(method)} ${String(path)} cannot be served: ${way}.`);
}
