import { placedWords } from '../../texts/words.ts';

const ONLY_SPACE = /^\s+$/;

/** Runs of words without punctuation or common words between them. */
export function candidatePhrases(text: string, commonWords: ReadonlySet<string>): string[][] {
  const phrases: string[][] = [];
  let phrase: string[] = [];
  let end = 0;
  const close = () => {
    if (phrase.length > 0) phrases.push(phrase);
    phrase = [];
  };
  for (const { word, from, until } of placedWords(text)) {
    if (!ONLY_SPACE.test(text.slice(end, from))) close();
    if (commonWords.has(word)) close();
    else phrase.push(word);
    end = until;
  }
  close();
  return phrases;
}
