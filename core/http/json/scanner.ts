import { ForbiddenKey, TooDeep, TooManyParts } from '../../errors/core-problems.ts';
import type { FieldError } from '../../errors/problem.ts';
import { directionAt, roundedOutward } from './bounds.ts';
import { endOfString } from './excess.ts';
import { beyond, jsonLimits, MAX_DEPTH, type JsonLimits } from './limits.ts';

/** Beyond this many keys in one object a set finds duplicates faster than a list. */
const LIST_UNTIL = 12;
/** A whole number of at most 15 digits is exact in a double, and a fraction of this length cannot overflow. */
const ALWAYS_SAFE_DIGITS = 15;
const LONGEST_FRACTION = 300;
/** A number that is not zero as it is written. */
const NOT_ZERO = /^-?[0.]*[1-9]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LETTER_E = 101;
const LOWER_CASE = 32;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** An object or array that is open at the current position of the scan. */
class Level {
  isObject = false;
  index = 0;
  key = '';
  keys: string[] = [];
  keySet: Set<string> | undefined;

  open(isObject: boolean): void {
    this.isObject = isObject;
    this.index = 0;
    this.key = '';
    this.keys.length = 0;
    this.keySet = undefined;
  }

  /** The number of keys so far. */
  get count(): number {
    return this.keySet?.size ?? this.keys.length;
  }

  /** Adds a key; false when the object already has it. */
  add(key: string): boolean {
    this.key = key;
    if (this.keySet) {
      const before = this.keySet.size;
      return this.keySet.add(key).size > before;
    }
    if (this.keys.includes(key)) return false;
    this.keys.push(key);
    if (this.keys.length > LIST_UNTIL) this.keySet = new Set(this.keys);
    return true;
  }
}

/** A number that stands in the place of another one in the text. */
export interface JsonEdit {
  readonly start: number;
  readonly end: number;
  readonly number: number;
}

/** What a scan found. */
export interface JsonScan {
  /** Values that JSON allows and the service cannot store: NUL, half a surrogate pair, numbers that no double holds. */
  readonly findings: readonly FieldError[];
  /** Bounds that are rounded, in the order of the text. */
  readonly edits: readonly JsonEdit[];
}

/**
 * Scans JSON text once, before `JSON.parse`, and refuses what would parse but cause harm later: depth that overflows the
 * stack when serialised, too many parts, duplicate keys, keys that pollute prototypes. It does not check the grammar.
 * One scanner serves all requests, because a scan is synchronous.
 */
export class JsonScanner {
  readonly #levels = Array.from({ length: MAX_DEPTH + 1 }, () => new Level());
  #text = '';
  #depth = 0;
  #containers = 0;
  #strings = 0;
  #keys = 0;
  #findings: FieldError[] = [];
  #edits: JsonEdit[] = [];
  #limits = jsonLimits(0);
  #boundsIn: readonly string[] = [];

  /**
   * Throws `TooDeep`, `TooManyParts` or `ForbiddenKey`. Bounds in the top-level fields `boundsIn` may have more digits than
   * a double.
   */
  scan(text: string, limits: JsonLimits, boundsIn: readonly string[] = []): JsonScan {
    this.#text = text;
    this.#limits = limits;
    this.#boundsIn = boundsIn;
    this.#depth = 0;
    this.#containers = 0;
    this.#strings = 0;
    this.#keys = 0;
    this.#findings = [];
    this.#edits = [];
    this.#levels[0]!.open(false);
    for (let at = 0; at < text.length;) at = this.#step(at);
    this.#text = '';
    return { findings: this.#findings, edits: this.#edits };
  }

  /** Handles the token at an index and returns the index to continue at. */
  #step(at: number): number {
    const code = this.#text.charCodeAt(at);
    if (code === QUOTE) return this.#string(at);
    if (code === COMMA) this.#levels[this.#depth]!.index += 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#open(code === OPEN_BRACE);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#depth = Math.max(0, this.#depth - 1);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) return this.#number(at);
    return at + 1;
  }

