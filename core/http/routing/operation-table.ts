import Router, { type RouterMiddleware } from '@koa/router';
import { MethodNotAllowed, RouteNotFound } from '../../errors/core-problems.ts';
import type { RequestState, Step } from '../state.ts';
import { rootPath } from './mounted-route.ts';
import type { Operation } from './operation.ts';

/** All operations of the installation, registered in a router. */
export interface OperationTable {
  /** Serves paths without parameters. */
  readonly literals: Step;
  /** Serves paths with parameters. */
  readonly router: Router<RequestState>;
  /** Paths that are answered under overload as well. */
  readonly probes: ReadonlySet<string>;
  /** Follows the router and throws the problem for an unknown route: 404, or 405 with `Allow`. */
  readonly unserved: Step;
}

/**
 * Registers the operations, literal paths before those with parameters. Literal paths are found in a map as well, because
 * the router tries the pattern of every operation on every request.
 */
export function createOperationTable(
  operations: readonly Operation[],
  serve: (operation: Operation) => RouterMiddleware<RequestState>,
  {
    basePath,
    publicAddress,
    isCrossOrigin,
  }: { readonly basePath: string; readonly publicAddress: string; readonly isCrossOrigin: boolean },
): OperationTable {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const literal = new Map<string, RouterMiddleware<RequestState>>();
  const ordered = [...operations].sort((a, b) => literalsFirst(a.template, b.template));
  for (const operation of ordered) {
    const { method, template } = operation;
    const handler = serve(operation);
    router.register(routerPath(template), [method], handler);
    if (!template.includes('{')) literal.set(`${method} ${template}`, handler);
  }
  const pages = [`${basePath}/openapi.json`, `${rootPath(basePath)}/docs`].filter((page) =>
    operations.some(({ template }) => template === page),
  );
  const hint = pages.length > 0 ? `; see ${pages.map((page) => publicAddress + page).join(' and ')}` : '';
  return {
    literals: (ctx, next) => {
      const handler = literal.get(`${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${ctx.path}`);
      return handler ? handler(Object.assign(ctx, { params: {} }) as never, next) : next();
    },
    router,
    probes: new Set(operations.filter(({ probe }) => probe).map(({ template }) => template)),
    unserved: ({ method, path }) => {
      const methods = new Set(router.match(path, method).path.flatMap((layer) => layer.methods));
      if (methods.size === 0) {
        throw RouteNotFound(
          `Nothing is served at ${path.slice(0, 200)}. Operations are below ${basePath}${hint}.`,
        );
      }
      // Preflights are answered before; an OPTIONS that arrives here is none.
      const others = isCrossOrigin && method !== 'OPTIONS' ? ['OPTIONS'] : [];
      const allowed = [...[...methods].sort(), ...others];
      throw MethodNotAllowed(`${path.slice(0, 200)} supports ${joined(allowed)}, but not ${method}.`, {
        headers: { Allow: allowed.join(', ') },
      });
    },
  };
}

/** `GET, HEAD and POST` */
function joined(methods: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(methods);
}

function routerPath(template: string): string {
  return template.replaceAll('{', ':').replaceAll('}', '');
}

/** Orders templates so that at the first difference a literal segment comes before a parameter. */
function literalsFirst(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = Number(left[i]!.startsWith('{')) - Number(right[i]!.startsWith('{'));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
