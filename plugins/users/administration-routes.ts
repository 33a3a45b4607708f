import { authorOf, MessageAnswer, routesWith, type UserPrincipal } from '../../core/index.ts';
import { ADMINISTRATION } from './administration.ts';
import { ACCOUNT_DELETION } from './deletion/account-deletion.ts';
import { ACCOUNT_LINKS, type Asking } from './links/account-links.ts';
import {
  AccountDisabled,
  EmailTaken,
  LastAdministrator,
  SessionNotFound,
  UsernameTaken,
  UserNotFound,
} from './problems.ts';
import {
  ChangedUser,
  CreatedUser,
  DeletionQuery,
  NewUser,
  OneTimeLink,
  SessionList,
  SessionsQuery,
  User,
  UserChange,
  UserList,
  UsersQuery,
} from './schemas.ts';
import { SESSIONS } from './sessions.ts';

const route = routesWith({
  administration: ADMINISTRATION,
  links: ACCOUNT_LINKS,
  deletion: ACCOUNT_DELETION,
  sessions: SESSIONS,
});

const USER_PARAMETER = { user_id: { description: 'The `id` of an account.' } };
const SESSION_PARAMETER = { ...USER_PARAMETER, session_id: { description: 'The `id` of a session.' } };

type Requested = Parameters<typeof authorOf>[0]['request'] & { readonly publicUrl: URL };

function askingOf(input: { readonly principal: UserPrincipal; readonly request: Requested }): Asking {
  const { principal: by, request } = input;
  return { by, author: authorOf(input), publicUrl: request.publicUrl };
}

export const administrationRoutes = [
  route({
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'Lists accounts, newest first',
    description: 'For administrators.',
    access: 'admin',
    query: UsersQuery,
    answers: UserList,
    links: { user_id: '/users/0/id' },
    handle: ({ query }, { administration }) => administration.list(query),
  }),
  route({
    method: 'GET',
    path: '/users/{user_id}',
    parameters: USER_PARAMETER,
    operationId: 'getUser',
    summary: 'Shows an account',
    description: 'For administrators, also a deleted one. Your own account is at `getCurrentUser`.',
    access: 'admin',
    answers: User,
    problems: [UserNotFound],
    handle: ({ path }, { administration }) => administration.get(path.user_id),
  }),
  route({
    method: 'PATCH',
    path: '/users/{user_id}',
    parameters: USER_PARAMETER,
    operationId: 'changeUser',
    summary: 'Changes the e-mail address, role or status of an account, and ends its API keys on request',
    description:
      'For administrators, and the address not by API key; links that were sent to another one end. The last active administrator cannot be disabled or demoted. Bearer tokens end with the account ' +
      'and stay so. The API keys work again when it becomes active: `restored_api_keys` says which. With `revoke_api_keys` ' +
      'they end for good instead.',
    access: 'admin',
    body: UserChange,
    answers: ChangedUser,
    problems: [UserNotFound, EmailTaken, LastAdministrator],
    fixed: async ({ path }, { administration }) => {
      const { id, username, created_at } = await administration.get(path.user_id);
      // No password equals the one that is stored.
      return { id, username, created_at, password: undefined };
    },
    handle: (input, { administration }) =>
      administration.change(input.path.user_id, input.body, authorOf(input), input.principal),
  }),
  route({
    method: 'POST',
    path: '/users',
    operationId: 'createUser',
    summary: 'Creates an account, with a password or with an invitation',
    description:
      'For administrators, also where registration is closed. Without a password the answer has a one-time link, with which the ' +
      'owner chooses one; it is mailed as well where a mail server is set. The link is shown in this answer only.',
    access: 'admin',
    body: NewUser,
    answers: CreatedUser,
    links: { user_id: '/id' },
    problems: [UsernameTaken, EmailTaken],
    handle: (input, { links }) => links.create(input.body, askingOf(input)),
  }),
  route({
    method: 'POST',
    path: '/users/{user_id}/password-reset',
    parameters: USER_PARAMETER,
    operationId: 'resetUserPassword',
    summary: 'Makes a one-time link with which the owner of an account chooses another password',
    description:
      'For administrators, not by API key. Also the way to a new invitation. Earlier links of the account end; its password stays until ' +
      'the link is used. It is mailed as well where a mail server is set, and shown in this answer only.',
    access: 'admin',
    answers: OneTimeLink,
    problems: [UserNotFound, AccountDisabled],
    handle: (input, { links }) => links.reset(input.path.user_id, askingOf(input)),
  }),
  route({
    method: 'GET',
    path: '/users/{user_id}/sessions',
    parameters: USER_PARAMETER,
    operationId: 'listUserSessions',
    summary: 'Lists where an account is signed in, newest first',
    description: 'For administrators. Your own are at `listSessions`.',
    access: 'admin',
    query: SessionsQuery,
    answers: SessionList,
    links: { session_id: '/sessions/0/id' },
    problems: [UserNotFound],
    handle: async ({ path, query, principal }, { administration, sessions }) => {
      const { id } = await administration.get(path.user_id);
      return sessions.list(id, query, principal);
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/{user_id}/sessions/{session_id}',
    parameters: SESSION_PARAMETER,
    operationId: 'endUserSession',
    summary: 'Ends a session of an account',
    description: 'For administrators. It is refused from then on, on other instances within two seconds.',
    access: 'admin',
    answers: MessageAnswer,
    example: { answer: { message: 'The session has ended.' } },
    problems: [UserNotFound, SessionNotFound],
    handle: async (input, { administration, sessions }) => {
      const { user_id, session_id } = input.path;
      await sessions.end(await administration.get(user_id), session_id, authorOf(input));
      return { message: 'The session has ended.' };
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/{user_id}/sessions',
    parameters: USER_PARAMETER,
    operationId: 'endUserSessions',
    summary: 'Signs an account out everywhere',
    description: 'For administrators. All tokens and sessions of the account end. Its API keys stay valid.',
    access: 'admin',
    answers: MessageAnswer,
    example: { answer: { message: 'All sessions have ended.' } },
    problems: [UserNotFound],
    handle: async (input, { sessions }) => {
      await sessions.endAllOf(input.path.user_id, input.principal, authorOf(input));
      return { message: 'All sessions have ended.' };
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/{user_id}',
    parameters: USER_PARAMETER,
    operationId: 'deleteUser',
    summary: 'Deletes an account',
    description:
      'For administrators; the last active one cannot go. Sessions, tokens, API keys and grants of the account go with it; calls ' +
      'that run end and are recorded. Its records stay, or go too with `records=delete`, which may be asked for later as well.',
    access: 'admin',
    query: DeletionQuery,
    answers: MessageAnswer,
    example: { answer: { message: 'The account was deleted. Its records stay.' } },
    problems: [UserNotFound, LastAdministrator],
    handle: async (input, { deletion }) => {
      const { records } = input.query;
      await deletion.remove(input.path.user_id, records, authorOf(input), input.principal);
      const rest = records === 'keep' ? 'Its records stay.' : 'Its records will be deleted within minutes.';
      return { message: `The account was deleted. ${rest}` };
    },
  }),
];
