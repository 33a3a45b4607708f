import { SampleTooLarge } from '../problems.ts';

const STEPS = 250_000;

/**
 * What one sample may cost, shared by all that work on it: they run where every other request is answered too. A step
 * is about as much work as reading one character of a pattern, a fifth of a microsecond.
 */
export class Budget {
  #left = STEPS;

  /** Throws `SampleTooLarge` when fewer steps are left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw SampleTooLarge(
      'The `input_schema` of the version asks for more data than is made up without a language model. ' +
        'Lower what it demands (`minItems`, `minLength`, repetitions in patterns), or have a language model configured.',
    );
  }

  /** For a text that was written or read in one go, which costs less than letter by letter. */
  spendOn(text: string): void {
    this.spend(text.length / 4);
  }
}
