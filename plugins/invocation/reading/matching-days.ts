import {
  DAY_MS,
  isoDay,
  timeOfId,
  type Database,
  type PreparedRead,
  type SqlValue,
} from '../../../core/index.ts';
import type { CallFilter } from '../contract.ts';
import { rollUpsOf } from './kept-calls.ts';
import { dayWithin, FIRST_DAY } from './whole-days.ts';

/** Calls that are rather passed one by one than by a statement of their own. */
const FEW = 1_000;
/** Days that the first look reads; each look reads twice as many as the one before. */
const FIRST_LOOK = 2;
const LONGEST_LOOK = 64;

/** Days, from one midnight to another, that have records that match. Milliseconds; `until` is not included. */
export interface Stretch {
  readonly from: number;
  readonly until: number;
  /** How many match; `undefined` where bounds cut a day, for roll-ups do not know parts of days. */
  readonly matching: number | undefined;
  /** How many more there are on the days that have some. */
  readonly others: number;
}

interface DayRow {
  readonly day: string;
  /** Of any status. */
  readonly calls: number;
  readonly matching: number;
}

/** What is looked for: a filter with a user and a status, and the id before which to begin. */
export interface Sought {
  readonly filter: CallFilter;
  readonly before: string | undefined;
  /** How many are enough: stretches end there, so that no more days are looked at. */
  readonly wanted: number;
}

/**
 * Tells from the roll-ups where records of a status are, newest first. Where there are many others between them a new
 * stretch begins.
 */
export function createMatchingDays(database: Database): (sought: Sought) => AsyncGenerator<Stretch> {
  const statements = new Map<string, PreparedRead<DayRow>>();
  const look = (filter: CallFilter, to: string, most: number): Promise<DayRow[]> => {
    const { userId, algorithmId, status, from = -Infinity } = filter;
    const { table, condition, values } = rollUpsOf({ userId, algorithmId }, { from: dayWithin(from), to });
    const sql = `SELECT day, SUM(calls - gone) AS calls,
        SUM(CASE WHEN status = ? THEN calls - gone ELSE 0 END) AS matching
      FROM ${table} WHERE ${condition} GROUP BY day ORDER BY day DESC LIMIT ?`;
    const statement = statements.get(sql) ?? database.read<DayRow>(sql);
    statements.set(sql, statement);
    return statement.all(...([status!, ...values, most] as SqlValue[]));
  };

  async function* days(filter: CallFilter, end: number): AsyncGenerator<DayRow> {
    let to = dayWithin(end);
    for (let most = FIRST_LOOK; ; most = Math.min(2 * most, LONGEST_LOOK)) {
      const rows = await look(filter, to, most);
      yield* rows;
      const last = rows.at(-1);
      if (rows.length < most || last === undefined || last.day === FIRST_DAY) return;
      to = isoDay(Date.parse(last.day) - DAY_MS);
    }
  }

  return async function* ({ filter, before, wanted }) {
    const { from = -Infinity, until = Infinity } = filter;
    const end = before === undefined ? until : Math.min(until, timeOfId(before));
    let stretch: Stretch | undefined;
    let between = 0;
    let known = 0;
    // The moment of `before` itself may have more records.
    for await (const { day, calls, matching } of days(filter, before === undefined ? end - 1 : end)) {
      if (matching > 0) {
        const next = stretchOf({ day, calls, matching }, { from, until: end });
        const joined = stretch && between <= FEW ? join(stretch, next) : undefined;
        if (stretch && !joined) yield stretch;
        stretch = joined ?? next;
        known += next.matching ?? 0;
        between = 0;
      }
      between += calls - matching;
      if (stretch && known >= wanted) {
        yield stretch;
        stretch = undefined;
      }
    }
    if (stretch) yield stretch;
  };
}

function stretchOf(
  { day, calls, matching }: DayRow,
  bounds: { readonly from: number; readonly until: number },
): Stretch {
  const from = Date.parse(day);
  const until = from + DAY_MS;
  const isWhole = from >= bounds.from && until <= bounds.until;
  return { from, until, matching: isWhole ? matching : undefined, others: calls - matching };
}

/** Days of which it is known how many match; another one stands for itself. */
function join(later: Stretch, earlier: Stretch): Stretch | undefined {
  if (later.matching === undefined || earlier.matching === undefined) return undefined;
  return {
    from: earlier.from,
    until: later.until,
    matching: later.matching + earlier.matching,
    others: later.others + earlier.others,
  };
}
