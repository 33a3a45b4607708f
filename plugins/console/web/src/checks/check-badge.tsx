import type { Check } from '../api/queries.ts';
import { showAgo, showMoment, text } from '../texts/text.ts';

const TONES = { working: 'good', broken: 'bad', unchecked: '' } as const;

/** Whether a version answers its examples as they expect, and since when. */
export function CheckBadge({ check: { state, since } }: { readonly check: Check }) {
  const name = text.checks.states[state];
  return (
    <span
      className={`badge dot ${TONES[state]}`}
      title={since === null ? text.checks.meaning : text.checks.meaningSince(showMoment(since))}
    >
      {name}
    </span>
  );
}

/** The same in words: `working since 3 days ago`. */
export function CheckSince({ check: { state, since } }: { readonly check: Check }) {
  if (since === null) return text.checks.states[state];
  return (
    <>
      {text.checks.since[state]} <time dateTime={since}>{showMoment(since)}</time>
      <span className="quiet"> ({showAgo(since)})</span>
    </>
  );
}
