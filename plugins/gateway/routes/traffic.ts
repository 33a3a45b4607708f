import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { ALGORITHM_PARAMETER, AlgorithmNotFound } from '../../catalogue/contract.ts';
import { NoCanary, RouteConflict, RouteNotFound, TooManyRules } from '../problems.ts';
import { RulesQuery } from '../schemas.ts';
import { PromoteOrder, RollbackOrder, RouteDetail, RouteRequest, RoutesAnswer } from '../traffic/schemas.ts';
import { TRAFFIC_ROUTES } from '../traffic/traffic-routes.ts';

const route = routesWith({ routes: TRAFFIC_ROUTES });

export const trafficRoutes = [
  route({
    method: 'GET',
    path: '/gateway/routes',
    operationId: 'listGatewayRoutes',
    summary: 'Lists the routes, newest first',
    description: 'For administrators. An algorithm without a route is answered by its default version.',
    access: 'admin',
    query: RulesQuery,
    answers: RoutesAnswer,
    handle: ({ query }, { routes }) => routes.list(query),
  }),
  route({
    method: 'GET',
    path: '/gateway/routes/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'getGatewayRoute',
    summary: 'Shows the route of an algorithm, its history, and how the calls of its versions ended',
    description: 'For administrators. The history lists the last 50 changes.',
    access: 'admin',
    answers: RouteDetail,
    problems: [RouteNotFound],
    handle: ({ path }, { routes }) => routes.find(path.algorithm_id),
  }),
  route({
    method: 'PUT',
    path: '/gateway/routes/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'setGatewayRoute',
    summary: 'Says which share of the callers of an algorithm gets which version',
    description:
      'Makes the route of the algorithm or changes it; fields that are left out stay as they are. Callers who get ' +
      'another version than before are as few as can be: a version that grows takes only from those that shrink.',
    access: 'admin',
    body: RouteRequest,
    answers: RouteDetail,
    problems: [AlgorithmNotFound, RouteConflict, TooManyRules],
    fixed: ({ path }, { routes }) => routes.fixed(path.algorithm_id),
    handle: (input, { routes }) => routes.set(authorOf(input), input.path.algorithm_id, input.body),
  }),
  route({
    method: 'DELETE',
    path: '/gateway/routes/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'deleteGatewayRoute',
    summary: 'Deletes the route of an algorithm; its default version answers then',
    description: 'For administrators. Calls in progress keep their version.',
    access: 'admin',
    answers: MessageAnswer,
    problems: [RouteNotFound],
    handle: async (input, { routes }) => {
      await routes.delete(authorOf(input), input.path.algorithm_id);
      return { message: 'The route was deleted.' };
    },
  }),
  route({
    method: 'POST',
    path: '/gateway/routes/{algorithm_id}/rollback',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'rollBackGatewayRoute',
    summary: 'Sends all callers of an algorithm to the stable version, at once',
    description:
      'For administrators. The stable version gets 100 percent; the history notes who did it and why.',
    access: 'admin',
    body: RollbackOrder,
    example: { body: { reason: 'It answers too slowly' } },
    answers: RouteDetail,
    problems: [RouteNotFound, RouteConflict],
    handle: (input, { routes }) => routes.rollBack(authorOf(input), input.path.algorithm_id, input.body),
  }),
  route({
    method: 'POST',
    path: '/gateway/routes/{algorithm_id}/promote',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'promoteGatewayCanary',
    summary: 'Sends all callers of an algorithm to a canary',
    description: 'A rollback still returns to the stable version until the route names another one.',
    access: 'admin',
    body: PromoteOrder,
    answers: RouteDetail,
    problems: [RouteNotFound, RouteConflict, NoCanary],
    handle: (input, { routes }) => routes.promote(authorOf(input), input.path.algorithm_id, input.body),
  }),
];
