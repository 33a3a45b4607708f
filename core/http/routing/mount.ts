import type { TSchema } from 'typebox';
import { scopeOf } from '../../auth/scope.ts';
import { StartupError, type Fault } from '../../errors/startup-error.ts';
import { BodyBudget } from '../body-budget.ts';
import { jsonBody, type ReadBody } from '../body.ts';
import { isList } from '../lists.ts';
import { formBody } from '../files.ts';
import { compileBody } from '../validation/body-check.ts';
import { checkFixed } from '../validation/fixed-fields.ts';
import { fullPath, type MountedRoute } from './mounted-route.ts';
import type { Operation } from './operation.ts';
import { compileQuery, ignoreQuery, refuseQuery, type QueryReader } from '../validation/query.ts';
import { isRaw, type Route } from './route.ts';
import { lateCompiler, schemaCompiler, type Compiler } from '../validation/schema-compiler.ts';
import { isUnboundedNumber, shapeOf } from '../validation/schema-shape.ts';
import { compileSerializer } from '../validation/serializer.ts';
import type { ServerBounds } from '../server-bounds.ts';
import type { ServerOptions } from '../server-settings.ts';

type MountOptions = Pick<ServerOptions, 'base_path' | 'body_limit' | 'large_body_limit'> &
  Pick<ServerBounds, 'anonymousBodyTimeoutMs' | 'bodyMemory'>;

/**
 * Checks and compiles every route of the installation. Throws one `StartupError` with a finding for each route that
 * is claimed twice, that has no access rule, whose operation id is taken, whose query takes numbers without bounds, or
 * whose schema ajv refuses.
 */
export function mountRoutes(routes: readonly MountedRoute[], options: MountOptions): readonly Operation[] {
  const faults: Fault[] = [
    ...clashes(routes, options.base_path),
    ...unboundedNumbers(routes, options.base_path),
  ];
  const compiler = schemaCompiler();
  const late = lateCompiler(compiler);
  const budget = new BodyBudget(options.bodyMemory);
  const compiled: Operation[] = [];
  for (const mounted of routes) {
    try {
      const body = bodyReader(mounted.route, options, budget);
      compiled.push(compile(mounted, body, options.base_path, mounted.isBuiltIn ? late : compiler));
    } catch (error) {
      faults.push({
        plugin: mounted.plugin,
        message: `${describe(mounted, options.base_path)} has a schema that cannot be used, ${(error as Error).message}`,
      });
    }
  }
  if (faults.length > 0) throw unfitRoutes(faults);
  return compiled;
}

/** Names plugins as the cause only where each fault is that of one plugin. */
function unfitRoutes(faults: readonly Fault[]): StartupError {
  const plugins = faults.flatMap(({ plugin }) => plugin ?? []);
  return new StartupError(
    `The routes of the plugins do not fit together:\n${faults.map(({ message }) => message).join('\n')}`,
    faults,
    { plugins: plugins.length === faults.length ? [...new Set(plugins)] : [] },
  );
}

function* clashes(routes: readonly MountedRoute[], basePath: string): Generator<Fault> {
  const byKey = new Map<string, MountedRoute>();
  const byName = new Map<string, MountedRoute>();
  // Built-in routes take precedence, whatever the boot order is.
  const ordered = [...routes.filter(isOurs), ...routes.filter((mounted) => !isOurs(mounted))];
  for (const mounted of ordered) {
    const { route } = mounted;
    const here = describe(mounted, basePath);
    if (route.probe && route.access !== 'anonymous') {
      yield { plugin: mounted.plugin, message: `${here} is a probe, so its access must be "anonymous".` };
    }
    const key = `${route.method} ${fullPath(mounted, basePath).replaceAll(/\{[^}]*\}/g, '{}')}`;
    const owner = byKey.get(key);
    if (owner) {
      yield {
        ...pluginAtFault(mounted, owner),
        message:
          owner.plugin === mounted.plugin
            ? `${here} is declared twice. Take one of the two routes out.`
            : `${here} is served by plugin "${owner.plugin}" already. Choose another path, or switch one of the two plugins off (plugins.disabled, PLUGINS_DISABLED).`,
      };
    } else byKey.set(key, mounted);
    const namesake = byName.get(route.operationId);
    if (namesake) {
      yield {
        ...pluginAtFault(mounted, namesake),
        message: `${here} has the operation id "${route.operationId}", which ${describe(namesake, basePath)} has already.`,
      };
    } else byName.set(route.operationId, mounted);
  }
}

