import type { Budget } from './budget.ts';
import { charactersBetween, charactersOf, drawnFrom, type Characters } from './characters.ts';
import type { Dice } from './dice.ts';

/** Repetitions without an upper bound of their own are kept short. */
const USUAL_REPEATS = 4;
const MOST_REPEATS = 1_000;
const LONGEST_PATTERN = 500;
const LONGEST_TEXT = 10_000;

const PRINTABLE = [0x20, 0x7e] as const;
const DIGITS = charactersOf('0123456789');
const WORD = [...DIGITS, ...charactersOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_')];
const SPACE = charactersOf(' ');

/** As far as they can be printed. */
const CLASSES: Readonly<Record<string, Characters>> = {
  d: DIGITS,
  w: WORD,
  s: SPACE,
  D: charactersBetween(...PRINTABLE, DIGITS),
  W: charactersBetween(...PRINTABLE, WORD),
  S: charactersBetween(...PRINTABLE, SPACE),
  n: charactersOf('\n'),
  t: charactersOf('\t'),
};
const ANY = charactersBetween(0x61, 0x7a);

/** Writes one text that matches; each time another one. */
type Write = () => string;

/**
 * A text that matches a pattern, written by reading the pattern rather than by running it: literals, classes, groups,
 * alternatives and repetitions. `undefined` for what goes beyond (look-around, back references, properties). Throws
 * `SampleTooLarge` when it takes more than the budget holds.
 */
export function samplePattern(pattern: string, dice: Dice, budget: Budget): string | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  budget.spend(pattern.length);
  try {
    return new PatternReader(pattern, dice, budget).whole()();
  } catch (error) {
    if (error instanceof BeyondUs) return undefined;
    throw error;
  }
}

class BeyondUs extends Error {}

class PatternReader {
  /** By character: patterns are of Unicode, where no half of one stands for itself. */
  readonly #pattern: readonly string[];
  readonly #dice: Dice;
  readonly #budget: Budget;
  #at = 0;

  constructor(pattern: string, dice: Dice, budget: Budget) {
    this.#pattern = [...pattern];
    this.#dice = dice;
    this.#budget = budget;
  }

  whole(): Write {
    const write = this.#alternatives();
    if (!this.#isAtEnd) throw new BeyondUs();
    return write;
  }

  #alternatives(): Write {
    const choices = [this.#sequence()];
    while (this.#takes('|')) choices.push(this.#sequence());
    return () => this.#dice.pick(choices)();
  }

  #sequence(): Write {
    const parts: Write[] = [];
    while (!this.#isAtEnd && !'|)'.includes(this.#next)) parts.push(this.#repeated(this.#atom()));
    return () => this.#joined(parts);
  }

  #repeated(write: Write): Write {
    const [least, most] = this.#repeats();
    if (least === 1 && most === 1) return write;
    return () => this.#joined(Array<Write>(this.#dice.between(least, most)).fill(write));
  }

  #joined(parts: readonly Write[]): string {
    let text = '';
    for (const write of parts) {
      this.#budget.spend(1);
      text += write();
      if (text.length > LONGEST_TEXT) throw new BeyondUs();
    }
    return text;
  }

  #atom(): Write {
    const letter = this.#take();
    if (letter === '^' || letter === '$') return () => '';
    if (letter === '(') return this.#group();
    if (letter === '.') return this.#oneOf(ANY);
    if (letter === '[') return this.#oneOf(this.#class());
    if (letter === '\\') return this.#oneOf(this.#escaped());
    if ('*+?{'.includes(letter)) throw new BeyondUs();
    return () => letter;
  }

  #group(): Write {
    if (this.#takes('?') && !this.#takes(':')) throw new BeyondUs();
    const write = this.#alternatives();
    if (!this.#takes(')')) throw new BeyondUs();
    return write;
  }

  #oneOf(characters: Characters): Write {
    if (characters.length === 0) throw new BeyondUs();
    return () => {
      this.#budget.spend(characters.length / 16);
      return drawnFrom(characters, this.#dice);
    };
  }

  /** The characters that an escape stands for. */
  #escaped(): Characters {
    const letter = this.#take();
    const known = CLASSES[letter];
    if (known === undefined && /[a-z0-9]/i.test(letter)) throw new BeyondUs();
    return known ?? charactersOf(letter);
  }

  #class(): Characters {
    const isNegated = this.#takes('^');
    const members: Characters[number][] = [];
    while (!this.#takes(']')) {
      const from = this.#member();
      const isRange = from.length === 1 && this.#next === '-' && this.#pattern[this.#at + 1] !== ']';
      members.push(...(isRange ? this.#range(from) : from));
    }
    return isNegated ? charactersBetween(...PRINTABLE, members) : members;
  }

  #member(): Characters {
    return this.#takes('\\') ? this.#escaped() : charactersOf(this.#take());
  }

  #range([from]: Characters): Characters {
    this.#take();
    const characters = charactersBetween(from![0], this.#member()[0]![0]);
    if (characters.length === 0) throw new BeyondUs();
    return characters;
  }

  /** How often what was just read may stand there. */
  #repeats(): readonly [least: number, most: number] {
    const before = this.#at;
    const bounds = this.#counted();
    if (this.#at > before) this.#takes('?');
    return bounds;
  }

  #counted(): readonly [least: number, most: number] {
    if (this.#takes('*')) return [0, USUAL_REPEATS];
    if (this.#takes('+')) return [1, USUAL_REPEATS];
    if (this.#takes('?')) return [0, 1];
    const rest = this.#next === '{' ? this.#pattern.slice(this.#at).join('') : '';
    const [whole, least, comma, most] = /^\{(\d+)(,)?(\d*)\}/.exec(rest) ?? [];
    if (whole === undefined) return [1, 1];
    this.#at += whole.length;
    const low = Number(least);
    const high = comma === undefined ? low : most === '' ? low + USUAL_REPEATS : Number(most);
    if (low > MOST_REPEATS || high < low) throw new BeyondUs();
    return [low, Math.min(high, Math.max(low, MOST_REPEATS))];
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  get #next(): string {
    return this.#pattern[this.#at] ?? '';
  }

  #take(): string {
    if (this.#isAtEnd) throw new BeyondUs();
    this.#at += 1;
    return this.#pattern[this.#at - 1]!;
  }

  #takes(letter: string): boolean {
    if (this.#next !== letter) return false;
    this.#at += 1;
    return true;
  }
}
