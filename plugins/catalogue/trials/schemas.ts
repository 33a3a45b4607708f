import { jsonObject, named, nullable, Type } from '../../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID } from '../contract.ts';
import { DraftFields } from '../schemas.ts';

const INPUT = { text: 'Der Mond ist aufgegangen, die goldnen Sternlein prangen.' };

/** Of the samples, so that what the API pages prefill works. */
const EXAMPLE = { url: 'plugin:samples/language-detection', call: { input_data: INPUT } };

export const TrialBody = Type.Object(
  {
    algorithm_id: Type.Optional(
      Type.String({
        description: 'The algorithm that it is to be a version of. Administrators need not name one.',
        examples: [EXAMPLE_ALGORITHM_ID],
      }),
    ),
    ...DraftFields,
    call: Type.Optional(
      Type.Object(
        {
          input_data: jsonObject({ description: 'What the endpoint is given.', examples: [INPUT] }),
          params: Type.Optional(
            jsonObject({
              description: 'Parameters by name; defaults are filled in.',
              examples: [{ max_candidates: 1 }],
            }),
          ),
        },
        { description: 'What the endpoint is called with; without it the version is only checked.' },
      ),
    ),
  },
  { examples: [EXAMPLE] },
);

const findings = (description: string) =>
  Type.Array(
    Type.Object({
      pointer: Type.String({ description: 'The place, as a JSON pointer.' }),
      message: Type.String({ description: 'What is wrong there.' }),
    }),
    { description },
  );

const TrialResult = Type.Object(
  {
    status: Type.Enum(['success', 'failed'], {
      description: '`success`: the endpoint gave an answer that the version may give.',
    }),
    response_time: Type.Number({ description: 'Seconds spent on the endpoint.', examples: [0.012] }),
    output_data: nullable(
      jsonObject({
        description:
          'What it answered, also where `output_schema` does not allow it; null where it cannot be used.',
        examples: [{ language: 'de' }],
      }),
    ),
    output_findings: findings('What `output_schema` does not allow of the answer, at most 20.'),
    error_code: nullable(
      Type.String({ description: 'Why it failed, as in the record of a call.', examples: [null] }),
    ),
    error_message: nullable(Type.String({ description: 'The same in words.', examples: [null] })),
    answered: nullable(
      Type.Object(
        {
          status: Type.Integer({ description: 'The status of the HTTP answer.' }),
          text: Type.String({ description: 'How its body begins, without secrets.' }),
        },
        { description: 'What the endpoint answered where that cannot be used.', examples: [null] },
      ),
    ),
  },
  { description: 'What came of the call; null where nothing was called.' },
);

export const TrialAnswer = named(
  'VersionTrial',
  Type.Object(
    {
      findings: findings(
        'Why the version would not be saved, or why it would refuse the call, by their places in the body. Nothing is called then.',
      ),
      call: nullable(TrialResult),
    },
    {
      examples: [
        {
          findings: [],
          call: {
            status: 'success',
            response_time: 0.012,
            output_data: { language: 'de' },
            output_findings: [],
            error_code: null,
            error_message: null,
            answered: null,
          },
        },
      ],
    },
  ),
);

export type TrialInput = Type.Static<typeof TrialBody>;
export type TrialAnswer = Type.Static<typeof TrialAnswer>;