function isOurs({ isBuiltIn, plugin }: MountedRoute): boolean {
  return isBuiltIn === true || plugin === 'core';
}

/**
 * An external plugin that claims a built-in route, or one of its own twice, is at fault; when two external plugins clash,
 * neither is.
 */
function pluginAtFault(mounted: MountedRoute, first: MountedRoute): { readonly plugin?: string } {
  const isAtFault = first.plugin === mounted.plugin || (isOurs(first) && !isOurs(mounted));
  return isAtFault ? { plugin: mounted.plugin } : {};
}

/** A query number that is too large for its column would make a statement fail and answer 500. */
function* unboundedNumbers(routes: readonly MountedRoute[], basePath: string): Generator<Fault> {
  for (const mounted of routes) {
    const { properties = {} } = mounted.route.query ? shapeOf(mounted.route.query) : {};
    for (const [name, shape] of Object.entries(properties)) {
      if (!isUnboundedNumber(shape)) continue;
      yield {
        plugin: mounted.plugin,
        message: `${describe(mounted, basePath)} takes any number as "${name}" of its query. Give it a minimum and a maximum.`,
      };
    }
  }
}

function describe(mounted: MountedRoute, basePath: string): string {
  return `${mounted.route.method} ${fullPath(mounted, basePath)} of plugin "${mounted.plugin}"`;
}

function compile(
  mounted: MountedRoute,
  readBody: ReadBody | undefined,
  basePath: string,
  compiler: Compiler,
): Operation {
  const { plugin, route, deps } = mounted;
  const raw = isRaw(route.answers) ? route.answers : undefined;
  const handle = route.handle as (input: unknown, deps: unknown) => unknown;
  const fixed = route.fixed as ((input: unknown, deps: unknown) => object | Promise<object>) | undefined;
  return {
    plugin,
    operationId: route.operationId,
    method: route.method,
    template: fullPath(mounted, basePath),
    access: route.access,
    scope: scopeOf(route),
    heedsResources: route.heedsResources ?? false,
    probe: route.probe ?? false,
    readQuery: usable('query', () => queryReader(route, compiler)),
    readBody,
    checkBody: usable('body', () => route.body && compileBody(route.body, compiler)),
    serialize: raw ? undefined : usable('answers', () => serializerOf(route.answers as TSchema, compiler)),
    contentType: raw?.contentType ?? 'application/json; charset=utf-8',
    isList: isList(route),
    refuseFixed: route.body && fixed && checkFixed(route.body, (input) => fixed(input, deps)),
    handle: (input) => handle(input, deps),
  };
}

/** Runs `make`. Throws an `Error` whose message continues "has a schema that cannot be used, ". */
function usable<T>(part: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`that of its ${part}: ${reason}. Make it with Type, as in Type.Object({ … }).`, {
      cause: error,
    });
  }
}

/** Compiles the whole schema, of which the serializer compiles only unions: one with another fault would send undeclared fields. */
function serializerOf(answers: TSchema, compiler: Compiler): (value: unknown) => string {
  compiler.compile(answers);
  return compileSerializer(answers, compiler);
}

function bodyReader(route: Route, options: MountOptions, budget: BodyBudget): ReadBody | undefined {
  const limits = {
    bodyLimit: route.bodyLimit === 'large' ? options.large_body_limit : options.body_limit,
    bodyTimeoutMs: route.access === 'anonymous' ? options.anonymousBodyTimeoutMs : undefined,
  };
  if (route.files) return formBody(route.files, limits);
  return route.body && jsonBody(limits, budget, route.boundsIn);
}

function queryReader(route: Route, compiler: Compiler): QueryReader {
  if (route.query) return compileQuery(route.query, compiler);
  return isRaw(route.answers) ? ignoreQuery : refuseQuery;
}
