import { jsonObject, named, Type, type Static } from '../../core/index.ts';

export const GenerateDataRequest = named(
  'GenerateDataRequest',
  Type.Object({
    prompt: Type.String({ minLength: 1, maxLength: 8_000, description: 'What the data is to be.' }),
    data_type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: '`image`, `json`, `text`, or any other word, which the model is told.',
        examples: ['image', 'json'],
      }),
    ),
    version_id: Type.Optional(
      Type.String({ description: 'The data is to follow the `input_schema` of this version.' }),
    ),
  }),
);
export type GenerateDataRequest = Static<typeof GenerateDataRequest>;

const ImageData = Type.Object({
  content_type: Type.String({ examples: ['image/png'] }),
  data_base64: Type.String(),
});
export type ImageData = Static<typeof ImageData>;

export const GenerateDataAnswer = named(
  'GenerateDataAnswer',
  Type.Object({
    data: Type.Unsafe<Record<string, unknown> | string>({
      anyOf: [
        jsonObject({
          description: 'What the model answered in JSON, or an image as `content_type` and `data_base64`.',
        }),
        Type.String({ description: 'What the model answered in words.' }),
      ],
    }),
    type: Type.String({
      description: 'The `data_type` asked for; else `json` or `text`, by what came back.',
    }),
    model: Type.String({ description: 'Who answered. `offline`: no language model was asked.' }),
  }),
);
export type GenerateDataAnswer = Static<typeof GenerateDataAnswer>;

export const DescribeImageRequest = named(
  'DescribeImageRequest',
  Type.Object({
    image_url: Type.String({
      minLength: 1,
      maxLength: 8_192,
      description:
        'Public http or https address of a PNG, JPEG, GIF or WebP image. Redirects are not followed.',
      examples: ['https://example.org/picture.png'],
    }),
  }),
);

export const DescribeImageAnswer = named(
  'DescribeImageAnswer',
  Type.Object({
    description: Type.String(),
    model: Type.String({ description: 'Who answered. `offline`: only the file was measured.' }),
  }),
);
export type DescribeImageAnswer = Static<typeof DescribeImageAnswer>;
