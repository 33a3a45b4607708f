import { Problem, token, type Author, type Logger } from '../../../core/index.ts';
import type { Groups } from '../../groups/contract.ts';
import type { Account, Accounts, Vouching } from '../../users/contract.ts';
import type { LinkRow } from '../models.ts';
import type { Identity } from './identity.ts';
import type { Links } from './links.ts';

/** Characters of the name of a group that the log shows. */
const LONGEST_SHOWN = 200;

export interface RightsDeps {
  readonly accounts: Accounts;
  readonly vouching: Vouching;
  readonly links: Links;
  readonly groups: Groups | undefined;
  readonly logger: Logger;
}

/**
 * Gives accounts the role and the groups that their provider names. What administrators gave by hand stays: the provider
 * takes back only what it gave.
 */
export class Rights {
  readonly #deps: RightsDeps;

  constructor(deps: RightsDeps) {
    this.#deps = deps;
  }

  async follow(link: LinkRow, account: Account, identity: Identity, by: Author): Promise<void> {
    await this.#followRole(link, account, identity.isAdmin, by);
    if (identity.groups !== undefined) await this.#setGroups(link, identity.groups);
  }

  /** For a link that was removed. */
  async takeBack(link: LinkRow, by: Author): Promise<void> {
    const account = await this.#deps.accounts.find(link.user_id);
    if (!account) return;
    if (link.gave_admin) await this.#demote(account, by);
    await this.#setGroups(link, []);
  }

  async #followRole(link: LinkRow, account: Account, isAdmin: boolean, by: Author): Promise<void> {
    const { vouching, links } = this.#deps;
    if (isAdmin && account.role !== 'admin') {
      // Before the role, so that a fault in between leaves no role that the provider cannot take back.
      await links.setGaveAdmin(link.id, true);
      await vouching.setRole(account.id, 'admin', by);
    }
    if (!isAdmin && link.gave_admin && (await this.#demote(account, by)))
      await links.setGaveAdmin(link.id, false);
  }

  /** The last administrator stays, and the next sign-in tries again. */
  async #demote({ id, username, role }: Account, by: Author): Promise<boolean> {
    if (role !== 'admin') return true;
    try {
      await this.#deps.vouching.setRole(id, 'user', by);
      return true;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'last_administrator') throw error;
      this.#deps.logger.warn(
        { account: username },
        'The provider does not call this account an administrator any more, but it is the last one and stays it.',
      );
      return false;
    }
  }

  async #setGroups({ provider, user_id }: LinkRow, names: readonly string[]): Promise<void> {
    const { groups, logger } = this.#deps;
    if (!groups) return;
    const fitting = names.filter((name) => groups.isName(name));
    const unfit = names.find((name) => !groups.isName(name));
    // The others are set nevertheless. Otherwise the account would keep groups that the provider has taken away.
    if (unfit !== undefined)
      logger.warn(
        { provider, user_id, left_out: names.length - fitting.length, name: unfit.slice(0, LONGEST_SHOWN) },
        'The provider names groups that cannot exist here, because of their length or of control characters. They were left out.',
      );
    await groups.sync(`oidc:${provider}`, user_id, fitting);
  }
}

export const RIGHTS = token<Rights>('oidc:rights');
