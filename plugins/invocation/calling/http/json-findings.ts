/** An array or object that is open at the current position. */
interface Level {
  readonly isObject: boolean;
  key: string;
  index: number;
  /** Whether the next string is a key of this object. */
  expectsKey: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
/** Decimals of at most 15 digits are the same after a double. */
const SAFE_DIGITS = 15;
/** `toPrecision` writes at most this many. */
const MAX_DIGITS = 100;
/** White space, punctuation and quotes, which end a word. */
const NO_WORD: ReadonlySet<number> = new Set(Buffer.from(' \t\n\r,:[]{}"'));
const LITERALS: ReadonlySet<string> = new Set(['true', 'false', 'null']);
/** Words of other notations, which messages may quote; any other word could be output that must not be stored. */
const FOREIGN_WORD = /^(?:-?NaN|[+-]?Infinity|-?inf|nan|undefined|None|True|False)$/;

/**
 * Describes what is wrong with JSON text as the second half of a sentence with a JSON pointer: a value that cannot be
 * stored and returned unchanged, a word that JSON does not have, or a text that ends too early. `undefined` when none of
 * these is found; other faults of the grammar are not checked.
 */
export function findingIn(text: string): string | undefined {
  if (text.trim() === '') return 'it is empty';
  const levels: Level[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    const finding = faultOf(token, levels.at(-1)?.expectsKey === true);
    if (finding !== undefined) return `${finding} at ${pointerTo(levels)}`;
    move(levels, token);
    at = end;
  }
  return levels.length > 0 ? 'it ends too early' : undefined;
}

/** A token is a punctuation mark, white space, a string or a word. A word is a number, a literal or invalid. */
function endOfToken(text: string, start: number): number {
  if (text.charAt(start) === '"') return endOfString(text, start);
  let end = start;
  while (end < text.length && !NO_WORD.has(text.charCodeAt(end))) end += 1;
  return Math.max(end, start + 1);
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charAt(quote - 1 - slashes) === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function faultOf(token: string, isKey: boolean): string | undefined {
  const first = token.charAt(0);
  if (first === '"') return faultOfString(token, isKey);
  if (NO_WORD.has(first.charCodeAt(0)) || LITERALS.has(token)) return undefined;
  if (!NUMBER.test(token))
    return `it contains ${FOREIGN_WORD.test(token) ? token : 'a word'}, which JSON does not allow,`;
  const value = Number(token);
  if (!Number.isFinite(value)) return 'it has a number that is too large';
  if (value === 0 && /^-?[0.]*[1-9]/.test(token)) return 'it has a number that is too small';
  if (token.length <= SAFE_DIGITS || String(value) === token || keepsDigits(token, value)) return undefined;
  return `it has ${INTEGER.test(token) ? 'an integer' : 'a number'} that would lose digits (text would keep them)`;
}

/**
 * Whether a number has the digits with which its double is written again. A fraction may also have more of them, as long
 * as they are those of the double: `%.17g` writes 0.1 as 0.10000000000000001.
 */
function keepsDigits(token: string, value: number): boolean {
  const digits = digitsOf(token);
  if (digits.length <= SAFE_DIGITS || digits === digitsOf(value.toExponential())) return true;
  if (INTEGER.test(token) || digits.length > MAX_DIGITS) return false;
  return digits === digitsOf(value.toPrecision(digits.length));
}

/** The digits of a number without zeros at either end. */
function digitsOf(number: string): string {
  return number
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}

function faultOfString(token: string, isKey: boolean): string | undefined {
  if (!token.includes('\\')) return undefined;
  const value = meaningOf(token);
  const where = isKey ? 'in a key' : 'in a string';
  if (value.includes('\0')) return `it has a NUL character ${where}`;
  return /\p{Surrogate}/u.test(value) ? `it has half of a surrogate pair ${where}` : undefined;
}

/** The value of a string token; empty for a broken escape, which `JSON.parse` refuses. */
function meaningOf(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return '';
  }
}

/** Updates the levels for a token. */
function move(levels: Level[], token: string): void {
  const level = levels.at(-1);
  if (token === '{' || token === '[') {
    levels.push({ isObject: token === '{', key: '', index: 0, expectsKey: token === '{' });
  } else if (token === '}' || token === ']') {
    levels.pop();
  } else if (token === ',' && level) {
    level.index += 1;
    level.expectsKey = level.isObject;
  } else if (token.startsWith('"') && level?.expectsKey === true) {
    level.key = meaningOf(token);
    level.expectsKey = false;
  }
}

function pointerTo(levels: readonly Level[]): string {
  const parts = levels.map(({ isObject, key, index }) => (isObject ? key : String(index)));
  return parts.length === 0
    ? 'its root'
    : parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
