import Router from '@koa/router';
import type { Operation } from './operation.ts';

/** What serves one path: its operations by method. */
interface PathEntry {
  readonly template: string;
  readonly operations: Map<string, Operation>;
}

/** Where a request goes, or why it goes nowhere. */
export type RouteMatch =
  | { readonly kind: 'found'; readonly operation: Operation; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'other-methods'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

const noParameters: Readonly<Record<string, string>> = Object.freeze({});
const unknown: RouteMatch = { kind: 'unknown' };

/**
 * Every operation of the installation in one table. Paths without parameters are looked up in a map, for the
 * router tests each of its layers in turn; only paths with parameters are left to it.
 */
export class RouteTable {
  readonly #literals = new Map<string, PathEntry>();
  readonly #templates = new Map<string, PathEntry>();
  readonly #router: Router;

  constructor(operations: readonly { readonly method: string; readonly operation: Operation }[]) {
    for (const { method, operation } of operations) this.#add(method, operation);
    this.#router = new Router({ sensitive: true, strict: true });
    for (const template of [...this.#templates.keys()].sort(literalsFirst)) {
      this.#router.register(routerPath(template), ['GET'], () => undefined, { name: template });
    }
  }

  /** Paths of operations that are answered under overload too. */
  get probes(): ReadonlySet<string> {
    const entries = [...this.#literals.values()];
    return new Set(
      entries.filter(({ operations }) => operations.get('GET')?.probe).map(({ template }) => template),
    );
  }

  /** `path` is normalised. HEAD is answered by GET. */
  match(method: string, path: string): RouteMatch {
    const verb = method === 'HEAD' ? 'GET' : method;
    const literal = this.#literals.get(path);
    const operation = literal?.operations.get(verb);
    if (operation) return { kind: 'found', operation, path: noParameters };
    return this.#matchTemplates(verb, path, literal);
  }

  #add(method: string, operation: Operation): void {
    const { template } = operation;
    const entries = template.includes('{') ? this.#templates : this.#literals;
    const entry = entries.get(template) ?? { template, operations: new Map<string, Operation>() };
    entries.set(template, entry);
    entry.operations.set(method, operation);
  }

  #matchTemplates(verb: string, path: string, literal: PathEntry | undefined): RouteMatch {
    const allow = new Set(literal?.operations.keys());
    for (const layer of this.#router.match(path, 'GET').path) {
      const entry = this.#templates.get(layer.name ?? '');
      const operation = entry?.operations.get(verb);
      if (operation) {
        return { kind: 'found', operation, path: layer.params(path, layer.captures(path)) };
      }
      for (const other of entry?.operations.keys() ?? []) allow.add(other);
    }
    return allow.size === 0 ? unknown : { kind: 'other-methods', allow: withHead(allow) };
  }
}

function withHead(methods: ReadonlySet<string>): readonly string[] {
  return [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort();
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
