import type { Version } from '../api/queries.ts';
import { beforeReload } from '../part.ts';
import { isObject, readFields } from './fields.ts';
import type { Values } from './values.ts';

/**
 * What was entered and not run yet, by what it was entered for. It lasts while the page does, and over a reload in the
 * state of the history entry, which only this tab reads.
 */
const drafts = new Map<string, Values>(Object.entries(stored()));

/** Browsers refuse states of many megabytes. */
const LONGEST = 2_000_000;

export function keptDraft(key: string): Values | undefined {
  return drafts.get(key);
}

export function keepDraft(key: string, values: Values, version: Version): void {
  drafts.delete(key);
  drafts.set(key, { ...values, input: withoutSecrets(values.input, version.input_schema) });
  storeDrafts();
}

/** Passwords are typed again. */
function withoutSecrets(input: Values['input'], schema: unknown): Values['input'] {
  const secret = readFields(schema).filter(({ schema: { format } }) => format === 'password');
  if (secret.length === 0) return input;
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => secret.every((field) => field.name !== name)),
  );
}

function stored(): Record<string, Values> {
  const state = history.state as unknown;
  return isObject(state) && isObject(state['drafts']) ? (state['drafts'] as Record<string, Values>) : {};
}

const PAUSE_MS = 300;
let waiting: number | undefined;

/**
 * Stores the drafts in the current entry of the history, since a new entry has none. It waits a moment, because browsers
 * limit how many states are stored per minute.
 */
export function storeDrafts(): void {
  clearTimeout(waiting);
  waiting = setTimeout(write, PAUSE_MS);
}

beforeReload(write);

function write(): void {
  let length = 0;
  // The newest ones are kept.
  const kept = [...drafts]
    .reverse()
    .filter(([, values]) => (length += JSON.stringify(values).length) <= LONGEST);
  const state = { ...(history.state as object), drafts: Object.fromEntries(kept) };
  // The router listens to the method of `history` itself; this is no step of the way through the console.
  History.prototype.replaceState.call(history, state, '');
}
