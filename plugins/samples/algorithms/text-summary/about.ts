import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { HEAT_PUMPS } from '../../texts/example.ts';
import { languageParam } from '../../texts/language-param.ts';
import { textField } from '../../texts/schema.ts';

const Sentence = Type.Object({
  position: Type.Integer({ minimum: 1, description: 'Place in the text.' }),
  sentence: Type.String(),
  score: Type.Number({ minimum: 0, description: 'Share of attention; all sentences together have 1.' }),
});

export const about = describe({
  name: 'text-summary',
  title: 'Text summary',
  type: 'nlp',
  tags: ['text', 'summary', 'TextRank'],
  version: '1.0.0',
  description:
    'Picks the sentences that say most of what the others say, by TextRank (Mihalcea and Tarau, 2004): sentences that ' +
    'share words vote for each other as pages do in PageRank. It quotes and never rewrites, so that nothing is invented, ' +
    'but "he" or "this" may lose what it refers to. It suits reports and articles; in dialogue, lists and texts of ' +
    'few sentences the choice says little. Abbreviations such as "Dr." may be taken for the end of a sentence. At most ' +
    '500 sentences.',
  input: Type.Object({ text: textField('Text', 'Several sentences.') }, { additionalProperties: false }),
  params: {
    sentences: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 50,
      title: 'Sentences',
      description: 'Number to return.',
      'x-order': 0,
    },
    language: languageParam,
  },
  output: Type.Object({
    summary: Type.String({
      description: 'The chosen sentences in their order.',
      ...shownAs({ kind: 'text' }),
    }),
    sentences: Type.Array(Sentence, { description: 'The same, one by one.', ...shownAs({ kind: 'table' }) }),
    sentences_in_text: Type.Integer({ minimum: 1 }),
  }),
  example: { text: HEAT_PUMPS },
  examples: [
    { name: 'On heat pumps', description: 'Two sentences of ten.' },
    { name: 'In one sentence', params: { sentences: 1 } },
  ],
});
