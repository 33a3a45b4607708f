import { isDeepStrictEqual } from 'node:util';
import { Type, ValidationFailed } from '../../../core/index.ts';
import type { ImportChange, PortableSection, SectionImport } from '../../catalogue/contract.ts';
import type { PayloadPolicy } from '../contract.ts';
import type { PayloadPolicies } from './policies.ts';
import { checkedRules } from './policy-check.ts';
import { DEFAULT_POLICY } from './policy-table.ts';
import { PAYLOAD_FIELDS } from './reduce.ts';
import { PayloadPolicyBody, type PayloadPolicyChanges } from './schemas.ts';

const PortablePolicy = Type.Object(
  { algorithm: Type.String(), ...PayloadPolicyBody.properties },
  { additionalProperties: false },
);
type PortablePolicy = Type.Static<typeof PortablePolicy>;

const Section = Type.Object(
  { payload_policies: Type.Array(PortablePolicy) },
  { additionalProperties: false },
);
type Section = Type.Static<typeof Section>;

/** Hands payload policies on with the catalogue, by the names of algorithms. */
export class PayloadPoliciesSection implements PortableSection {
  readonly name = 'invocation';
  readonly schema = Section as unknown as Readonly<Record<string, unknown>>;
  readonly #policies: PayloadPolicies;

  constructor({ policies }: { policies: PayloadPolicies }) {
    this.#policies = policies;
  }

  async collect(names: ReadonlyMap<string, string>): Promise<Section | undefined> {
    const portable = [...(await this.#policies.all())].flatMap(([id, policy]) => {
      const algorithm = names.get(id);
      return algorithm === undefined ? [] : [{ algorithm, ...portableRules(policy) }];
    });
    if (portable.length === 0) return undefined;
    return { payload_policies: portable.sort((a, b) => (a.algorithm < b.algorithm ? -1 : 1)) };
  }

  /** Throws `ValidationFailed` for an algorithm that does not exist or has two policies, and for what the API refuses. */
  async bring(section: unknown, how: SectionImport): Promise<readonly ImportChange[]> {
    const present = await this.#policies.all();
    const changes: ImportChange[] = [];
    const named = new Set<string>();
    for (const to of (section as Section | undefined)?.payload_policies ?? []) {
      const id = idOf(to, how, named);
      named.add(to.algorithm);
      changes.push(...(await this.#write(to, id, id === undefined ? undefined : present.get(id), how)));
    }
    for (const [algorithm, id] of how.prune ? how.ids : []) {
      if (id === undefined || named.has(algorithm) || !present.has(id)) continue;
      changes.push({ action: 'delete', what: described(algorithm) });
      if (!how.dryRun) await this.#policies.removeOfAlgorithm(id, how.by);
    }
    return changes;
  }

  async #write(
    { algorithm, ...wanted }: PortablePolicy,
    id: string | undefined,
    from: PayloadPolicy | undefined,
    { dryRun, by }: SectionImport,
  ): Promise<readonly ImportChange[]> {
    const what = described(algorithm);
    const rules = checkedRules(wanted, { what: `The ${what}`, at: '' });
    const before = from ?? DEFAULT_POLICY;
    const fields = PAYLOAD_FIELDS.filter(
      (field) => rules[field] !== undefined && !isDeepStrictEqual(rules[field], before[field]),
    );
    if (fields.length === 0) return [];
    if (!dryRun) await this.#policies.set(id!, rules, by);
    return [from ? { action: 'update', what, fields } : { action: 'create', what }];
  }
}

function idOf(
  { algorithm }: PortablePolicy,
  { ids }: SectionImport,
  named: ReadonlySet<string>,
): string | undefined {
  const what = described(algorithm);
  if (named.has(algorithm)) throw ValidationFailed(`The ${what} stands there a second time. Keep one.`);
  if (ids.has(algorithm)) return ids.get(algorithm);
  throw ValidationFailed(`The ${what} is for an algorithm that neither the file nor this catalogue has.`);
}

function portableRules(policy: PayloadPolicy): PayloadPolicyChanges {
  return Object.fromEntries(
    PAYLOAD_FIELDS.map((field) => {
      const { mode, pointers } = policy[field];
      return [field, pointers.length === 0 ? { mode } : { mode, pointers: [...pointers] }];
    }),
  );
}

function described(algorithm: string): string {
  return `payload policy of algorithm "${algorithm}"`;
}
