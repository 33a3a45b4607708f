import { defineEvent, token, Type } from '../../core/index.ts';

/** Where a membership comes from: `manual` for administrators, or the id of the plugin that keeps it, with what it tells apart: `oidc:corporate`. */
export type MembershipSource = string;

/** A group as other plugins see it. */
export interface Group {
  readonly id: string;
  readonly name: string;
}

/** Tells which accounts belong together, so that they can be given rights together. */
export interface Groups {
  /**
   * The ids of the groups of an account; no promise when they are cached. A change is visible at once on this instance, and
   * within 2 s on others.
   */
  of(userId: string): readonly string[] | Promise<readonly string[]>;
  /** Reads the database. */
  find(id: string): Promise<Group | undefined>;
  /** Ignores case; reads the database. */
  findByName(name: string): Promise<Group | undefined>;
  /** Whether a group can have this name. */
  isName(name: string): boolean;
  /**
   * Makes an account a member of exactly these groups as far as one source goes, such as a directory or single sign-on, and
   * creates groups that do not exist. What other sources say of the account stays. Throws `ValidationFailed` for a name that
   * no group can have.
   */
  sync(source: MembershipSource, userId: string, names: readonly string[]): Promise<void>;
}

export const GROUPS = token<Groups>('groups:groups');

/** The `Invalidation` topic that is published when members of a group changed or a group was deleted. */
export const MEMBERS_CHANGED_TOPIC = 'groups:members';

export const groupDeleted = defineEvent(
  'groups:group-deleted',
  Type.Object({ group_id: Type.String(), name: Type.String() }),
  'A group was deleted.',
);
