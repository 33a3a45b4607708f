import { extensionPoint } from '../di/token.ts';
import type { UserPrincipal } from './principal.ts';

/** A right that a route may demand. Administrators hold every one; a decider may give it to others. */
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

/** Decides whether somebody other than an administrator holds a right on what the path names. */
export interface PermissionDecider {
  readonly permission: Permission;
  /** `path` holds the path parameters of the request. Throw a 404 problem for what does not exist. */
  decide(principal: UserPrincipal, path: Readonly<Record<string, string>>): Promise<boolean> | boolean;
}

/** Deciders; any one that answers true is enough. */
export const PERMISSION_DECIDERS = extensionPoint<PermissionDecider>('core:permission-deciders');
