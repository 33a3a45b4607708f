import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { seedParam } from '../../statistics/seed.ts';
import { examplePicture, PictureInput } from '../../pictures/schema.ts';

const Colour = Type.Object({
  hex: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  red: Type.Integer({ minimum: 0, maximum: 255 }),
  green: Type.Integer({ minimum: 0, maximum: 255 }),
  blue: Type.Integer({ minimum: 0, maximum: 255 }),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Part of the picture that is nearest to this colour.',
  }),
});

export const about = describe({
  name: 'dominant-colours',
  title: 'Dominant colours',
  type: 'computer_vision',
  tags: ['pictures', 'colours', 'clustering'],
  version: '1.0.0',
  description:
    'Returns the colours that make up a picture, most common first: k-means (k-means++ start) over at most 4,096 ' +
    'evenly spaced pixels in CIE L*a*b*, where distance is about what the eye sees. A small but striking detail may be ' +
    'lost in a larger group, and each answer is the mean of its group, so it need not occur in the picture. ' +
    'Transparent pixels are left out; colour profiles are ignored and the picture is taken as sRGB.',
  input: PictureInput,
  params: {
    colours: {
      type: 'integer',
      default: 5,
      min: 1,
      max: 16,
      title: 'Colours',
      description: 'How many to look for. A picture that has fewer yields fewer.',
      'x-order': 0,
    },
    seed: seedParam,
  },
  output: Type.Object({
    colours: Type.Array(Colour, {
      description: 'Most common first.',
      ...shownAs({ kind: 'palette', colour: 'hex', share: 'share' }),
    }),
    pixels_looked_at: Type.Integer({ minimum: 1 }),
    mean_distance: Type.Number({
      minimum: 0,
      description: 'How far, on average, a pixel is from its colour (CIE76; 2.3 is just noticeable).',
    }),
  }),
  example: examplePicture,
  examples: [
    { name: 'A house', description: 'The five colours of a drawn house.' },
    {
      name: 'Three colours',
      description: 'Fewer colours are means of larger groups.',
      params: { colours: 3 },
    },
  ],
});
