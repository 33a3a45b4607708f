import { InvalidCredentials, MessageAnswer, routesWith } from '../../core/index.ts';
import { ADMINISTRATION } from './administration.ts';
import {
  EmailTaken,
  LastAdministrator,
  RegistrationClosed,
  TooManyAttempts,
  UsernameTaken,
  UserNotFound,
  WrongPassword,
} from './problems.ts';
import { REGISTRATION } from './registration.ts';
import {
  ChangedUser,
  PasswordChange,
  TokenResponse,
  User,
  UserChange,
  UserList,
  UserLoginRequest,
  UserRegisterRequest,
  UsersQuery,
} from './schemas.ts';
import { SIGN_IN } from './sign-in.ts';

const route = routesWith({ registration: REGISTRATION, signIn: SIGN_IN, administration: ADMINISTRATION });

export const routes = [
  route({
    method: 'POST',
    path: '/users/register',
    operationId: 'registerUser',
    summary: 'Registers an account',
    access: 'anonymous',
    body: UserRegisterRequest,
    answers: User,
    problems: [UsernameTaken, EmailTaken, RegistrationClosed],
    handle: ({ body, request }, { registration }) => registration.register(body, request.ip),
  }),
  route({
    method: 'POST',
    path: '/users/login',
    operationId: 'loginUser',
    summary: 'Signs in and answers a bearer token',
    access: 'anonymous',
    body: UserLoginRequest,
    answers: TokenResponse,
    problems: [InvalidCredentials, TooManyAttempts],
    handle: ({ body, request }, { signIn }) => signIn.login({ ...body, address: request.ip }),
  }),
  route({
    method: 'POST',
    path: '/users/logout',
    operationId: 'logoutUser',
    summary: 'Ends the bearer token that is sent',
    access: 'account',
    answers: MessageAnswer,
    handle: async ({ principal }, { signIn }) => {
      await signIn.logout(principal);
      return { message: 'The token has ended.' };
    },
  }),
  route({
    method: 'GET',
    path: '/users/me',
    operationId: 'getCurrentUser',
    summary: 'Shows the current user',
    access: 'user',
    answers: User,
    handle: ({ principal }, { administration }) => administration.get(principal.userId),
  }),
  route({
    method: 'POST',
    path: '/users/me/password',
    operationId: 'changePassword',
    summary: 'Changes your password, which ends all tokens and on request API keys, and answers a new token',
    access: 'account',
    body: PasswordChange,
    answers: TokenResponse,
    problems: [WrongPassword, TooManyAttempts],
    handle: ({ body, principal }, { signIn }) => signIn.changePassword(principal, body),
  }),
  route({
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'Lists accounts, newest first',
    access: 'admin',
    query: UsersQuery,
    answers: UserList,
    handle: ({ query }, { administration }) => administration.list(query),
  }),
  route({
    method: 'GET',
    path: '/users/{user_id}',
    operationId: 'getUser',
    summary: 'Shows an account',
    access: 'admin',
    answers: User,
    problems: [UserNotFound],
    handle: ({ path }, { administration }) => administration.get(path.user_id),
  }),
  route({
    method: 'PATCH',
    path: '/users/{user_id}',
    operationId: 'changeUser',
    summary: 'Changes the role or status of an account, and ends its API keys on request',
    description:
      'The API keys of an account work again when it becomes active: `restored_api_keys` says which. With ' +
      '`revoke_api_keys` they end for good instead. Bearer tokens end with the account and stay so.',
    access: 'admin',
    body: UserChange,
    answers: ChangedUser,
    problems: [UserNotFound, LastAdministrator],
    fixed: async ({ path }, { administration }) => {
      const { id, username, email, created_at } = await administration.get(path.user_id);
      // No password equals the one that is stored.
      return { id, username, email, created_at, password: undefined };
    },
    handle: ({ path, body, principal }, { administration }) =>
      administration.change(path.user_id, body, principal),
  }),
];
