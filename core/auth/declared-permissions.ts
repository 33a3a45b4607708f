import { StartupError } from '../errors/startup-error.ts';
import type { AccessRule } from './access-rule.ts';
import type { Permission } from './permission.ts';

/** What is needed of a route to judge its rule. */
export interface GuardedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: AccessRule;
}

const RULES: ReadonlySet<unknown> = new Set(['anonymous', 'public', 'user', 'account', 'admin']);

/**
 * Checks at boot that every route says who may use it, and that each permission it names is declared by a plugin.
 * Throws one `StartupError` with a finding per route.
 */
export function checkPermissionsDeclared(
  routes: readonly GuardedRoute[],
  declared: readonly Permission[],
): void {
  const known = new Set(declared.map((permission) => permission.id));
  const findings = routes.flatMap((route) => findingOf(route, known) ?? []);
  if (findings.length > 0) {
    throw new StartupError(`Routes must say who may use them:\n${findings.join('\n')}`, findings);
  }
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
