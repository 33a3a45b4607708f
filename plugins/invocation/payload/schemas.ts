import { named, nullable, timestamp, Type } from '../../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID } from '../../catalogue/contract.ts';
import { LONGEST_POINTER } from './pointers.ts';
import { REDACTED } from './redact.ts';

const MOST_POINTERS = 64;
const EXAMPLE_RULE = { mode: 'redact', pointers: ['/text'] };

const PayloadMode = Type.Enum(['store', 'redact', 'hash', 'drop'], {
  description:
    '`store` keeps everything; `redact` everything but the places that `pointers` name; `hash` a keyed digest, by which ' +
    'equal payloads can be recognised; `drop` nothing.',
});

const description =
  'JSON pointers (RFC 6901) such as `/patient/name`; `*` in the place of a name is every item of an array and every ' +
  `member of an object: \`/patients/*/name\`. What they lead to is kept as \`"${REDACTED}"\`. For \`redact\` only.`;

const pointers = Type.Array(Type.String({ maxLength: LONGEST_POINTER }), {
  maxItems: MOST_POINTERS,
  description: description,
});

const RULE = 'What records keep of this field.';
const fieldRuleBody = (more: object = {}) =>
  named(
    'PayloadRuleChanges',
    Type.Object({ mode: PayloadMode, pointers: Type.Optional(pointers) }, { description: RULE, ...more }),
  );

export const PayloadPolicyBody = named(
  'PayloadPolicyChanges',
  Type.Object({
    input_data: Type.Optional(fieldRuleBody({ examples: [EXAMPLE_RULE] })),
    params: Type.Optional(fieldRuleBody()),
    output_data: Type.Optional(fieldRuleBody()),
  }),
);
export type PayloadPolicyChanges = Type.Static<typeof PayloadPolicyBody>;

const FieldRule = named(
  'PayloadRule',
  Type.Object({
    mode: PayloadMode,
    pointers: Type.Unsafe<readonly string[]>(
      Type.Array(Type.String(), { description: description, examples: [[]] }),
    ),
  }),
);

export const PayloadPolicyAnswer = named(
  'PayloadPolicy',
  Type.Object({
    algorithm_id: Type.String({ description: 'Whose policy this is.', examples: [EXAMPLE_ALGORITHM_ID] }),
    input_data: named('PayloadRule', Type.Object(FieldRule.properties, { examples: [EXAMPLE_RULE] })),
    params: FieldRule,
    output_data: FieldRule,
    updated_by: nullable(
      Type.String({
        description:
          'The user who set it; null for the default policy, and for one that `vitrine import` set.',
        examples: ['01890a5d-ac96-774b-bcce-b302099a8057'],
      }),
    ),
    updated_at: nullable(timestamp('When it was set; null for the default policy.')),
  }),
);
export type PayloadPolicyAnswer = Type.Static<typeof PayloadPolicyAnswer>;
