import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { languageParam } from '../../texts/language-param.ts';

const Pair = Type.Object({
  first: Type.Integer({ minimum: 1, description: 'Place of a text in the input, from 1.' }),
  second: Type.Integer({ minimum: 1 }),
  similarity: Type.Number({ minimum: 0, maximum: 1 }),
  shared_terms: Type.Array(Type.String(), {
    description: 'The words that make them alike, strongest first; at most 5.',
  }),
});

export const about = describe({
  name: 'text-similarity',
  title: 'Text similarity',
  type: 'nlp',
  tags: ['text', 'comparison', 'TF-IDF'],
  version: '1.0.0',
  description:
    'Compares texts with each other: cosine of TF-IDF vectors, in which a word weighs more the rarer it is among the ' +
    'texts sent. 1 means the same words in the same proportions, 0 no word in common. It counts words and not meaning: ' +
    'synonyms and inflected forms are different, the order of words does not matter, and "not" changes nothing. With ' +
    'two or three texts rarity says little.',
  input: Type.Object(
    {
      texts: Type.Array(Type.String({ minLength: 1, maxLength: 20_000, format: 'textarea' }), {
        title: 'Texts',
        description: 'At least two.',
        minItems: 2,
        maxItems: 50,
        'x-order': 0,
      }),
    },
    { additionalProperties: false },
  ),
  params: {
    language: languageParam,
    ignore_common_words: {
      type: 'boolean',
      default: true,
      title: 'Pass over common words',
      description: 'Whether words such as "the" are left out.',
      'x-order': 2,
    },
    max_pairs: {
      type: 'integer',
      default: 20,
      min: 1,
      max: 200,
      title: 'Pairs',
      description: 'How many pairs to answer at most.',
      'x-order': 3,
      'x-advanced': true,
    },
  },
  output: Type.Object({
    pairs: Type.Array(Pair, { description: 'The most alike, best first.', ...shownAs({ kind: 'table' }) }),
    matrix: Type.Array(Type.Array(Type.Number()), {
      description: 'All similarities: row and column by text.',
    }),
  }),
  example: {
    texts: [
      'The ferry to the island leaves at nine in the morning and returns at six.',
      'At nine in the morning the island ferry leaves the harbour.',
      'Bake the bread at two hundred degrees until the crust is brown.',
      'The harbour is closed to the ferry when the wind is strong.',
    ],
  },
  examples: [
    { name: 'Four notices', description: 'Two of them say the same in other words.' },
    {
      name: 'What it cannot tell',
      description: 'Opposites with the same words are alike, synonyms are not.',
      input: {
        texts: [
          'The harbour is open to large ships.',
          'The harbour is not open to large ships.',
          'Big vessels may enter the port.',
        ],
      },
    },
  ],
});
