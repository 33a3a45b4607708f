import { RE2JS } from 're2js';

/** The general categories whose members RE2 knows as well, by their long names in Unicode. */
const CATEGORIES = new Map(
  Object.entries({
    L: 'Letter',
    Lu: 'Uppercase_Letter',
    Ll: 'Lowercase_Letter',
    Lt: 'Titlecase_Letter',
    Lm: 'Modifier_Letter',
    Lo: 'Other_Letter',
    M: 'Mark',
    Mn: 'Nonspacing_Mark',
    Mc: 'Spacing_Mark',
    Me: 'Enclosing_Mark',
    N: 'Number',
    Nd: 'Decimal_Number',
    Nl: 'Letter_Number',
    No: 'Other_Number',
    P: 'Punctuation',
    Pc: 'Connector_Punctuation',
    Pd: 'Dash_Punctuation',
    Ps: 'Open_Punctuation',
    Pe: 'Close_Punctuation',
    Pi: 'Initial_Punctuation',
    Pf: 'Final_Punctuation',
    Po: 'Other_Punctuation',
    S: 'Symbol',
    Sm: 'Math_Symbol',
    Sc: 'Currency_Symbol',
    Sk: 'Modifier_Symbol',
    So: 'Other_Symbol',
    Z: 'Separator',
    Zs: 'Space_Separator',
    Zl: 'Line_Separator',
    Zp: 'Paragraph_Separator',
  }).flatMap(([short, long]) => [
    [short, short],
    [long, short],
  ]),
);

/** The basic plane without surrogates; above it, a code point has two units in a text. */
const BASIC = 0x10000;
const SURROGATES = { first: 0xd800, count: 0x800 };
const ABOVE = 0x100000;

/** Members of a class by property: to find them takes a look at every code point, which takes 30 ms. */
const known = new Map<string, string>();
let everything: string | undefined;

/** A code point in the syntax of RE2, in a class or outside of one. */
export function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

/**
 * A property of ECMAScript (`\p{Letter}`, `\P{Script=Han}`) as members of a class of RE2; `undefined` when ECMAScript does
 * not know it.
 */
export function membersOf(property: string): string | undefined {
  const before = known.get(property);
  if (before !== undefined) return before;
  let runs: RegExp;
  try {
    runs = new RegExp(`${property}+`, 'gu');
  } catch {
    return undefined;
  }
  const members = sameInRe2(property) ?? rangesOf(runs);
  known.set(property, members);
  return members;
}

/** The property by its name in RE2, where RE2 has it. */
function sameInRe2(property: string): string | undefined {
  const [, p, key, value = ''] = /^\\([pP])\{(?:(\w+)=)?(\w+)\}$/.exec(property) ?? [];
  const name =
    key === 'Script' || key === 'sc' ? value : key?.startsWith('S') ? undefined : CATEGORIES.get(value);
  if (name === undefined) return undefined;
  const inRe2 = `\\${p}{${name}}`;
  try {
    RE2JS.compile(inRe2);
    return inRe2;
  } catch {
    return undefined;
  }
}

/** The code points that JavaScript finds, as ranges. */
function rangesOf(runs: RegExp): string {
  everything ??= everyCodePoint();
  const ranges: string[] = [];
  for (let run = runs.exec(everything); run !== null; run = runs.exec(everything)) {
    ranges.push(`${codePoint(codeAt(run.index))}-${codePoint(codeAt(runs.lastIndex - 1))}`);
  }
  return ranges.join('');
}

/** A text of every code point but surrogates, in order. */
function everyCodePoint(): string {
  const units = new Uint16Array(BASIC - SURROGATES.count + 2 * ABOVE);
  let at = 0;
  for (let code = 0; code < BASIC; code += 1) {
    if (code < SURROGATES.first || code >= SURROGATES.first + SURROGATES.count) units[at++] = code;
  }
  for (let above = 0; above < ABOVE; above += 1) {
    units[at++] = 0xd800 + (above >> 10);
    units[at++] = 0xdc00 + (above & 0x3ff);
  }
  return Buffer.from(units.buffer).toString('utf16le');
}

/** The code point at an index of that text. */
function codeAt(index: number): number {
  const basic = BASIC - SURROGATES.count;
  if (index >= basic) return BASIC + ((index - basic) >> 1);
  return index < SURROGATES.first ? index : index + SURROGATES.count;
}
