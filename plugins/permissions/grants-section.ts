import { isoTime, storableTime, Type, ValidationFailed, type Author, type Clock } from '../../core/index.ts';
import type { ImportChange, PortableSection, SectionImport } from '../catalogue/contract.ts';
import type { Groups } from '../groups/contract.ts';
import type { Accounts } from '../users/contract.ts';
import type { Grants } from './grants.ts';
import { Kind, type Grant, type NewGrant } from './schemas.ts';

const PAGE = 500;

const PortableGrant = Type.Object(
  {
    algorithm: Type.String(),
    /** The name of the account that holds the right; otherwise the name of a group, or everyone. */
    user: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    everyone: Type.Optional(Type.Literal(true)),
    permission_type: Kind,
    expires_at: Type.Optional(Type.String()),
    /** The name of the account that granted it; absent where it was deleted. */
    granted_by: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
type PortableGrant = Type.Static<typeof PortableGrant>;
type Holder = Pick<PortableGrant, 'user' | 'group' | 'everyone'>;
type HolderIds = Pick<NewGrant, 'user_id' | 'group_id' | 'everyone'>;

const SCHEMA = Type.Array(PortableGrant);

/**
 * Hands the grants on with the catalogue, by the names of algorithms, accounts and groups. Accounts and groups themselves
 * are not handed on.
 */
export class GrantsSection implements PortableSection {
  readonly name = 'permissions';
  readonly schema = SCHEMA as unknown as Readonly<Record<string, unknown>>;
  readonly #grants: Grants;
  readonly #accounts: Accounts;
  readonly #groups: Groups | undefined;
  readonly #clock: Clock;

  constructor(deps: { grants: Grants; accounts: Accounts; groups: Groups | undefined; clock: Clock }) {
    this.#grants = deps.grants;
    this.#accounts = deps.accounts;
    this.#groups = deps.groups;
    this.#clock = deps.clock;
  }

  async collect(names: ReadonlyMap<string, string>): Promise<readonly PortableGrant[] | undefined> {
    const portable: PortableGrant[] = [];
    for (const grant of await this.#all()) {
      const algorithm = names.get(grant.algorithm_id);
      const holder = await this.#holderOf(grant);
      if (algorithm === undefined || holder === undefined) continue;
      const { permission_type, expires_at } = grant;
      const granter = await this.#accounts.find(grant.granted_by);
      portable.push({
        algorithm,
        ...holder,
        permission_type,
        ...(expires_at !== null && { expires_at }),
        ...(granter && { granted_by: granter.username }),
      });
    }
    return portable.length === 0 ? undefined : portable.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /**
   * Leaves out what has expired since it was exported. Throws `ValidationFailed` for an algorithm, an account and a group that
   * do not exist, for an end that is no time, and for a grant that stands there twice.
   */
  async bring(section: unknown, how: SectionImport): Promise<readonly ImportChange[]> {
    const present = await this.#all();
    const changes: ImportChange[] = [];
    const kept = new Set<string>();
    const named = new Set<string>();
    for (const to of (section ?? []) as readonly PortableGrant[]) {
      const holder = await this.#idsOf(to, how);
      const key = JSON.stringify([to.algorithm, holder, to.permission_type]);
      if (named.has(key)) throw refused(`stands there a second time: ${described(to)}. Keep one.`);
      named.add(key);
      const end = endOf(to);
      if (end !== undefined && end <= this.#clock.now()) continue;
      const algorithm_id = how.ids.get(to.algorithm);
      const same = present.find((grant) => isSame(grant, { ...to, ...holder, algorithm_id }));
      if (same) {
        kept.add(same.id);
        changes.push(...(await this.#setEnd(same, to, end, how)));
      } else {
        changes.push({ action: 'create', what: described(to) });
        if (!how.dryRun) await this.#create(to, { ...holder, algorithm_id: algorithm_id! }, how.by);
      }
    }
    const names = new Map([...how.ids].map(([name, id]) => [id, name]));
    for (const grant of how.prune ? present : []) {
      const algorithm = names.get(grant.algorithm_id);
      if (algorithm === undefined || kept.has(grant.id)) continue;
      const { permission_type } = grant;
      const holder = (await this.#holderOf(grant)) ?? {};
      changes.push({ action: 'delete', what: described({ ...holder, algorithm, permission_type }) });
      if (!how.dryRun) await this.#grants.remove(grant, how.by);
    }
    return changes;
  }

  async #create(
    { permission_type, expires_at, granted_by }: PortableGrant,
    about: HolderIds & Pick<NewGrant, 'algorithm_id'>,
    by: Author,
  ): Promise<void> {
    const granter = granted_by === undefined ? undefined : await this.#accounts.findByName(granted_by);
    await this.#grants.create(
      { ...about, permission_type, ...(expires_at !== undefined && { expires_at }) },
      granter?.id ?? about.user_id ?? '',
      by,
    );
  }

  /** Gives a grant the end that the file has, where it has one; one that was revoked meanwhile stays revoked. */
  async #setEnd(
    grant: Grant,
    to: PortableGrant,
    end: number | undefined,
    { dryRun, by }: SectionImport,
  ): Promise<readonly ImportChange[]> {
    if (end === undefined || grant.expires_at === isoTime(end)) return [];
    if (!dryRun && !(await this.#grants.change(grant.id, { expires_at: isoTime(end) }, { by }))) return [];
    return [{ action: 'update', what: described(to), fields: ['expires_at'] }];
  }

  async #holderOf({ user_id, group_id }: Grant): Promise<Holder | undefined> {
    if (user_id !== null) {
      const account = await this.#accounts.find(user_id);
      return account && { user: account.username };
    }
    if (group_id === null) return { everyone: true };
    const group = await this.#groups?.find(group_id);
    return group && { group: group.name };
  }

  async #idsOf(
    { algorithm, user, group, everyone }: PortableGrant,
    { ids }: SectionImport,
  ): Promise<HolderIds> {
    if (!ids.has(algorithm)) {
      throw refused(`names the algorithm "${algorithm}", which neither the file nor this catalogue has.`);
    }
    if ([user, group, everyone].filter((each) => each !== undefined).length !== 1) {
      throw refused(`on "${algorithm}" must name exactly one of user, group and everyone.`);
    }
    if (everyone) return { everyone };
    const [what, name] = user === undefined ? ['group', group!] : ['account', user];
    const found = await (user === undefined
      ? this.#groups?.findByName(name)
      : this.#accounts.findByName(name));
    if (found) return user === undefined ? { group_id: found.id } : { user_id: found.id };
    throw refused(
      `names the ${what} "${name}", which does not exist here. Create it, or take the grant out of the file.`,
    );
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

function refused(why: string): Error {
  return ValidationFailed(`A grant ${why}`);
}

function isSame(
  grant: Grant,
  to: HolderIds & { readonly algorithm_id: string | undefined; readonly permission_type: string },
): boolean {
  return (
    grant.algorithm_id === to.algorithm_id &&
    grant.permission_type === to.permission_type &&
    grant.user_id === (to.user_id ?? null) &&
    grant.group_id === (to.group_id ?? null)
  );
}

/** In milliseconds since 1970; `undefined` where the file names none. */
function endOf(grant: PortableGrant): number | undefined {
  if (grant.expires_at === undefined) return undefined;
  const end = storableTime(grant.expires_at);
  if (end !== undefined) return end;
  throw refused(`has an end that is no time: "${grant.expires_at}" in the ${described(grant)}.`);
}

function keyOf({ algorithm, user, group, permission_type }: PortableGrant): string {
  return JSON.stringify([algorithm, user ?? '', group ?? '', permission_type]);
}

function described({ algorithm, user, group, permission_type }: PortableGrant): string {
  const holder = group === undefined ? `"${user}"` : `the group "${group}"`;
  const to = user === undefined && group === undefined ? 'everyone' : holder;
  return `grant of ${permission_type} on "${algorithm}" to ${to}`;
}
