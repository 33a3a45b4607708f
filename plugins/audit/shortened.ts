/** Characters of a text within `before` and `after`; of a longer one the beginning is kept. */
const MOST_OF_A_TEXT = 1000;
/** Characters of JSON in `before` and in `after` each. */
const MOST_OF_A_STATE = 16_384;

/** A state of what was changed, cut to a size that the table can take any number of times. */
export function shortened(state: object): Readonly<Record<string, unknown>> {
  const short: Record<string, unknown> = {};
  let left = MOST_OF_A_STATE;
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined) continue;
    const kept = withShortTexts(value);
    const size = JSON.stringify(kept).length + name.length;
    short[name] = size <= left ? kept : `… (${size} characters)`;
    if (size <= left) left -= size;
  }
  return short;
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return value.map(withShortTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withShortTexts(each)]));
}

function shortText(text: string): string {
  if (text.length <= MOST_OF_A_TEXT) return text;
  // Without half of a pair of surrogates, which no database stores.
  const kept = text.slice(0, MOST_OF_A_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (${text.length} characters)`;
}
