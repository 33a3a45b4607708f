import Type from 'typebox';
import { shownAs } from '../describing/views.ts';
import { HOUSE } from './house.ts';

/** Enough for a photograph of 5 MB, which is 6.7 million characters of base64. */
const MAX_CHARACTERS = 7_000_000;

/** Input of the algorithms that work on a picture. */
export const PictureInput = Type.Object(
  {
    image: Type.String({
      title: 'Picture',
      description:
        'PNG or JPEG in base64, with or without a data: prefix; at most 12.5 megapixels, not interlaced.',
      contentEncoding: 'base64',
      contentMediaType: 'image/*',
      'x-media-types': ['image/png', 'image/jpeg'],
      minLength: 8,
      maxLength: MAX_CHARACTERS,
      'x-order': 0,
    }),
  },
  { additionalProperties: false },
);

/** A picture in an output. */
export const PictureOutput = Type.Object(
  {
    content_type: Type.String({ enum: ['image/png', 'image/jpeg'] }),
    data_base64: Type.String({ contentEncoding: 'base64' }),
  },
  shownAs({ kind: 'image' }),
);

export const examplePicture = { image: HOUSE };

/** The parameter that bounds the work on a picture. */
export const maxSide = {
  type: 'integer',
  default: 1024,
  min: 16,
  max: 2048,
  title: 'Longest side',
  description: 'Pixels. A picture that is longer is scaled down first, by averaging.',
  'x-order': 9,
  'x-advanced': true,
} as const;
