import {
  isId,
  isoTime,
  newId,
  storableTime,
  token,
  ValidationFailed,
  type Author,
  type Clock,
  type Connection,
  type Transaction,
} from '../../../core/index.ts';
import { BlockRow } from '../models.ts';
import { BlockNotFound, TooManyRules } from '../problems.ts';
import type { Block, BlockCreateRequest, BlocksQuery, BlockUpdateRequest } from '../schemas.ts';
import { changeRule, lockedIn, RULES_CHANGED_TOPIC, type RuleChangesDeps } from './rule-changes.ts';
import type { RuleSubjects } from './rule-subjects.ts';

/** The number of active block rules at most; ended rules do not count. */
const MOST_BLOCKS = 10_000;

export interface BlocksDeps extends RuleChangesDeps {
  readonly clock: Clock;
  readonly subjects: RuleSubjects;
}

/** Manages block rules for administrators. */
export class Blocks {
  readonly #deps: BlocksDeps;

  constructor(deps: BlocksDeps) {
    this.#deps = deps;
  }

  async list({ skip, limit, active }: BlocksQuery): Promise<{ blocks: Block[]; total: number }> {
    const { results, total } = await this.#those(active)
      .orderBy('id', 'desc')
      .range(skip, skip + limit - 1);
    return { blocks: results.map((row) => this.#shown(row)), total };
  }

  /** Throws `BlockNotFound`. */
  async find(id: string): Promise<Block> {
    return this.#shown(await rowOf(this.#deps.database.knex, id));
  }

  /** Throws `ValidationFailed`, `AlgorithmNotFound` or `TooManyRules`. */
  async create(by: Author, { subject, value, reason, until }: BlockCreateRequest): Promise<Block> {
    const { subjects, clock } = this.#deps;
    await subjects.check(subject, value, '/body/value');
    const end = endOf(until ?? null);
    if (!this.#isActive(end)) throw badEnd('must lie in the future');
    const [id, now] = [newId(), isoTime(clock.now())];
    const fields = { subject, value, reason, until: end };
    const row = { id, ...fields, created_by: by.user_id ?? by.kind, created_at: now, updated_at: now };
    await changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
      await this.#refuseTooMany(trx);
      await BlockRow.query(trx).insert(row);
      return { by, action: 'gateway_block.create', target: targetOf(id), after: row };
    });
    return this.find(id);
  }

  /** Changes the given fields; a time in the past ends the block. Throws what `create` throws, and `BlockNotFound`. */
  async update(by: Author, id: string, changes: BlockUpdateRequest): Promise<Block> {
    const { subjects, clock } = this.#deps;
    const found = await rowOf(this.#deps.database.knex, id);
    const until = changes.until === undefined ? undefined : endOf(changes.until);
    const { subject = found.subject, value = found.value } = changes;
    if (subject !== found.subject || value !== found.value)
      await subjects.check(subject, value, '/body/value');
    await changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
      const before = await rowOf(trx, id);
      const fields = { ...changes, until: until === undefined ? before.until : until };
      if (!before.differsFrom(fields)) return undefined;
      if (!this.#isActive(before.until) && this.#isActive(fields.until)) await this.#refuseTooMany(trx);
      await BlockRow.query(trx)
        .findById(id)
        .patch({ ...fields, updated_at: isoTime(clock.now()) });
      return {
        by,
        action: 'gateway_block.update',
        target: targetOf(id),
        before,
        after: { ...before, ...fields },
      };
    });
    return this.find(id);
  }

  /** Throws `BlockNotFound`. */
  async delete(by: Author, id: string): Promise<void> {
    await changeRule(this.#deps, RULES_CHANGED_TOPIC, async (trx) => {
      const before = await rowOf(trx, id);
      await BlockRow.query(trx).deleteById(id);
      return { by, action: 'gateway_block.delete', target: targetOf(id), before };
    });
  }

  #those(active: boolean | undefined) {
    const { database, clock } = this.#deps;
    if (active === undefined) return BlockRow.query(database.knex);
    const now = clock.now();
    return active
      ? activeBlocks(database.knex, now)
      : BlockRow.query(database.knex).where('until', '<=', isoTime(now));
  }

  async #refuseTooMany(trx: Transaction): Promise<void> {
    if ((await activeBlocks(trx, this.#deps.clock.now()).resultSize()) < MOST_BLOCKS) return;
    throw TooManyRules(`There are ${MOST_BLOCKS} block rules that hold. Delete those that are not needed.`);
  }

  #isActive(until: string | null): boolean {
    return until === null || Date.parse(until) > this.#deps.clock.now();
  }

  #shown(row: BlockRow): Block {
    return { ...row, active: this.#isActive(row.until) };
  }
}

function targetOf(id: string) {
  return { kind: 'gateway_block', id };
}

async function rowOf(connection: Connection, id: string): Promise<BlockRow> {
  const row = isId(id) && (await lockedIn(connection, BlockRow.query(connection).findById(id)));
  if (!row) throw BlockNotFound(`No block rule of the gateway has the id "${id}".`);
  return row;
}

/** The block rules that are active at a time, in milliseconds since 1970. */
export function activeBlocks(connection: Connection, now: number) {
  return BlockRow.query(connection).where((block) =>
    block.whereNull('until').orWhere('until', '>', isoTime(now)),
  );
}

/** The end of a block in the stored form of times. */
function endOf(text: string | null): string | null {
  if (text === null) return null;
  const time = storableTime(text);
  if (time === undefined) throw badEnd('must be a time before the year 10000');
  return isoTime(time);
}

function badEnd(message: string): Error {
  return ValidationFailed(`The block cannot end then: "until" ${message}.`, {
    errors: [{ pointer: '/body/until', message: `${message}.` }],
  });
}

export const BLOCKS = token<Blocks>('gateway:blocks');
