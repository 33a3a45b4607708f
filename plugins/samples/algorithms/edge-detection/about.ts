import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { examplePicture, maxSide, PictureInput, PictureOutput } from '../../pictures/schema.ts';

export const about = describe({
  name: 'edge-detection',
  title: 'Edge detection',
  type: 'computer_vision',
  tags: ['pictures', 'outlines', 'Canny'],
  version: '1.0.0',
  description:
    'Finds the outlines in a picture by the method of Canny (1986): Gaussian blur, Sobel gradient of the brightness, ' +
    'thinning to one pixel, and two thresholds, where weak edges count only when they join strong ones. Answers a ' +
    'black picture with the edges in white. Sees brightness only: two colours that are equally bright have no edge ' +
    'between them, and texture such as grass or hair yields many. Turn the blur or the thresholds up against noise. ' +
    'The orientation that a camera notes in a JPEG is ignored.',
  input: PictureInput,
  params: {
    sigma: {
      type: 'number',
      default: 1.4,
      min: 0,
      max: 10,
      title: 'Blur',
      description: 'Standard deviation of the Gaussian in pixels; 0 for none.',
      'x-order': 0,
    },
    low: {
      type: 'number',
      default: 0.08,
      min: 0,
      max: 1,
      title: 'Weak edge',
      description: 'Share of the strongest gradient from which a pixel may continue an edge.',
      'x-order': 1,
    },
    high: {
      type: 'number',
      default: 0.2,
      min: 0,
      max: 1,
      title: 'Strong edge',
      description:
        'Share of the strongest gradient from which a pixel starts an edge; at least that of a weak one.',
      'x-order': 2,
    },
    max_side: maxSide,
  },
  output: Type.Object({
    image: PictureOutput,
    width: Type.Integer({ description: 'Pixels of the answer.' }),
    height: Type.Integer(),
    edge_pixels: Type.Integer({ minimum: 0 }),
    edge_share: Type.Number({ minimum: 0, maximum: 1, description: 'Edge pixels of all pixels.' }),
  }),
  example: examplePicture,
  examples: [
    { name: 'A house', description: 'A drawn house, with the default thresholds.' },
    {
      name: 'Only strong outlines',
      description: 'More blur and higher thresholds leave less.',
      params: { sigma: 2.5, low: 0.2, high: 0.4 },
    },
  ],
});
