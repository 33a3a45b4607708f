import { Type, ValidationFailed } from '../../core/index.ts';
import type { ImportChange, PortableSection, SectionImport } from '../catalogue/contract.ts';
import type { Accounts } from '../users/contract.ts';
import { policyFault, type Policies } from './rules/policies.ts';
import { policyFields, type Policy } from './schemas.ts';

const { name, subject, limit, window_s, concurrency, enabled } = policyFields;

const PortablePolicy = Type.Object(
  {
    name,
    subject,
    /** The name of an account or an algorithm; absent in the policy for each one without a policy of its own. */
    subject_name: Type.Optional(Type.String()),
    limit,
    window_s,
    concurrency,
    enabled,
  },
  { additionalProperties: false },
);
type PortablePolicy = Type.Static<typeof PortablePolicy>;

const Section = Type.Object({ policies: Type.Array(PortablePolicy) }, { additionalProperties: false });
type Section = Type.Static<typeof Section>;

const WORDS = { user: 'user', api_key: 'API key', algorithm: 'algorithm' } as const;

/**
 * Hands policies on with the catalogue, by the names of algorithms and accounts. API keys are not handed on, nor is the policy
 * of a single one.
 */
export class PoliciesSection implements PortableSection {
  readonly name = 'gateway';
  readonly schema = Section as unknown as Readonly<Record<string, unknown>>;
  readonly #policies: Policies;
  readonly #accounts: Accounts | undefined;

  constructor(deps: { policies: Policies; accounts: Accounts | undefined }) {
    this.#policies = deps.policies;
    this.#accounts = deps.accounts;
  }

  async collect(names: ReadonlyMap<string, string>): Promise<Section | undefined> {
    const all = await this.#policies.all();
    const portable = await Promise.all(all.map((policy) => this.#portable(policy, names)));
    const policies = portable.filter((policy) => policy !== undefined);
    policies.sort((one, other) => (described(one) < described(other) ? -1 : 1));
    return policies.length === 0 ? undefined : { policies };
  }

  /** Throws `ValidationFailed` for a subject that does not exist or has two policies, and for what the API refuses. */
  async bring(section: unknown, how: SectionImport): Promise<readonly ImportChange[]> {
    const present = await this.#policies.all();
    const changes: ImportChange[] = [];
    const named = new Set<string>();
    for (const to of (section as Section | undefined)?.policies ?? []) {
      const id = await this.#idOf(to, how);
      const key = keyOf(to.subject, id === undefined ? to.subject_name! : id);
      if (named.has(key)) throw refused(`the ${described(to)} stands there a second time. Keep one.`);
      named.add(key);
      const from = present.find((policy) => policy.subject === to.subject && policy.subject_id === id);
      changes.push(...(await this.#write(to, id, from, how)));
    }
    const names = new Map([...how.ids].map(([known, id]) => [id ?? '', known]));
    for (const policy of how.prune ? present : []) {
      const portable = await this.#portable(policy, names);
      if (!portable || named.has(keyOf(policy.subject, policy.subject_id))) continue;
      changes.push({ action: 'delete', what: described(portable) });
      if (!how.dryRun) await this.#policies.delete(how.by, policy.id);
    }
    return changes;
  }

  /** Creates what is missing, and changes the fields that differ. */
  async #write(
    to: PortablePolicy,
    id: string | null | undefined,
    from: Policy | undefined,
    { dryRun, by }: SectionImport,
  ): Promise<readonly ImportChange[]> {
    const { subject_name: _, ...wanted } = to;
    const what = described(to);
    const fault = policyFault({ limit: null, concurrency: null, ...from, ...wanted });
    if (fault) throw refused(`the ${what} is not possible: ${fault.message}`);
    if (!from) {
      if (!dryRun) await this.#policies.create(by, { ...wanted, subject_id: id! });
      return [{ action: 'create', what }];
    }
    const differing = Object.entries(wanted).filter(
      ([field, value]) => from[field as keyof Policy] !== value,
    );
    if (differing.length === 0) return [];
    if (!dryRun) await this.#policies.update(by, from.id, Object.fromEntries(differing));
    return [{ action: 'update', what, fields: differing.map(([field]) => field) }];
  }

  /** By names; `undefined` for the policy of an API key, and where the subject was deleted. */
  async #portable(policy: Policy, names: ReadonlyMap<string, string>): Promise<PortablePolicy | undefined> {
    const { name, subject, subject_id, limit, window_s, concurrency, enabled } = policy;
    const fields = { limit, window_s, concurrency, enabled };
    if (subject_id === null) return { name, subject, ...fields };
    const subject_name =
      subject === 'algorithm'
        ? names.get(subject_id)
        : subject === 'user'
          ? (await this.#accounts?.find(subject_id))?.username
          : undefined;
    return subject_name === undefined ? undefined : { name, subject, subject_name, ...fields };
  }

  /** Null for the policy of each one; `undefined` for an algorithm that a dry run would create. */
  async #idOf(
    { subject, subject_name }: PortablePolicy,
    { ids }: SectionImport,
  ): Promise<string | null | undefined> {
    if (subject_name === undefined) return null;
    if (subject === 'api_key') {
      throw refused(
        `a policy names the API key "${subject_name}", but keys are not handed on. Take the policy out of the file.`,
      );
    }
    if (subject === 'algorithm') {
      if (ids.has(subject_name)) return ids.get(subject_name);
      throw refused(
        `a policy names the algorithm "${subject_name}", which neither the file nor this catalogue has.`,
      );
    }
    const account = await this.#accounts?.findByName(subject_name);
    if (account) return account.id;
    throw refused(
      `a policy names the account "${subject_name}", which does not exist here. Create it, or take the policy out of the file.`,
    );
  }
}

function refused(why: string): Error {
  return ValidationFailed(`In the section gateway, ${why}`);
}

function keyOf(subject: Policy['subject'], of: string | null): string {
  return JSON.stringify([subject, of]);
}

function described({ subject, subject_name }: PortablePolicy): string {
  return subject_name === undefined
    ? `policy for each ${WORDS[subject]} without one of its own`
    : `policy for the ${WORDS[subject]} "${subject_name}"`;
}
