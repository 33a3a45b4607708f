import { jsonObject, named, Type } from '../../core/index.ts';
import { EXAMPLE_VERSION_ID } from '../catalogue/contract.ts';

export const GenerateDataRequest = named(
  'GenerateDataRequest',
  Type.Object({
    prompt: Type.String({
      minLength: 1,
      maxLength: 8_000,
      description: 'What the data is to be.',
      examples: ['A sentence about rivers'],
    }),
    data_type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: '`image`, `json`, `text`, or a word for the model.',
      }),
    ),
    version_id: Type.Optional(
      Type.String({
        description: 'The version whose `input_schema` it follows.',
        examples: [EXAMPLE_VERSION_ID],
      }),
    ),
  }),
);
export type GenerateDataRequest = Type.Static<typeof GenerateDataRequest>;

const ImageData = Type.Object({
  content_type: Type.String({ description: 'The media type.', examples: ['image/png'] }),
  data_base64: Type.String({ description: 'The file.' }),
});
export type ImageData = Type.Static<typeof ImageData>;

export const GenerateDataAnswer = named(
  'GenerateDataAnswer',
  Type.Object({
    data: Type.Unsafe<Record<string, unknown> | string>({
      description: 'An object, or text.',
      examples: [{ text: 'Rivers carry water to the sea.' }],
      anyOf: [
        jsonObject({
          description: 'JSON, or an image as `content_type` and `data_base64`.',
        }),
        Type.String({ description: 'Words.' }),
      ],
    }),
    type: Type.String({
      description: 'The `data_type` asked for; else `json` or `text`.',
      examples: ['json'],
    }),
    model: Type.String({
      description: 'Who answered; `offline` is no model.',
      examples: ['offline'],
    }),
  }),
);
export type GenerateDataAnswer = Type.Static<typeof GenerateDataAnswer>;

export const DescribeImageRequest = named(
  'DescribeImageRequest',
  Type.Object({
    image_url: Type.String({
      minLength: 1,
      description:
        'Public http or https address of a PNG, JPEG, GIF or WebP image, or the image itself as a `data:` URL in base64.',
      examples: ['https://www.w3.org/People/mimasa/test/imgformat/img/w3c_home.png'],
    }),
  }),
);

export const DescribeImageAnswer = named(
  'DescribeImageAnswer',
  Type.Object({
    description: Type.String({
      description: 'What the image shows.',
      examples: ['A PNG image of 72 by 48 pixels.'],
    }),
    model: Type.String({
      description: 'Who answered; `offline` measures the file.',
      examples: ['offline'],
    }),
  }),
);
export type DescribeImageAnswer = Type.Static<typeof DescribeImageAnswer>;

export const LanguageModelAnswer = Type.Object({
  configured: Type.Boolean({
    description: 'Whether a model answers.',
    examples: [false],
  }),
});
