import { Type, ValidationFailed, type Author, type Static } from '../../core/index.ts';
import type { ImportChange, PortableSection, SectionImport } from '../catalogue/contract.ts';
import type { Account, Accounts } from '../users/contract.ts';
import type { Grants } from './grants.ts';
import { Kind, type Grant } from './schemas.ts';

const PAGE = 500;

const PortableGrant = Type.Object(
  {
    algorithm: Type.String(),
    /** The name of the account that holds the right. */
    user: Type.String(),
    permission_type: Kind,
    /** The name of the account that granted it; absent where it was deleted. */
    granted_by: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
type PortableGrant = Static<typeof PortableGrant>;

const SCHEMA = Type.Array(PortableGrant);

/** Hands the grants on with the catalogue, by the names of algorithms and accounts. Accounts themselves are not handed on. */
export class GrantsSection implements PortableSection {
  readonly name = 'permissions';
  readonly schema = SCHEMA as unknown as Readonly<Record<string, unknown>>;
  readonly #grants: Grants;
  readonly #accounts: Accounts;

  constructor({ grants, accounts }: { grants: Grants; accounts: Accounts }) {
    this.#grants = grants;
    this.#accounts = accounts;
  }

  async collect(names: ReadonlyMap<string, string>): Promise<readonly PortableGrant[] | undefined> {
    const portable: PortableGrant[] = [];
    for (const grant of await this.#all()) {
      const algorithm = names.get(grant.algorithm_id);
      const user = await this.#accounts.find(grant.user_id);
      if (algorithm === undefined || !user) continue;
      const granter = await this.#accounts.find(grant.granted_by);
      portable.push({
        algorithm,
        user: user.username,
        permission_type: grant.permission_type,
        ...(granter && { granted_by: granter.username }),
      });
    }
    return portable.length === 0 ? undefined : portable.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** Throws `ValidationFailed` for an algorithm that is not in the catalogue and an account that does not exist. */
  async bring(section: unknown, how: SectionImport): Promise<readonly ImportChange[]> {
    const wanted = (section ?? []) as readonly PortableGrant[];
    const holders = await this.#holders(wanted, how);
    const present = await this.#all();
    const changes: ImportChange[] = [];
    const isSame = (grant: Grant, to: PortableGrant): boolean =>
      grant.algorithm_id === how.ids.get(to.algorithm) &&
      grant.user_id === holders.get(to.user)!.id &&
      grant.permission_type === to.permission_type;
    for (const to of wanted) {
      if (present.some((grant) => isSame(grant, to))) continue;
      changes.push({ action: 'create', what: described(to) });
      if (!how.dryRun)
        await this.#create(
          to,
          { algorithm_id: how.ids.get(to.algorithm)!, user_id: holders.get(to.user)!.id },
          how.by,
        );
    }
    const names = new Map([...how.ids].map(([name, id]) => [id, name]));
    for (const grant of how.prune ? present : []) {
      const algorithm = names.get(grant.algorithm_id);
      if (algorithm === undefined || wanted.some((to) => isSame(grant, to))) continue;
      const user = (await this.#accounts.find(grant.user_id))?.username ?? grant.user_id;
      changes.push({ action: 'delete', what: described({ ...grant, algorithm, user }) });
      if (!how.dryRun) await this.#grants.remove(grant, how.by);
    }
    return changes;
  }

  async #create(
    to: PortableGrant,
    about: { readonly algorithm_id: string; readonly user_id: string },
    by: Author,
  ): Promise<void> {
    const granter = to.granted_by === undefined ? undefined : await this.#accounts.findByName(to.granted_by);
    const { permission_type } = to;
    await this.#grants.create({ ...about, permission_type }, granter?.id ?? about.user_id, by);
  }

  async #holders(
    wanted: readonly PortableGrant[],
    { ids }: SectionImport,
  ): Promise<ReadonlyMap<string, Account>> {
    const holders = new Map<string, Account>();
    for (const { algorithm, user } of wanted) {
      if (!ids.has(algorithm)) {
        throw ValidationFailed(
          `A grant names the algorithm "${algorithm}", which neither the file nor this catalogue has.`,
        );
      }
      const account = holders.get(user) ?? (await this.#accounts.findByName(user));
      if (!account) {
        throw ValidationFailed(
          `A grant names the account "${user}", which does not exist here. Create it, or take the grant out of the file.`,
        );
      }
      holders.set(user, account);
    }
    return holders;
  }

  async #all(): Promise<readonly Grant[]> {
    const all: Grant[] = [];
    for (;;) {
      const { grants, total } = await this.#grants.list({ skip: all.length, limit: PAGE });
      all.push(...grants);
      if (grants.length === 0 || all.length >= total) return all;
    }
  }
}

function keyOf({ algorithm, user, permission_type }: PortableGrant): string {
  return JSON.stringify([algorithm, user, permission_type]);
}

function described({ algorithm, user, permission_type }: PortableGrant): string {
  return `grant of ${permission_type} on "${algorithm}" to "${user}"`;
}
