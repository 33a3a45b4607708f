import type { Dice } from './dice.ts';

/** Repetitions without an upper bound of their own are kept short. */
const USUAL_REPEATS = 4;
const MOST_REPEATS = 1_000;
const LONGEST_PATTERN = 500;
const LONGEST_TEXT = 10_000;
const MOST_STEPS = 50_000;

const CLASSES: Readonly<Record<string, string>> = {
  d: '0123456789',
  w: 'abcdefghijklmnopqrstuvwxyz0123456789_',
  s: ' ',
  D: 'abcxyz',
  W: '-. ',
  S: 'abcxyz',
};
const ANY = 'abcdefghijklmnopqrstuvwxyz';
const PRINTABLE = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');

/**
 * A text that matches a pattern, written by reading the pattern rather than by running it: literals, classes, groups,
 * alternatives and repetitions. `undefined` for what goes beyond (look-around, back references, properties).
 */
export function samplePattern(pattern: string, dice: Dice): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  try {
    const reader = new PatternReader(pattern, dice);
    const text = reader.alternatives();
    return reader.isAtEnd && text.length <= LONGEST_TEXT ? text : undefined;
  } catch (error) {
    if (error instanceof BeyondUs) return undefined;
    throw error;
  }
}

class BeyondUs extends Error {}

class PatternReader {
  readonly #pattern: string;
  readonly #dice: Dice;
  #at = 0;
  #steps = 0;

  constructor(pattern: string, dice: Dice) {
    this.#pattern = pattern;
    this.#dice = dice;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  alternatives(): string {
    const made = [this.#sequence()];
    while (this.#takes('|')) made.push(this.#sequence());
    return this.#dice.pick(made);
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && !'|)'.includes(this.#next)) {
      const start = this.#at;
      let piece = this.#atom();
      const end = this.#at;
      const times = this.#repeats();
      const after = this.#at;
      if (times === 0) piece = '';
      for (let more = 1; more < times; more++) {
        this.#at = start;
        piece += this.#atom();
        this.#at = end;
        if (piece.length > LONGEST_TEXT) throw new BeyondUs();
      }
      this.#at = after;
      text += piece;
    }
    return text;
  }

  #atom(): string {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) throw new BeyondUs();
    const letter = this.#take();
    if (letter === '^' || letter === '$') return '';
    if (letter === '.') return this.#dice.pick([...ANY]);
    if (letter === '[') return this.#dice.pick(this.#classMembers());
    if (letter === '(') return this.#group();
    if (letter === '\\') return this.#dice.pick(this.#escaped());
    if ('*+?{'.includes(letter)) throw new BeyondUs();
    return letter;
  }

  #group(): string {
    if (this.#takes('?') && !this.#takes(':')) throw new BeyondUs();
    const text = this.alternatives();
    if (!this.#takes(')')) throw new BeyondUs();
    return text;
  }

  /** The characters that an escape stands for. */
  #escaped(): string[] {
    const letter = this.#take();
    const members = CLASSES[letter];
    if (members !== undefined) return [...members];
    if (letter === 'n' || letter === 't') return [letter === 'n' ? '\n' : '\t'];
    if (/[a-z0-9]/i.test(letter)) throw new BeyondUs();
    return [letter];
  }

  #classMembers(): string[] {
    const isNegated = this.#takes('^');
    const members: string[] = [];
    while (!this.#takes(']')) {
      const from = this.#takes('\\') ? this.#escaped() : [this.#take()];
      const isRange = from.length === 1 && this.#next === '-' && this.#pattern[this.#at + 1] !== ']';
      members.push(...(isRange ? this.#range(from[0]!) : from));
    }
    const chosen = isNegated ? [...PRINTABLE].filter((letter) => !members.includes(letter)) : members;
    if (chosen.length === 0) throw new BeyondUs();
    return chosen;
  }

  #range(from: string): string[] {
    this.#take();
    const until = this.#takes('\\') ? this.#escaped()[0]! : this.#take();
    const [low, high] = [from.codePointAt(0)!, until.codePointAt(0)!];
    if (high < low || high - low > 0xffff) throw new BeyondUs();
    return Array.from({ length: high - low + 1 }, (_, step) => String.fromCodePoint(low + step));
  }

  #repeats(): number {
    const before = this.#at;
    const times = this.#counted();
    if (this.#at > before) this.#takes('?');
    return times;
  }

  #counted(): number {
    if (this.#takes('*')) return this.#dice.between(0, USUAL_REPEATS);
    if (this.#takes('+')) return this.#dice.between(1, USUAL_REPEATS);
    if (this.#takes('?')) return this.#dice.between(0, 1);
    const [whole, least, comma, most] = /^\{(\d+)(,)?(\d*)\}/.exec(this.#pattern.slice(this.#at)) ?? [];
    if (whole === undefined) return 1;
    this.#at += whole.length;
    const low = Number(least);
    const high = comma === undefined ? low : most === '' ? low + USUAL_REPEATS : Number(most);
    if (low > MOST_REPEATS || high < low) throw new BeyondUs();
    return this.#dice.between(low, Math.min(high, Math.max(low, MOST_REPEATS)));
  }

  get #next(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(): string {
    if (this.isAtEnd) throw new BeyondUs();
    this.#at += 1;
    return this.#pattern[this.#at - 1]!;
  }

  #takes(letter: string): boolean {
    if (this.#next !== letter) return false;
    this.#at += 1;
    return true;
  }
}
