import { authorOf, Forbidden, Overloaded, routesWith } from '../../../core/index.ts';
import { AlgorithmNotCovered, AlgorithmNotFound, SchemaTooCostly } from '../contract.ts';
import { TrialAnswer, TrialBody } from '../trials/schemas.ts';
import { TRIALS } from '../trials/trials.ts';

const route = routesWith({ trials: TRIALS });

export const trialRoutes = [
  route({
    method: 'POST',
    path: '/algorithms/try',
    operationId: 'tryVersion',
    summary: 'Checks a version that is not saved, and calls its endpoint',
    description:
      'For administrators and, with `algorithm_id`, for those who manage the algorithm. Answers what is wrong with the version. ' +
      'With `call` its endpoint is called, within 30 s and up to 1 MiB; the call is in no call record and no statistics, and ' +
      'uses up no limit. Callers whom the gateway refuses are refused here as well.',
    access: 'user',
    heedsResources: true,
    body: TrialBody,
    boundsIn: ['params', 'input_schema', 'output_schema'],
    answers: TrialAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, Forbidden, SchemaTooCostly, Overloaded],
    handle: (input, { trials }) =>
      trials.try(input.body, input.principal, { request: input.request, by: authorOf(input) }),
  }),
];
