import { extensionPoint } from '../di/token.ts';
import type { UserPrincipal } from './principal.ts';

/** A right that a route may require. Administrators have every right; a decider may grant it to other accounts. */
export interface Permission {
  readonly kind: 'permission';
  /** `<plugin>:<right>`. */
  readonly id: string;
  readonly description: string;
}

/** Declares a right. List it in the plugin's `permissions`. */
export function definePermission(id: string, description: string): Permission {
  return { kind: 'permission', id, description };
}

/** Decides whether an account that is not an administrator has a right on the resource of the path. */
export interface PermissionDecider {
  readonly permission: Permission;
  /** `path` has the path parameters of the request. Throw a 404 problem for a resource that does not exist. */
  decide(principal: UserPrincipal, path: Readonly<Record<string, string>>): Promise<boolean> | boolean;
}

/** Deciders; one that returns true is enough. */
export const PERMISSION_DECIDERS = extensionPoint<PermissionDecider>('core:permission-deciders', {
  methods: ['decide'],
});
