import type { Database } from '../../../core/index.ts';
import type { CallReads, SizedRow } from './call-reads.ts';
import type { CallFilter, CallPage } from '../contract.ts';
import { ALL_TIME, type Days, type KeptCalls } from './kept-calls.ts';
import { createMatchingDays, type Stretch } from './matching-days.ts';
import { dayWithin } from './whole-days.ts';

/** Others among which what matches is not looked for by one statement, for SQLite reads on the main thread. */
const MANY = 10_000;

/** Newest first; ends with the record that reaches `maxBytes`. */
export type CallPages = (filter: CallFilter, page: CallPage, maxBytes: number) => Promise<SizedRow[]>;

/**
 * Finds pages of records. No index has the successes of a caller: they are looked for only on days on which roll-ups
 * say there are some, and not behind the last of them, so that nobody is led past all that ever failed.
 */
export function createCallPages(database: Database, reads: CallReads, kept: KeptCalls): CallPages {
  const matchingDays = createMatchingDays(database);

  /** Not behind the last of them, where it is known how many there are. */
  const within = async (filter: CallFilter, stretch: Stretch, page: CallPage): Promise<readonly string[]> => {
    const isLong = database.engine === 'sqlite' && stretch.others > MANY;
    const find = (some: CallPage) => (isLong ? reads.walk(filter, some) : reads.ids(filter, some));
    for (let { matching } = stretch; matching !== undefined;) {
      const most = Math.min(page.limit, matching - page.skip);
      const found = await find({ ...page, limit: most });
      // Calls that ended meanwhile are newer than those that were counted, and have pushed the oldest out.
      const now = found.length < page.limit ? await kept(filter, daysOf(stretch)) : matching;
      if (now <= matching) return found;
      matching = now;
    }
    return find(page);
  };

  const successes = async (filter: CallFilter, page: CallPage): Promise<readonly string[]> => {
    const { before, limit } = page;
    const ids: string[] = [];
    let { skip } = page;
    if ((await kept(filter, ALL_TIME)) === 0) return ids;
    for await (const stretch of matchingDays({ filter, before, wanted: skip + limit })) {
      const part = partOf(filter, stretch);
      const passed = skip === 0 ? 0 : (stretch.matching ?? (await reads.count(part, before)));
      if (skip > 0 && passed <= skip) {
        skip -= passed;
        continue;
      }
      ids.push(...(await within(part, stretch, { skip, limit: limit - ids.length, before })));
      if (ids.length >= limit) break;
      skip = 0;
    }
    return ids;
  };

  return async (filter, page, maxBytes) => {
    const { userId, versionId, status } = filter;
    const isIndexed = status !== 'success' || userId === undefined || versionId !== undefined;
    return reads.rows(await (isIndexed ? reads.ids(filter, page) : successes(filter, page)), maxBytes);
  };
}

function daysOf({ from, until }: Stretch): Days {
  return { from: dayWithin(from), to: dayWithin(until - 1) };
}

function partOf(filter: CallFilter, { from, until }: Stretch): CallFilter {
  return {
    ...filter,
    from: Math.max(from, filter.from ?? -Infinity),
    until: Math.min(until, filter.until ?? Infinity),
  };
}
