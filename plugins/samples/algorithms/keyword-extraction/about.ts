import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { HEAT_PUMPS } from '../../texts/example.ts';
import { languageParam } from '../../texts/language-param.ts';
import { textField } from '../../texts/schema.ts';

const Keyword = Type.Object({
  keyword: Type.String(),
  score: Type.Number({ minimum: 0, description: 'Sum over its words of degree divided by frequency.' }),
  occurrences: Type.Integer({ minimum: 1 }),
});

export const about = describe({
  name: 'keyword-extraction',
  title: 'Keyword extraction',
  type: 'nlp',
  tags: ['text', 'keywords', 'RAKE'],
  version: '1.0.0',
  description:
    'Returns the phrases that a text is about, by RAKE (Rose et al., 2010): runs of words between punctuation and ' +
    'common words are candidates, and a word scores higher the longer the company it keeps. Needs no training and ' +
    'works on a single text of a few sentences. It does not know meaning or grammar: inflected forms count as ' +
    'different words, long phrases score high even when they occur once, and languages that do not put spaces between ' +
    'words (Chinese, Japanese, Thai) are not supported.',
  input: Type.Object(
    { text: textField('Text', 'At least a few sentences.') },
    { additionalProperties: false },
  ),
  params: {
    language: languageParam,
    max_keywords: {
      type: 'integer',
      default: 10,
      min: 1,
      max: 100,
      title: 'Keywords',
      description: 'Maximum number to return.',
      'x-order': 0,
    },
    max_words: {
      type: 'integer',
      default: 3,
      min: 1,
      max: 6,
      title: 'Words in a keyword',
      description: 'Longer phrases are left out.',
      'x-order': 2,
      'x-advanced': true,
    },
    min_occurrences: {
      type: 'integer',
      default: 1,
      min: 1,
      max: 50,
      title: 'Occurrences',
      description: 'Phrases that occur less often are left out.',
      'x-order': 3,
      'x-advanced': true,
    },
  },
  output: Type.Object({
    keywords: Type.Array(Keyword, {
      description: 'Highest score first.',
      ...shownAs({ kind: 'scores', label: 'keyword', score: 'score' }),
    }),
    candidates: Type.Integer({ minimum: 0, description: 'Different phrases that were considered.' }),
  }),
  example: { text: HEAT_PUMPS },
  examples: [
    { name: 'On heat pumps', description: 'A text of ten sentences.' },
    {
      name: 'Five single words',
      description: 'Without phrases of several words.',
      params: { max_words: 1, max_keywords: 5 },
    },
  ],
});
