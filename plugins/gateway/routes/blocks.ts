import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { AlgorithmNotFound } from '../../catalogue/contract.ts';
import { BlockNotFound, TooManyRules } from '../problems.ts';
import { BLOCKS } from '../rules/blocks.ts';
import { Block, BlockCreateRequest, BlocksAnswer, BlocksQuery, BlockUpdateRequest } from '../schemas.ts';

const route = routesWith({ blocks: BLOCKS });

const BLOCK_PARAMETER = { block_id: { description: 'The `id` of a block rule.' } };

export const blockRoutes = [
  route({
    method: 'GET',
    path: '/gateway/blocks',
    operationId: 'listGatewayBlocks',
    summary: 'Lists the block rules, newest first',
    description: 'For administrators. Expired rules stay in the list until they are deleted.',
    access: 'admin',
    query: BlocksQuery,
    answers: BlocksAnswer,
    links: { block_id: '/blocks/0/id' },
    handle: ({ query }, { blocks }) => blocks.list(query),
  }),
  route({
    method: 'POST',
    path: '/gateway/blocks',
    operationId: 'createGatewayBlock',
    summary: 'Blocks a user, an API key, a network or an algorithm',
    description:
      'For administrators. Calls of what is blocked get 403 with the code `blocked`, until `until` or for good; by the ' +
      'setting `gateway.guards` on every path, or on `/gateway/call` alone.',
    access: 'admin',
    body: BlockCreateRequest,
    answers: Block,
    links: { block_id: '/id' },
    problems: [TooManyRules, AlgorithmNotFound],
    handle: (input, { blocks }) => blocks.create(authorOf(input), input.body),
  }),
  route({
    method: 'GET',
    path: '/gateway/blocks/{block_id}',
    parameters: BLOCK_PARAMETER,
    operationId: 'getGatewayBlock',
    summary: 'Shows a block rule',
    description: 'For administrators.',
    access: 'admin',
    answers: Block,
    problems: [BlockNotFound],
    handle: ({ path }, { blocks }) => blocks.find(path.block_id),
  }),
  route({
    method: 'PUT',
    path: '/gateway/blocks/{block_id}',
    parameters: BLOCK_PARAMETER,
    operationId: 'updateGatewayBlock',
    summary: 'Changes the given fields of a block rule',
    description:
      'For administrators. Omitted fields stay unchanged; the change applies at once here and within 2 s on ' +
      'other instances.',
    access: 'admin',
    body: BlockUpdateRequest,
    answers: Block,
    problems: [BlockNotFound, AlgorithmNotFound, TooManyRules],
    fixed: async ({ path }, { blocks }) => {
      const { id, active, created_by, created_at } = await blocks.find(path.block_id);
      return { id, active, created_by, created_at };
    },
    handle: (input, { blocks }) => blocks.update(authorOf(input), input.path.block_id, input.body),
  }),
  route({
    method: 'DELETE',
    path: '/gateway/blocks/{block_id}',
    parameters: BLOCK_PARAMETER,
    operationId: 'deleteGatewayBlock',
    summary: 'Lifts a block',
    description: 'For administrators. The rule no longer applies; what it blocked is served again.',
    access: 'admin',
    answers: MessageAnswer,
    problems: [BlockNotFound],
    handle: async (input, { blocks }) => {
      await blocks.delete(authorOf(input), input.path.block_id);
      return { message: 'The block was lifted.' };
    },
  }),
];
