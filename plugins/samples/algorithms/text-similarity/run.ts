import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { stopwordsOf } from '../../texts/stopwords.ts';
import { wordsOf } from '../../texts/words.ts';
import { about } from './about.ts';
import { cosine, tfIdf, type Vector } from './tf-idf.ts';

type Output = OutputOf<typeof about>;

const TERMS_SHOWN = 5;

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): Output {
  const common = params.ignore_common_words ? stopwordsOf(params.language) : new Set<string>();
  const words = input.texts.map((text) => wordsOf(text).filter((word) => !common.has(word)));
  const empty = words.findIndex((list) => list.length === 0);
  if (empty >= 0)
    throw new InputRejected(`Text ${empty + 1} holds nothing but common words, numbers or punctuation.`);
  const vectors = tfIdf(words);
  const matrix = vectors.map((a) => vectors.map((b) => cosine(a, b)));
  return { pairs: mostAlike(vectors, matrix, params.max_pairs), matrix };
}

function mostAlike(
  vectors: readonly Vector[],
  matrix: readonly (readonly number[])[],
  most: number,
): Output['pairs'] {
  return matrix
    .flatMap((row, i) => row.slice(i + 1).map((similarity, j) => ({ i, j: i + 1 + j, similarity })))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, most)
    .map(({ i, j, similarity }) => {
      const shared_terms = sharedTerms(vectors[i]!, vectors[j]!);
      return { first: i + 1, second: j + 1, similarity, shared_terms };
    });
}

function sharedTerms(a: Vector, b: Vector): string[] {
  return [...a]
    .filter(([word]) => b.has(word))
    .map(([word, weight]) => ({ word, part: weight * b.get(word)! }))
    .sort((one, other) => other.part - one.part || (one.word < other.word ? -1 : 1))
    .slice(0, TERMS_SHOWN)
    .map(({ word }) => word);
}

export default embedded(about, run);