  #open(isObject: boolean): void {
    this.#depth += 1;
    this.#containers += 1;
    if (this.#depth > this.#limits.depth) throw TooDeep(`The body ${beyond(this.#limits, 'depth')}.`);
    if (this.#containers > this.#limits.containers) throw this.#tooMany('containers');
    this.#levels[this.#depth]!.open(isObject);
  }

  #string(start: number): number {
    this.#strings += 1;
    if (this.#strings > this.#limits.strings) throw this.#tooMany('strings');
    const end = endOfString(this.#text, start);
    const escaped = this.#text.slice(start, end).includes('\\');
    if (this.#levels[this.#depth]!.isObject && isKey(this.#text, end)) this.#key(start, end, escaped);
    if (escaped) this.#checkText(start, end);
    return end;
  }

  #key(start: number, end: number, escaped: boolean): void {
    this.#keys += 1;
    if (this.#keys > this.#limits.keys) throw this.#tooMany('keys');
    const raw = this.#text.slice(start + 1, end - 1);
    const key = escaped ? unescape(raw) : raw;
    const parent = this.#levels[this.#depth - 1]!;
    if (key === '__proto__' || (key === 'prototype' && parent.isObject && parent.key === 'constructor')) {
      throw ForbiddenKey(`The body has the key "${key}" at ${this.#pointer()}, which is refused.`);
    }
    const level = this.#levels[this.#depth]!;
    if (!level.add(key)) {
      throw ForbiddenKey(`The body has the key "${key.slice(0, 100)}" twice at ${this.#pointer()}.`);
    }
    if (level.count > this.#limits.keysOfObject) throw this.#tooMany('keysOfObject');
  }

  #checkText(start: number, end: number): void {
    const text = unescape(this.#text.slice(start + 1, end - 1));
    if (text.includes('\0')) this.#find('must not contain the character NUL.');
    else if (LONE_SURROGATE.test(text)) this.#find('must not contain half a surrogate pair.');
  }

  #number(start: number): number {
    let end = start + 1;
    let isInteger = true;
    let hasExponent = false;
    for (; ; end += 1) {
      const code = this.#text.charCodeAt(end);
      if (code >= ZERO && code <= NINE) continue;
      if (code === DOT || code === PLUS || code === MINUS) isInteger = false;
      else if ((code | LOWER_CASE) === LETTER_E) hasExponent = true;
      else break;
    }
    const length = end - start;
    const isWhole = isInteger && !hasExponent;
    if (hasExponent || length > LONGEST_FRACTION || (isWhole && length > ALWAYS_SAFE_DIGITS)) {
      this.#checkNumber(start, end, isWhole);
    }
    return end;
  }

  #checkNumber(start: number, end: number, isInteger: boolean): void {
    const literal = this.#text.slice(start, end);
    const value = Number(literal);
    if (value === Infinity || value === -Infinity) return this.#find('is a number too large to keep.');
    if (value === 0 && NOT_ZERO.test(literal)) return this.#find('is a number too small to keep.');
    if (!isInteger || Number.isSafeInteger(value) || isKept(literal, value)) return;
    const direction = this.#boundsIn.includes(this.#levels[1]!.key) ? directionAt(this.#path()) : undefined;
    if (direction) this.#edits.push({ start, end, number: roundedOutward(literal, direction) });
    else this.#find('is a whole number that would lose digits; send it as a string.');
  }

  #tooMany(what: keyof JsonLimits): Error {
    return TooManyParts(`The body ${beyond(this.#limits, what)}. Send less at once.`);
  }

  #find(message: string): void {
    if (this.#findings.length < 20) this.#findings.push({ pointer: this.#pointer(), message });
  }

  /** The keys that lead to the current position; empty for items of arrays. */
  #path(): string[] {
    return this.#levels.slice(1, this.#depth + 1).map(({ isObject, key }) => (isObject ? key : ''));
  }

  /** The current position of the scan as a JSON pointer. */
  #pointer(): string {
    const parts = this.#levels
      .slice(1, this.#depth + 1)
      .map((level) => (level.isObject ? level.key : level.index));
    return ['/body', ...parts.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join(
      '/',
    );
  }
}

/** Whether a double is a whole number, or is written as that number in JavaScript, so that it may be sent back. */
function isKept(literal: string, value: number): boolean {
  return String(value) === literal || BigInt(literal) === BigInt(value);
}

/** Whether the next character that is not white space is a colon. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 32) at += 1;
  return text.charCodeAt(at) === COLON;
}

/** The decoded text of a JSON string; text with a broken escape is returned unchanged, because `JSON.parse` refuses it later. */
function unescape(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
