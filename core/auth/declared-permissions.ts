import type { AccessRule } from './access-rule.ts';
import type { Permission } from './permission.ts';

/** The parts of a route that the check of its rule needs. */
export interface GuardedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: AccessRule;
}

const RULES: ReadonlySet<unknown> = new Set(['anonymous', 'public', 'user', 'account', 'admin']);

/** The routes without an access rule or with a permission that no plugin declares, one sentence each. */
export function accessFaults(routes: readonly GuardedRoute[], declared: readonly Permission[]): string[] {
  const known = new Set(declared.map((permission) => permission.id));
  return routes.flatMap((route) => findingOf(route, known) ?? []);
}

function findingOf({ method, path, access }: GuardedRoute, known: ReadonlySet<string>): string | undefined {
  if (RULES.has(access)) return undefined;
  const id = (access as Partial<Permission> | undefined)?.id;
  if (id === undefined) {
    return `${method} ${path} has no access rule. Give it 'anonymous', 'public', 'user', 'account', 'admin' or a permission.`;
  }
  if (known.has(id)) return undefined;
  return `${method} ${path} demands the permission "${id}", which no enabled plugin lists in its \`permissions\`.`;
}
