import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { FOGGY_HOUSE } from '../../pictures/foggy-house.ts';
import { maxSide, PictureInput, PictureOutput } from '../../pictures/schema.ts';

const Spread = Type.Object({
  mean: Type.Number({ description: 'Mean brightness, 0 to 255.' }),
  deviation: Type.Number({ minimum: 0, description: 'Standard deviation of the brightness.' }),
  entropy: Type.Number({ minimum: 0, maximum: 8, description: 'Bits for each pixel.' }),
});

export const about = describe({
  name: 'contrast-equalisation',
  title: 'Contrast equalisation',
  type: 'computer_vision',
  tags: ['pictures', 'contrast', 'CLAHE'],
  version: '1.0.0',
  description:
    'Brings out detail in pictures that are too dark, too bright or hazy, by contrast-limited adaptive histogram ' +
    'equalisation (CLAHE, Zuiderveld 1994) of the brightness; hues are kept. One tile without limit is plain histogram ' +
    'equalisation of the whole picture. It makes differences larger, noise and the blocks of strong JPEG compression ' +
    'included, and brightness afterwards no longer says how bright a place was: do not measure on the answer.',
  input: PictureInput,
  params: {
    tiles: {
      type: 'integer',
      default: 8,
      min: 1,
      max: 16,
      title: 'Tiles',
      description: 'Tiles along each side that are equalised on their own; 1 for the picture as a whole.',
      'x-order': 0,
    },
    clip_limit: {
      type: 'number',
      default: 2,
      min: 1,
      max: 256,
      title: 'Limit',
      description:
        'How many times an even share of the pixels one brightness may claim: 1 changes little, 256 sets no limit.',
      'x-order': 1,
    },
    max_side: maxSide,
  },
  output: Type.Object({ image: PictureOutput, before: Spread, after: Spread }),
  example: { image: FOGGY_HOUSE },
  examples: [
    {
      name: 'A house in fog',
      description: 'One tile and a high limit bring out what can hardly be seen.',
      params: { tiles: 1, clip_limit: 20 },
    },
    {
      name: 'With the default settings',
      description: 'Eight by eight tiles and a low limit change it gently.',
    },
  ],
});
