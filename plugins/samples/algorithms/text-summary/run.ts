import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { sentencesOf } from '../../texts/sentences.ts';
import { stopwordsOf } from '../../texts/stopwords.ts';
import { wordsOf } from '../../texts/words.ts';
import { about } from './about.ts';
import { overlaps } from './overlap.ts';
import { pageRank } from './rank.ts';

const MOST_SENTENCES = 500;

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const sentences = acceptable(sentencesOf(input.text, params.language));
  const common = stopwordsOf(params.language);
  const topics = sentences.map((sentence) => wordsOf(sentence).filter((word) => !common.has(word)));
  const ranks = pageRank(overlaps(topics));
  const chosen = sentences
    .map((sentence, i) => ({ position: i + 1, sentence, score: ranks[i]! }))
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, params.sentences)
    .sort((a, b) => a.position - b.position);
  return {
    summary: chosen.map(({ sentence }) => sentence).join(' '),
    sentences: chosen,
    sentences_in_text: sentences.length,
  };
}

function acceptable(sentences: string[]): string[] {
  if (!sentences.some((sentence) => wordsOf(sentence).length > 0)) {
    throw new InputRejected('The text holds no words. Send sentences.');
  }
  if (sentences.length > MOST_SENTENCES) {
    throw new InputRejected(
      `The text has ${sentences.length} sentences; at most ${MOST_SENTENCES} are accepted. Send a part.`,
    );
  }
  return sentences;
}

export default embedded(about, run);
