const WORD = /[\p{L}\p{N}]+(?:[-'\u2019.][\p{L}\p{N}]+)*/gu;
const LETTER = /\p{L}/u;

/** A word and where it stands. */
export interface PlacedWord {
  /** In lower case. */
  readonly word: string;
  readonly from: number;
  readonly until: number;
}

/** The words of a text, in order; numbers alone are none. */
export function placedWords(text: string): PlacedWord[] {
  const found = [...text.matchAll(WORD)].filter(([word]) => LETTER.test(word));
  return found.map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    until: index + word.length,
  }));
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return placedWords(text).map(({ word }) => word);
}
