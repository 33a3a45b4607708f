import { setImmediate as turn } from 'node:timers/promises';
import type { PreparedRead } from '../../../core/index.ts';
import { conditionOf } from './call-condition.ts';
import type { CallFilter } from '../contract.ts';

/** Ids from `lowest`, or from the first there is, up to `before`, or to the last. */
export interface CallWindow {
  readonly lowest: string | undefined;
  readonly before: string | undefined;
}

/**
 * Parts what matches into windows of `size` records, newest first; the last, which has no `lowest`, has what is left.
 * Between them others have their turn: SQLite reads on the main thread.
 */
export async function* callWindows(
  prepared: (sql: string) => PreparedRead<{ readonly id: string }>,
  filter: CallFilter,
  page: { readonly before: string | undefined; readonly size: number },
): AsyncGenerator<CallWindow> {
  const { size } = page;
  let { before } = page;
  for (;;) {
    const { sql, values } = conditionOf(filter, { before });
    const text = `SELECT id FROM invocation_calls${sql} ORDER BY id DESC LIMIT 1 OFFSET ${size - 1}`;
    const lowest = (await prepared(text).first(...values))?.id;
    yield { lowest, before };
    if (lowest === undefined) return;
    before = lowest;
    await turn();
  }
}
