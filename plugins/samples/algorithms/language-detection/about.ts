import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { textField } from '../../texts/schema.ts';

const Candidate = Type.Object({
  language: Type.String({ description: 'ISO 639-1.' }),
  name: Type.String({ description: 'In English.' }),
  score: Type.Number({ minimum: 0, maximum: 1 }),
});

export const about = describe({
  name: 'language-detection',
  title: 'Language detection',
  type: 'nlp',
  tags: ['text', 'languages', 'n-grams'],
  version: '1.0.0',
  description:
    'Tells which of 60 languages a text is written in, by the letter sequences that are typical of each (the library ' +
    'eld with its small database). A sentence is enough in most languages; single words, names and mixed texts are ' +
    'often wrong, and so are close relatives (Danish and Norwegian, Indonesian and Malay). Scores compare candidates, ' +
    'they are not probabilities; `reliable` is the judgement of the library. A language that it does not know is taken ' +
    'for one that it knows.',
  input: Type.Object(
    { text: textField('Text', 'A sentence or more in one language.') },
    { additionalProperties: false },
  ),
  params: {
    max_candidates: {
      type: 'integer',
      default: 5,
      min: 1,
      max: 20,
      title: 'Candidates',
      description: 'How many languages to answer at most.',
      'x-order': 0,
    },
  },
  output: Type.Object({
    language: Type.String({ description: 'ISO 639-1.' }),
    name: Type.String({ description: 'In English.' }),
    reliable: Type.Boolean({ description: 'Whether the text was long and clear enough.' }),
    candidates: Type.Array(Candidate, {
      description: 'Best first.',
      ...shownAs({ kind: 'scores', label: 'name', score: 'score' }),
    }),
  }),
  example: { text: 'Wer reitet so spät durch Nacht und Wind? Es ist der Vater mit seinem Kind.' },
  examples: [
    { name: 'A German verse', description: 'The first lines of the Erlking by Goethe.' },
    {
      name: 'A Portuguese sentence',
      description: 'The first article of the Universal Declaration of Human Rights.',
      input: { text: 'Todos os seres humanos nascem livres e iguais em dignidade e em direitos.' },
      params: { max_candidates: 3 },
    },
  ],
});
