import { problem } from '../../core/index.ts';

export const NothingToCheck = problem({
  code: 'nothing_to_check',
  status: 409,
  title: 'The version has nothing to check',
  description:
    'A check runs the examples that the version accepts and needs one among them with an expected output. Save a call with its result as an example.',
});
