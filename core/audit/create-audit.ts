import { isDeepStrictEqual } from 'node:util';
import { redacted } from '../telemetry/redact.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Transaction } from '../persistence/database.ts';
import type { Audit, AuditEntry, AuditRecord, AuditSink } from './audit.ts';
import type { Author } from './author.ts';

/** Passes changes on to every sink; does nothing when there is none. */
export function createAudit({
  sinks,
  logger,
}: {
  readonly sinks: readonly AuditSink[];
  readonly logger: Logger;
}): Audit {
  return {
    record: async (trx, author, change) => {
      if (sinks.length === 0) return;
      const entry = entryOf(author, change);
      if (entry === undefined) return;
      for (const sink of sinks) await written(sink, trx, entry, logger);
    },
  };
}

async function written(
  sink: AuditSink,
  trx: Transaction | undefined,
  entry: AuditEntry,
  logger: Logger,
): Promise<void> {
  try {
    await sink.record(trx, entry);
  } catch (error) {
    // What was done outside of the database cannot be undone.
    if (trx) throw error;
    logger.error({ err: error, action: entry.action }, 'The audit trail could not record what was done.');
  }
}

/** `undefined` for a change without a difference. */
function entryOf(author: Author, { before, after, ...change }: AuditRecord): AuditEntry | undefined {
  const outcome = change.outcome ?? 'success';
  if (!before || !after) {
    return {
      ...change,
      author,
      outcome,
      ...(before && { before: redacted(plain(before)) }),
      ...(after && { after: redacted(plain(after)) }),
    };
  }
  const changed = differing(before, after);
  if (changed.length === 0) return undefined;
  const part = (of: object) =>
    redacted(Object.fromEntries(Object.entries(of).filter(([name]) => changed.includes(name))));
  return { ...change, author, outcome, before: part(before), after: part(after) };
}

/** Without the prototype of a model, whose inner values would be masked otherwise. */
function plain(value: object): object {
  return { ...value };
}

/** The names of the fields that differ. The time of the change is that of the entry. */
function differing(before: object, after: object): readonly string[] {
  const [from, to] = [before, after] as readonly Readonly<Record<string, unknown>>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete('updated_at');
  return [...names].filter((name) => !isDeepStrictEqual(from![name], to![name]));
}
