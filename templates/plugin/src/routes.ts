import { authorOf, MessageAnswer, named, PagingQuery, routesWith, timestamp, Type } from 'vitrine';
import { AlgorithmNotFound, EXAMPLE_ALGORITHM_ID } from 'vitrine/contracts/catalogue';
import { BOOKMARKS } from './contract.ts';
import { BookmarkNotFound, TooManyBookmarks } from './problems.ts';

const BookmarkAnswer = named(
  'MyPluginBookmark',
  Type.Object({
    algorithm_id: Type.String({ description: 'The algorithm.' }),
    note: Type.String({
      description: 'Why it is worth finding again.',
      examples: ['Good with dark pictures'],
    }),
    created_at: timestamp('When the bookmark was made.'),
  }),
);

const parameters = {
  algorithm_id: { description: 'The `id` of an algorithm.', example: EXAMPLE_ALGORITHM_ID },
};

const route = routesWith({ bookmarks: BOOKMARKS });

export const routes = [
  route({
    method: 'GET',
    path: '/my-plugin/bookmarks',
    operationId: 'listMyPluginBookmarks',
    summary: 'Your bookmarks',
    description: 'Newest first.',
    access: 'user',
    query: PagingQuery({}),
    answers: Type.Object({
      bookmarks: Type.Array(BookmarkAnswer, { description: 'One page of them.' }),
      total: Type.Integer({ description: 'How many there are.' }),
    }),
    handle: ({ principal, query }, { bookmarks }) => bookmarks.list(principal, query),
  }),
  route({
    method: 'PUT',
    path: '/my-plugin/bookmarks/{algorithm_id}',
    operationId: 'putMyPluginBookmark',
    summary: 'Makes a bookmark of an algorithm, or changes its note',
    description: 'How many bookmarks an account may have is a setting.',
    parameters,
    access: 'user',
    body: Type.Object({
      note: Type.String({
        maxLength: 500,
        description: 'Why it is worth finding again.',
        examples: ['Good with dark pictures'],
      }),
    }),
    answers: BookmarkAnswer,
    problems: [AlgorithmNotFound, TooManyBookmarks],
    handle: (input, { bookmarks }) =>
      bookmarks.put(input.principal, input.path.algorithm_id, input.body.note, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/my-plugin/bookmarks/{algorithm_id}',
    operationId: 'deleteMyPluginBookmark',
    summary: 'Deletes a bookmark',
    description: 'The algorithm stays.',
    parameters,
    access: 'user',
    answers: MessageAnswer,
    problems: [BookmarkNotFound],
    handle: async (input, { bookmarks }) => {
      await bookmarks.remove(input.principal, input.path.algorithm_id, authorOf(input));
      return { message: 'The bookmark was deleted.' };
    },
  }),
];
