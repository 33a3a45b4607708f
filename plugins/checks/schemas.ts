import { named, nullable, timestamp, Type } from '../../core/index.ts';
import { ExampleResult } from './example-result.ts';
import {
  EXAMPLE_ALGORITHM_ID,
  EXAMPLE_VERSION_ID,
  type CheckState,
  type ExampledVersion,
} from '../catalogue/contract.ts';

/** Why it is not known whether a version works. */
export type UncheckedReason = 'inactive' | 'no_examples' | 'no_expected_output' | 'waiting' | 'off';

/** Why a version cannot be checked; `undefined` when it can. */
export function whyUncheckable(
  version: Pick<ExampledVersion, 'status' | 'fitting' | 'expecting'> | undefined,
): UncheckedReason | undefined {
  if (version === undefined || version.fitting === 0) return 'no_examples';
  if (version.expecting === 0) return 'no_expected_output';
  return version.status === 'inactive' ? 'inactive' : undefined;
}

export const CheckRunAnswer = named(
  'CheckRun',
  Type.Object({
    id: Type.String({ description: 'The identifier of the check.' }),
    passed: Type.Boolean({ description: 'Whether no example failed.', examples: [false] }),
    asked_by: nullable(
      Type.String({ description: 'The account that asked for it; null for the schedule.', examples: [null] }),
    ),
    started_at: timestamp('When it began.'),
    seconds: Type.Number({ description: 'How long it took.', examples: [0.02] }),
    examples: Type.Array(ExampleResult, { description: 'The examples in the order in which they ran.' }),
  }),
);
export type CheckRunAnswer = Type.Static<typeof CheckRunAnswer>;

export const CheckRunsAnswer = Type.Object({
  checks: Type.Array(CheckRunAnswer, { description: 'The last twenty, newest first.' }),
});

export const CheckedVersionAnswer = named(
  'CheckedVersion',
  Type.Object({
    algorithm_id: Type.String({ description: 'The algorithm.', examples: [EXAMPLE_ALGORITHM_ID] }),
    version_id: Type.String({ description: 'The version.', examples: [EXAMPLE_VERSION_ID] }),
    state: Type.Unsafe<CheckState>(
      Type.Enum(['working', 'broken', 'unchecked'], { description: 'What its last check says.' }),
    ),
    since: nullable(timestamp('Since when; null while it is unchecked.')),
    checked_at: nullable(timestamp('When it was last checked; null when it never was.')),
    reason: nullable(
      Type.Unsafe<UncheckedReason>(
        Type.Enum(['inactive', 'no_examples', 'no_expected_output', 'waiting', 'off'], {
          description:
            'Why it is unchecked, otherwise null. `inactive`: the algorithm is. `no_examples`: it has none that it accepts. ' +
            '`no_expected_output`: none of them says what is expected. `waiting`: its check is due. `off`: nothing is checked ' +
            'unless somebody asks.',
        }),
      ),
    ),
  }),
);
export type CheckedVersion = Type.Static<typeof CheckedVersionAnswer>;
