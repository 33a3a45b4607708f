import { isId, token, ValidationFailed } from '../../core/index.ts';
import type { Groups } from '../groups/contract.ts';
import type { Accounts } from '../users/contract.ts';
import type { GrantRow } from './models.ts';
import { GranteeNotFound } from './problems.ts';
import type { NewGrant } from './schemas.ts';

/** Who holds a right, as it is stored. */
export type Grantee = Pick<GrantRow, 'grantee_kind' | 'grantee_id'>;

const EVERYONE: Grantee = { grantee_kind: 'everyone', grantee_id: '' };

/** Finds those to whom rights are granted. */
export class Grantees {
  readonly #accounts: Accounts;
  readonly #groups: Groups | undefined;

  constructor({ accounts, groups }: { accounts: Accounts; groups: Groups | undefined }) {
    this.#accounts = accounts;
    this.#groups = groups;
  }

  /** Throws `ValidationFailed` unless a request names exactly one, and `GranteeNotFound` for an unknown one. */
  async named({
    user_id,
    group_id,
    everyone,
  }: Pick<NewGrant, 'user_id' | 'group_id' | 'everyone'>): Promise<Grantee> {
    if ([user_id, group_id, everyone].filter((each) => each !== undefined).length !== 1) {
      const message = 'must say who gets the right: exactly one of user_id, group_id and everyone.';
      throw ValidationFailed(`The grant ${message}`, { errors: [{ pointer: '/body', message }] });
    }
    if (everyone) return EVERYONE;
    const grantee: Grantee =
      user_id === undefined
        ? { grantee_kind: 'group', grantee_id: group_id! }
        : { grantee_kind: 'user', grantee_id: user_id };
    if (!(await this.exists(grantee))) throw unknown(grantee);
    return grantee;
  }

  async exists({ grantee_kind, grantee_id }: Grantee): Promise<boolean> {
    if (grantee_kind === 'everyone') return true;
    if (!isId(grantee_id)) return false;
    const found = grantee_kind === 'user' ? this.#accounts.find(grantee_id) : this.#groups?.find(grantee_id);
    return (await found) !== undefined;
  }

  /** All by whom an account may hold rights: itself, everyone, and its groups. No promise when these are cached. */
  of(userId: string): readonly Grantee[] | Promise<readonly Grantee[]> {
    const groups = this.#groups?.of(userId) ?? [];
    return groups instanceof Promise
      ? groups.then((ids) => granteesOf(userId, ids))
      : granteesOf(userId, groups);
  }
}

function granteesOf(userId: string, groups: readonly string[]): readonly Grantee[] {
  const own: Grantee = { grantee_kind: 'user', grantee_id: userId };
  return [own, EVERYONE, ...groups.map((id): Grantee => ({ grantee_kind: 'group', grantee_id: id }))];
}

/** The problem for an account or group that does not exist. */
export function unknown({ grantee_kind, grantee_id }: Grantee): Error {
  const [what, pointer] =
    grantee_kind === 'user' ? ['account', '/body/user_id'] : ['group', '/body/group_id'];
  return GranteeNotFound(`No ${what} has the id "${grantee_id}".`, {
    errors: [{ pointer, message: `must be the id of ${what === 'account' ? 'an account' : 'a group'}.` }],
  });
}

export const GRANTEES = token<Grantees>('permissions:grantees');
