import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { EXAMPLE_VERSION_ID, VersionNotFound } from '../../catalogue/contract.ts';
import { VERSION_CIRCUITS } from '../circuits/version-circuits.ts';
import { CircuitsAnswer, RulesQuery } from '../schemas.ts';

const route = routesWith({ circuits: VERSION_CIRCUITS });

export const circuitRoutes = [
  route({
    method: 'GET',
    path: '/gateway/circuits',
    operationId: 'listGatewayCircuits',
    summary: 'Lists the circuits that are not closed',
    description:
      'For administrators. Each instance has its own circuits, and lists those: a version may be called by the others.',
    access: 'admin',
    query: RulesQuery,
    answers: CircuitsAnswer,
    handle: ({ query: { skip, limit } }, { circuits }) => {
      const open = circuits.open();
      return { circuits: open.slice(skip, skip + limit), total: open.length };
    },
  }),
  route({
    method: 'DELETE',
    path: '/gateway/circuits/{version_id}',
    parameters: { version_id: { description: 'The `id` of a version.', example: EXAMPLE_VERSION_ID } },
    operationId: 'resetGatewayCircuit',
    summary: 'Closes the circuit of a version',
    description:
      'For administrators. Calls are sent again at once, on other instances within 2 s, as once an endpoint was repaired; ' +
      'the circuit opens again after as many failures as at first. Changes nothing where it is closed.',
    access: 'admin',
    answers: MessageAnswer,
    problems: [VersionNotFound],
    handle: async (input, { circuits }) => {
      await circuits.reset(input.path.version_id, authorOf(input));
      return { message: 'The circuit is closed.' };
    },
  }),
];
