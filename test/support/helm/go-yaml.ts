/** What values files can hold. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/**
 * Writes a value as Helm's `toYaml` does (Go's yaml.v2: sorted keys, lists not indented). Only texts whose style is
 * certain are written; any other is refused, for a test that renders wrongly is worse than none.
 */
export function goYaml(value: Value): string {
  return lines(value).join('\n');
}

function lines(value: Value): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return ['[]'];
    return value.flatMap((item: Value) => lines(item).map((line, n) => `${n === 0 ? '- ' : '  '}${line}`));
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => byKey(a, b));
    if (entries.length === 0) return ['{}'];
    return entries.flatMap(([key, inner]) => entry(text(key), inner as Value));
  }
  return [scalar(value as string | number | boolean | null)];
}

function entry(key: string, value: Value): readonly string[] {
  const below = lines(value);
  if (typeof value !== 'object' || value === null || isEmpty(value)) return [`${key}: ${below[0]}`];
  const indent = Array.isArray(value) ? '' : '  ';
  return [`${key}:`, ...below.map((line) => indent + line)];
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw unknown(value);
  return String(value);
}

const PLAIN = [
  /^[A-Za-z](?:[\w ./@-]|:(?=[^ ]))*$/,
  // Quantities, and addresses or networks.
  /^\d+(?:m|k|M|G|T|Ki|Mi|Gi|Ti|s)$/,
  /^\d+(?:\.\d+){3}(?:\/\d+)?$/,
];
const OTHER_TYPES = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;

function text(value: string): string {
  if (value === '' || /^\d+$/.test(value) || OTHER_TYPES.test(value)) return JSON.stringify(value);
  if (!value.endsWith(' ') && PLAIN.some((pattern) => pattern.test(value))) return value;
  throw unknown(value);
}

/** Letters come after everything else, and upper case before lower; where numbers would be compared is not known here. */
function byKey(a: string, b: string): number {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  const [left, right] = [a[at] ?? '', b[at] ?? ''];
  if (at < 0 || right === '') return a.length - b.length;
  if (/\d/.test(left + right)) throw new Error(`How Go sorts "${a}" and "${b}" is not known here.`);
  const [isLeft, isRight] = [left, right].map((letter) => /[A-Za-z]/.test(letter));
  if (isLeft !== isRight) return isLeft ? 1 : -1;
  return left < right ? -1 : 1;
}

function unknown(value: unknown): Error {
  return new Error(`How Go writes ${JSON.stringify(value)} in YAML is not known here.`);
}
