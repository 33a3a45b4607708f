import { hash } from 'node:crypto';
import {
  cursorOf,
  DAY_MS,
  dateRange,
  idIn,
  isId,
  isoTime,
  lowestIdAt,
  newId,
  token,
  type Clock,
  type Connection,
  type Database,
  type Transaction,
  type AUDIT_SINKS,
  type ServiceOf,
} from '../../core/index.ts';
import type { AuditSettings } from './config.ts';
import { EntryRow } from './models.ts';
import type { AuditFilter, AuditPage, AuditQuery, Entry } from './schemas.ts';
import { shortened } from './shortened.ts';

const MINUTE = 60_000;
/** Entries that are read at once for an export. */
const EXPORT_PAGE = 500;
/** Entries that one transaction deletes. */
const DELETED_AT_ONCE = 1000;
/** Characters of a name that are kept. */
const LONGEST_NAME = 200;

export interface TrailDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly settings: AuditSettings;
}

/** An entry as sinks get it. */
type SinkEntry = Parameters<ServiceOf<typeof AUDIT_SINKS>['record']>[1];

/** The audit trail: written as changes are made, read by administrators. */
export class Trail {
  readonly #deps: TrailDeps;

  constructor(deps: TrailDeps) {
    this.#deps = deps;
  }

  /** Writes an entry in the transaction of the change. Failures that repeat within a minute become one entry. */
  async record(trx: Transaction | undefined, entry: SinkEntry): Promise<void> {
    const row = rowOf(entry, this.#deps.clock.now());
    if (trx) await write(row, trx);
    else await this.#deps.database.transaction((own) => write(row, own));
  }

  /** Newest first. Throws `ValidationFailed` for a date or a cursor that cannot be read. */
  async list(query: AuditQuery): Promise<AuditPage> {
    const { skip, limit } = query;
    const { knex } = this.#deps.database;
    const total = await matching(knex, query).resultSize();
    // Reads one more entry to find out whether there is another page.
    const rows = await page(knex, query, idIn(query.cursor))
      .offset(skip)
      .limit(limit + 1);
    const entries = rows.slice(0, limit).map(shown);
    const next_cursor = rows.length > limit ? cursorOf(entries.at(-1)!.id) : null;
    return { entries, count: entries.length, skip, limit, total, next_cursor };
  }

  /** All entries that match as JSON, newest first, some at a time. Throws `ValidationFailed`. */
  export(filter: AuditFilter): AsyncIterable<readonly string[]> {
    dateRange(filter);
    return exported(this.#deps.database.knex, filter);
  }

  /** Deletes the entries that are old enough, until the signal aborts. */
  async deleteOld(signal: AbortSignal): Promise<void> {
    const { database, clock, settings } = this.#deps;
    const below = lowestIdAt(clock.now() - settings.kept_days * DAY_MS);
    for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE && !signal.aborted;) {
      deleted = await database.transaction(async (trx) => {
        const old = EntryRow.query(trx)
          .select('id')
          .where('id', '<', below)
          .orderBy('id')
          .limit(DELETED_AT_ONCE);
        return EntryRow.query(trx).delete().whereIn('id', old);
      });
    }
  }
}

async function write(row: Columns, trx: Transaction): Promise<void> {
  const inserted = EntryRow.query(trx).insert(row);
  if (row.repeat_key === null) await inserted;
  else await inserted.onConflict('repeat_key').merge({ count: trx.raw('audit_entries.count + 1') });
}

type Columns = Pick<EntryRow, keyof Entry | 'repeat_key'>;

function rowOf({ author, action, outcome, target, before, after }: SinkEntry, now: number): Columns {
  const { kind, name, user_id, credential_id, address, request_id } = author;
  const row = {
    id: newId(now),
    created_at: isoTime(now),
    action,
    outcome,
    actor_kind: kind,
    actor_id: user_id ?? null,
    actor_name: short(name),
    credential_id: credential_id ?? null,
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_name: short(target?.name),
    before: before ? shortened(before) : null,
    after: after ? shortened(after) : null,
    address: address ?? null,
    request_id: request_id ?? null,
    count: 1,
  };
  return { ...row, repeat_key: outcome === 'failure' ? repeatKey(row, now) : null };
}

/** The same for failures of the same kind within a minute, by the same actor and address and about the same target. */
function repeatKey(
  row: Pick<Columns, 'action' | 'actor_id' | 'target_kind' | 'target_id' | 'target_name' | 'address'>,
  now: number,
): string {
  const { action, actor_id, target_kind, target_id, target_name, address } = row;
  const parts = [action, actor_id, target_kind, target_id, target_name, address, Math.floor(now / MINUTE)];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

/** Clients make up names of any length, with characters that a database does not store. */
function short(name: string | undefined): string | null {
  return name === undefined ? null : name.slice(0, LONGEST_NAME).replaceAll(/[\p{Cc}\p{Cs}]/gu, '?');
}

function matching(connection: Connection, filter: AuditFilter) {
  const { actor, action, target_kind, target_id, outcome } = filter;
  const { from, until } = dateRange(filter);
  const query = EntryRow.query(connection);
  if (from !== undefined) void query.where('id', '>=', lowestIdAt(from));
  if (until !== undefined) void query.where('id', '<', lowestIdAt(until));
  if (actor !== undefined) void query.where(isId(actor) ? 'actor_id' : 'actor_name', actor);
  for (const [name, value] of Object.entries({ action, target_kind, target_id, outcome }))
    if (value !== undefined) void query.where(name, value);
  return query;
}

function page(connection: Connection, filter: AuditFilter, before: string | undefined) {
  const query = matching(connection, filter).orderBy('id', 'desc');
  return before === undefined ? query : query.where('id', '<', before);
}

/** Each page continues after the last entry of the one before, so the last one is as fast as the first. */
async function* exported(connection: Connection, filter: AuditFilter): AsyncGenerator<readonly string[]> {
  for (let before: string | undefined; ;) {
    const rows = await page(connection, filter, before).limit(EXPORT_PAGE);
    if (rows.length > 0) yield rows.map((row) => JSON.stringify(shown(row)));
    if (rows.length < EXPORT_PAGE) return;
    before = rows.at(-1)!.id;
  }
}

function shown(row: Columns): Entry {
  const { repeat_key: _key, ...entry } = row;
  return entry;
}

export const TRAIL = token<Trail>('audit:trail');
