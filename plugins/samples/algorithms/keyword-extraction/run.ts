import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { stopwordsOf } from '../../texts/stopwords.ts';
import { about } from './about.ts';
import { candidatePhrases } from './candidates.ts';

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const phrases = candidatePhrases(input.text, stopwordsOf(params.language)).filter(
    (phrase) => phrase.length <= params.max_words,
  );
  if (phrases.length === 0) {
    throw new InputRejected(
      'The text holds no keywords: all of it is common words, numbers or punctuation. Check the language.',
    );
  }
  const scores = wordScores(phrases);
  const occurrences = countOf(phrases.map((phrase) => phrase.join(' ')));
  const keywords = [...occurrences]
    .filter(([, times]) => times >= params.min_occurrences)
    .map(([keyword, times]) => ({ keyword, score: scoreOf(keyword, scores), occurrences: times }))
    .sort((a, b) => b.score - a.score || b.occurrences - a.occurrences || (a.keyword < b.keyword ? -1 : 1));
  return { keywords: keywords.slice(0, params.max_keywords), candidates: occurrences.size };
}

/** Degree (words met in the same phrases, itself included) divided by frequency. */
function wordScores(phrases: readonly string[][]): Map<string, number> {
  const frequency = countOf(phrases.flat());
  const degree = new Map<string, number>();
  for (const phrase of phrases) {
    for (const word of phrase) degree.set(word, (degree.get(word) ?? 0) + phrase.length);
  }
  return new Map([...degree].map(([word, total]) => [word, total / frequency.get(word)!]));
}

function scoreOf(keyword: string, scores: ReadonlyMap<string, number>): number {
  return keyword.split(' ').reduce((sum, word) => sum + scores.get(word)!, 0);
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

export default embedded(about, run);
