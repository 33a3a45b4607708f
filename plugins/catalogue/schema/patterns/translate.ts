import { codePoint, membersOf } from './properties.ts';

/** A pattern that is not of ECMAScript, or cannot be matched in linear time; the message is a predicate. */
export class PatternFault extends Error {}

const unknown = (what: string) => new PatternFault(`is not a pattern of ECMAScript: ${what}`);
const notLinear = (what: string) =>
  new PatternFault(`is not a pattern that can be matched in linear time: it has ${what}; write it without`);

/** White space and the ends of lines, of which RE2 knows only those of ASCII, as members of a class. */
const WHITE_SPACE = String.raw`\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_WHITE_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;
const EVERYTHING = String.raw`\x{0}-\x{10ffff}`;

/** Escapes of sets of characters; those that RE2 means as ECMAScript does stand for themselves. */
const SETS: ReadonlyMap<string, string> = new Map([
  ['d', '\\d'],
  ['D', '\\D'],
  ['w', '\\w'],
  ['W', '\\W'],
  ['s', WHITE_SPACE],
  ['S', NO_WHITE_SPACE],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
  ['0', 0],
]);

const CODE_UNITS = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/iy;
const CODE = /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/iy;
const CONTROL_LETTER = /\\c([a-z])/iy;
const PROPERTY = /\\[pP]\{[^}]*\}/y;
/** What may stand behind `(?` and has the same meaning in RE2: no capture, or the flags `i` and `m`. */
const GROUP = /\(\?(?:[im]*(?:-[im]+)?:|[im]+(?:-[im]+)?\)|P?<[^=!>][^>]*>)/y;

/** An escape: what it stands for, and whether that is a set of characters or one. */
interface Escaped {
  readonly members: string;
  readonly code?: number;
}

/** Reads a pattern of ECMAScript (flag `u`) once, and writes the pattern of RE2 that means the same. */
class PatternReader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  translate(): string {
    const parts: string[] = [];
    while (this.#at < this.#pattern.length) parts.push(this.#part());
    return parts.join('');
  }

  #part(): string {
    const character = this.#pattern.charAt(this.#at);
    if (character === '\\') return this.#escape();
    if (character === '[') return this.#class();
    if (character === '(') return this.#group();
    this.#at += 1;
    return character === '.' ? `[^${LINE_ENDS}]` : character;
  }

  #group(): string {
    if (!this.#pattern.startsWith('(?', this.#at)) return this.#take('(');
    const around = /\(\?<?[=!]/y;
    around.lastIndex = this.#at;
    if (around.test(this.#pattern)) throw notLinear('look-around');
    const group = this.#match(GROUP);
    if (group === undefined) throw unknown('"(?" begins no group that it knows');
    // Names would have to be unique in RE2, and nothing refers to them.
    return group[0].includes('<') ? '(?:' : group[0];
  }

  #escape(): string {
    const next = this.#pattern.charAt(this.#at + 1);
    if (next === 'b' || next === 'B') return this.#take(`\\${next}`);
    if (/[1-9k]/.test(next)) throw notLinear('a back-reference');
    const { members, code } = this.#escaped();
    return code === undefined ? `[${members}]` : members;
  }

  /** Reads an escape that may stand in a class as well. */
  #escaped(): Escaped {
    const property = this.#match(PROPERTY);
    if (property) return { members: propertyMembers(property[0]) };
    const code = this.#code();
    if (code !== undefined) return { members: codePoint(code), code };
    const next = this.#pattern.charAt(this.#at + 1);
    const set = SETS.get(next);
    if (set === undefined) throw unknown(`it knows no "\\${next}"`);
    this.#at += 2;
    return { members: set };
  }

  #code(): number | undefined {
    const units = this.#match(CODE_UNITS);
    if (units)
      return String.fromCharCode(Number.parseInt(units[1]!, 16), Number.parseInt(units[2]!, 16)).codePointAt(
        0,
      );
    const code = this.#match(CODE);
    if (code) return Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16);
    const control = this.#match(CONTROL_LETTER);
    if (control) return control[1]!.charCodeAt(0) % 32;
    const next = this.#pattern.codePointAt(this.#at + 1);
    if (next === undefined) return undefined;
    const text = String.fromCodePoint(next);
    const named = CONTROLS.get(text);
    // ECMAScript allows no backslash before other punctuation; people write it, and it can mean only one thing.
    if (named === undefined && /[A-Za-z0-9]/.test(text)) return undefined;
    this.#at += 1 + text.length;
    return named ?? next;
  }

  #class(): string {
    const isNegated = this.#pattern.charAt(this.#at + 1) === '^';
    this.#at += isNegated ? 2 : 1;
    const members: string[] = [];
    while (this.#pattern.charAt(this.#at) !== ']') members.push(this.#member());
    this.#at += 1;
    const all = members.join('');
    if (all === '') return isNegated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`;
    return `[${isNegated ? '^' : ''}${all}]`;
  }

  /** A set, a character, or a range of characters. */
  #member(): string {
    const first = this.#classAtom();
    const isRange = this.#pattern.charAt(this.#at) === '-' && this.#pattern.charAt(this.#at + 1) !== ']';
    if (!isRange || first.code === undefined) return first.members;
    this.#at += 1;
    const last = this.#classAtom();
    if (last.code === undefined) return `${first.members}${codePoint(45)}${last.members}`;
    if (last.code < first.code) throw unknown('a range of characters ends before it begins');
    return `${first.members}-${last.members}`;
  }

  #classAtom(): Escaped {
    if (this.#at >= this.#pattern.length) throw unknown('a class of characters has no end');
    if (this.#pattern.startsWith('\\b', this.#at)) {
      this.#at += 2;
      return { members: codePoint(8), code: 8 };
    }
    if (this.#pattern.charAt(this.#at) === '\\') return this.#escaped();
    const code = this.#pattern.codePointAt(this.#at)!;
    this.#at += String.fromCodePoint(code).length;
    return { members: codePoint(code), code };
  }

  #take(text: string): string {
    this.#at += text.length;
    return text;
  }

  /** What a sticky expression finds here; the reading goes on behind it. */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at += found[0].length;
    return found ?? undefined;
  }
}

function propertyMembers(property: string): string {
  const members = membersOf(property);
  if (members !== undefined) return members;
  throw unknown(`it knows no ${property}; write \\p{Letter}, \\p{L} or \\p{Script=Greek}`);
}

/** The pattern of RE2 that means what a pattern means in ECMAScript with the flag `u`. Throws `PatternFault`. */
export function translated(pattern: string): string {
  return new PatternReader(pattern).translate();
}
