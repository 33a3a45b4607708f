import {
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  ValidationFailed,
  type Author,
  type Clock,
  type Connection,
} from '../../../core/index.ts';
import type { GatewaySettings } from '../config.ts';
import { PolicyRow } from '../models.ts';
import { PolicyExists, PolicyNotFound, TooManyRules } from '../problems.ts';
import type { Policy, PolicyCreateRequest, PolicyUpdateRequest, RulesQuery } from '../schemas.ts';
import { EACH } from './rule-book.ts';
import { changeRule, lockedIn, RULES_CHANGED_TOPIC, type RuleChangesDeps } from './rule-changes.ts';
import type { RuleSubjects } from './rule-subjects.ts';

const MOST_POLICIES = 1000;

export interface PoliciesDeps extends RuleChangesDeps {
  readonly clock: Clock;
  readonly subjects: RuleSubjects;
  readonly settings: Pick<GatewaySettings, 'rate_window_s'>;
}

type PolicyFields = Omit<Policy, 'id' | 'created_at' | 'updated_at'>;

/** Manages policies for administrators. */
export class Policies {
  readonly #deps: PoliciesDeps;

  constructor(deps: PoliciesDeps) {
    this.#deps = deps;
  }

  async list({ skip, limit }: RulesQuery): Promise<{ policies: Policy[]; total: number }> {
    const { results, total } = await PolicyRow.query(this.#deps.database.knex)
      .orderBy('id', 'desc')
      .range(skip, skip + limit - 1);
    return { policies: results.map(shown), total };
  }

  /** All of them, newest first. */
  async all(): Promise<readonly Policy[]> {
    return (await this.list({ skip: 0, limit: MOST_POLICIES })).policies;
  }

  /** Throws `PolicyNotFound`. */
  async find(id: string): Promise<Policy> {
    return shown(await rowOf(this.#deps.database.knex, id));
  }

  /** Throws `ValidationFailed`, `AlgorithmNotFound`, `PolicyExists` or `TooManyRules`. */
  async create(by: Author, request: PolicyCreateRequest): Promise<Policy> {
    const { clock, settings } = this.#deps;
    const fields: PolicyFields = {
      name: request.name,
      subject: request.subject,
      subject_id: request.subject_id ?? null,
      limit: request.limit ?? null,
      window_s: request.window_s ?? settings.rate_window_s,
      concurrency: request.concurrency ?? null,
      enabled: request.enabled ?? true,
    };
    demandPossible(fields);
    await this.#checkSubject(fields);
    const now = isoTime(clock.now());
    const row = { id: newId(), ...stored(fields), created_at: now, updated_at: now };
    await onlyOneFor(fields, () =>
      changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
        if ((await PolicyRow.query(trx).resultSize()) >= MOST_POLICIES) {
          throw TooManyRules(`There are ${MOST_POLICIES} policies. Delete those that are not needed.`);
        }
        await PolicyRow.query(trx).insert(row);
        return { by, action: 'gateway_policy.create', target: targetOf(row), after: { ...row, ...fields } };
      }),
    );
    return this.find(row.id);
  }

  /** Changes the given fields. Throws what `create` throws, and `PolicyNotFound`. */
  async update(by: Author, id: string, changes: PolicyUpdateRequest): Promise<Policy> {
    const { clock } = this.#deps;
    const found = shown(await rowOf(this.#deps.database.knex, id));
    const asked: PolicyFields = { ...found, ...changes };
    // A policy can be changed after its subject was deleted.
    const isMoved = asked.subject !== found.subject || asked.subject_id !== found.subject_id;
    if (isMoved) await this.#checkSubject(asked);
    await onlyOneFor(asked, () =>
      changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
        const row = await rowOf(trx, id);
        const before = shown(row);
        const after = { ...before, ...changes };
        if (!row.differsFrom(stored(after))) return undefined;
        demandPossible(after);
        await PolicyRow.query(trx)
          .findById(id)
          .patch({ ...stored(after), updated_at: isoTime(clock.now()) });
        return { by, action: 'gateway_policy.update', target: targetOf(after), before, after };
      }),
    );
    return this.find(id);
  }

  /** Throws `PolicyNotFound`. */
  async delete(by: Author, id: string): Promise<void> {
    await changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
      const before = shown(await rowOf(trx, id));
      await PolicyRow.query(trx).deleteById(id);
      return { by, action: 'gateway_policy.delete', target: targetOf(before), before };
    });
  }

  async #checkSubject({ subject, subject_id }: PolicyFields): Promise<void> {
    if (subject_id !== null) await this.#deps.subjects.check(subject, subject_id, '/body/subject_id');
  }
}

function targetOf({ id, name }: Pick<PolicyRow, 'id' | 'name'>) {
  return { kind: 'gateway_policy', id, name };
}

async function rowOf(connection: Connection, id: string): Promise<PolicyRow> {
  const row = isId(id) && (await lockedIn(connection, PolicyRow.query(connection).findById(id)));
  if (!row) throw PolicyNotFound(`No policy of the gateway has the id "${id}".`);
  return row;
}

/** What is wrong with fields that do not fit one another. */
export function policyFault({
  subject,
  limit,
  concurrency,
}: Pick<PolicyFields, 'subject' | 'limit' | 'concurrency'>):
  | { readonly field: string; readonly message: string }
  | undefined {
  if (concurrency !== null && subject !== 'algorithm') {
    return { field: 'concurrency', message: 'Only a policy for an algorithm may have `concurrency`.' };
  }
  if (limit === null && concurrency === null) {
    return { field: 'limit', message: 'A policy needs `limit` or, for an algorithm, `concurrency`.' };
  }
  return undefined;
}

function demandPossible(fields: PolicyFields): void {
  const fault = policyFault(fields);
  if (!fault) return;
  const { field, message } = fault;
  throw ValidationFailed(message, { errors: [{ pointer: `/body/${field}`, message }] });
}

async function onlyOneFor(
  { subject, subject_id }: PolicyFields,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const whose =
      subject_id === null ? `each ${subject} without one of its own` : `the ${subject} "${subject_id}"`;
    throw PolicyExists(`There is a policy for ${whose} already. Update it, or delete it first.`, {
      cause: error,
    });
  }
}

function stored({ name, subject, subject_id, limit, window_s, concurrency, enabled }: PolicyFields) {
  return { name, subject, subject_id: subject_id ?? EACH, limit, window_s, concurrency, enabled };
}

function shown(row: PolicyRow): Policy {
  return { ...row, subject_id: row.subject_id === EACH ? null : row.subject_id };
}

export const POLICIES = token<Policies>('gateway:policies');
