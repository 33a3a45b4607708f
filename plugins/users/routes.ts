import {
  authorOf,
  InvalidCredentials,
  MessageAnswer,
  reply,
  routesWith,
  type UserPrincipal,
} from '../../core/index.ts';
import { ADMINISTRATION } from './administration.ts';
import { clientOf } from './client.ts';
import type { SessionRequest } from './contract.ts';
import { ACCOUNT_DELETION } from './deletion/account-deletion.ts';
import { PASSWORD_RESETS } from './links/password-resets.ts';
import { OWN_ACCOUNT } from './own-account.ts';
import {
  AccountDisabled,
  EmailTaken,
  LastAdministrator,
  LinkEnded,
  RegistrationClosed,
  ResetUnavailable,
  SessionNotFound,
  TooManyAttempts,
  UsernameTaken,
  WrongPassword,
} from './problems.ts';
import { REGISTRATION } from './registration.ts';
import {
  ChosenPassword,
  OwnChange,
  OwnDeletion,
  PasswordChange,
  RegistrationState,
  ResetAccount,
  ResetRequest,
  SessionList,
  SessionsQuery,
  TokenResponse,
  User,
  UserLoginRequest,
  UserRegisterRequest,
} from './schemas.ts';
import { forgottenCookie, sessionCookie } from './session-cookie.ts';
import { SESSIONS } from './sessions.ts';
import { SIGN_IN } from './sign-in.ts';

const route = routesWith({
  registration: REGISTRATION,
  signIn: SIGN_IN,
  sessions: SESSIONS,
  administration: ADMINISTRATION,
  own: OWN_ACCOUNT,
  deletion: ACCOUNT_DELETION,
  resets: PASSWORD_RESETS,
});

const REQUESTED = 'If an account has this address, a link for a new password is on its way to it.';

const FORGET = { 'Set-Cookie': 'Where the cookie of this request ended: removes it.' };

/** An answer that has the browser forget its cookie, where the session of that cookie is the one that ended. */
function ended(message: string, isOwn: boolean, { via }: UserPrincipal, request: SessionRequest) {
  return isOwn && via === 'session'
    ? reply({ message }, { headers: { 'Set-Cookie': forgottenCookie(request) } })
    : { message };
}

export const routes = [
  route({
    method: 'POST',
    path: '/users/register',
    operationId: 'registerUser',
    summary: 'Registers an account',
    description:
      'Open to all, unless the administrator has closed registration. On an empty installation the first ' +
      'account may become the administrator.',
    access: 'anonymous',
    body: UserRegisterRequest,
    answers: User,
    links: { user_id: '/id' },
    problems: [UsernameTaken, EmailTaken, RegistrationClosed],
    handle: (input, { registration }) => registration.register(input.body, input.request.ip, authorOf(input)),
  }),
  route({
    method: 'GET',
    path: '/users/registration',
    operationId: 'getRegistration',
    summary: 'Tells whether registration is open',
    description: 'Open to all, so that a page can offer what there is.',
    access: 'anonymous',
    answers: RegistrationState,
    handle: async (_, { registration, resets }) => ({
      ...(await registration.state()),
      password_reset: resets.isOffered,
    }),
  }),
  route({
    method: 'POST',
    path: '/users/login',
    operationId: 'loginUser',
    summary: 'Signs in and answers a bearer token',
    description:
      'An unknown name and a wrong password get the same answer. After several failures the account and the ' +
      'address have to wait.',
    access: 'anonymous',
    body: UserLoginRequest,
    answers: TokenResponse,
    problems: [InvalidCredentials, TooManyAttempts],
    handle: ({ body, request }, { signIn }) => signIn.login({ ...body, ...clientOf(request) }),
  }),
  route({
    method: 'POST',
    path: '/users/logout',
    operationId: 'logoutUser',
    summary: 'Ends the bearer token that is sent',
    description: 'Other tokens and sessions of the account and its API keys stay valid.',
    access: 'account',
    answers: MessageAnswer,
    example: { answer: { message: 'The token has ended.' } },
    handle: async (input, { signIn }) => {
      await signIn.logout(input.principal, authorOf(input));
      return { message: 'The token has ended.' };
    },
  }),
  route({
    method: 'POST',
    path: '/users/session',
    operationId: 'openSession',
    summary: 'Signs in a page of this service with a cookie',
    description:
      'As `loginUser`, but the token goes into a cookie that no script can read and that browsers send only from ' +
      'pages of the same site.',
    access: 'anonymous',
    body: UserLoginRequest,
    answers: User,
    headers: { 'Set-Cookie': 'The session, for as long as its token lives.' },
    problems: [InvalidCredentials, TooManyAttempts],
    handle: async ({ body, request }, { signIn }) => {
      const { user, token } = await signIn.openSession({ ...body, ...clientOf(request) });
      return reply(user, { headers: { 'Set-Cookie': sessionCookie(token, request) } });
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/session',
    operationId: 'endSession',
    summary: 'Ends the session and has the browser forget its cookie',
    description: 'Also where there is none. A token or key that is sent stays valid.',
    access: 'public',
    answers: MessageAnswer,
    example: { answer: { message: 'The session has ended.' } },
    headers: { 'Set-Cookie': 'Removes the cookie.' },
    handle: async (input, { signIn }) => {
      const { principal, request } = input;
      if (principal.kind === 'user' && principal.via === 'session')
        await signIn.logout(principal, authorOf(input));
      const headers = { 'Set-Cookie': forgottenCookie(request) };
      return reply({ message: 'The session has ended.' }, { headers });
    },
  }),
  route({
    method: 'POST',
    path: '/users/password-reset',
    operationId: 'requestPasswordReset',
    summary: 'Mails a link for a new password to somebody who forgot theirs',
    description:
      'The answer and its time are the same whether or not an account has the address. At most one mail in five minutes; only ' +
      'to active accounts that have a password. Offered where `getRegistration` says so.',
    access: 'anonymous',
    body: ResetRequest,
    answers: MessageAnswer,
    example: { answer: { message: REQUESTED } },
    problems: [ResetUnavailable, TooManyAttempts],
    handle: (input, { resets }) => {
      resets.request(input.body.email, input.request.ip, authorOf(input));
      return { message: REQUESTED };
    },
  }),
  route({
    method: 'POST',
    path: '/users/password-reset/confirm',
    operationId: 'confirmPasswordReset',
    summary: 'Sets the password of an account by a one-time link',
    description:
      'For links of `requestPasswordReset`, `resetUserPassword` and invitations. The link works once. All tokens and sessions of the ' +
      'account end, and its other links.',
    access: 'anonymous',
    body: ChosenPassword,
    answers: ResetAccount,
    problems: [LinkEnded, AccountDisabled],
    handle: async (input, { resets }) => ({
      username: await resets.confirm(input.body, input.request.ip, authorOf(input)),
      message: 'The password was set. Sign in with it.',
    }),
  }),
  route({
    method: 'GET',
    path: '/users/me',
    operationId: 'getCurrentUser',
    summary: 'Shows the current user',
    description: 'The account of the token, the session or the API key.',
    access: 'user',
    answers: User,
    handle: ({ principal }, { administration }) => administration.get(principal.userId),
  }),
  route({
    method: 'PATCH',
    path: '/users/me',
    operationId: 'changeCurrentUser',
    summary: 'Changes your e-mail address',
    description:
      'Needs a token or a session, and the current password: a link for a new one goes to this address. Links that were ' +
      'made before end.',
    access: 'account',
    body: OwnChange,
    answers: User,
    problems: [EmailTaken, WrongPassword, TooManyAttempts],
    fixed: async ({ principal }, { administration }) => {
      const { id, username, role, status, created_at } = await administration.get(principal.userId);
      return { id, username, role, status, created_at };
    },
    handle: (input, { own }) => own.change(input.principal, input.body, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/users/me',
    operationId: 'deleteCurrentUser',
    summary: 'Deletes your account',
    description:
      'Needs the current password. Sessions, tokens, API keys and grants of the account go with it; calls that run end and ' +
      'are recorded. The last active administrator cannot go.',
    access: 'account',
    body: OwnDeletion,
    answers: MessageAnswer,
    example: { answer: { message: 'Your account was deleted.' } },
    headers: FORGET,
    problems: [WrongPassword, TooManyAttempts, LastAdministrator],
    handle: async (input, { deletion }) => {
      const { principal, body, request } = input;
      await deletion.removeOwn(principal, body.password, body.records ?? 'keep', authorOf(input));
      return ended('Your account was deleted.', true, principal, request);
    },
  }),
  route({
    method: 'POST',
    path: '/users/me/password',
    operationId: 'changePassword',
    summary: 'Changes your password, which ends all tokens and on request API keys, and answers a new token',
    description:
      'Needs a token or a session: a key cannot change the password. After several wrong passwords the same token has to wait. A ' +
      'session goes on with the new token.',
    access: 'account',
    body: PasswordChange,
    answers: TokenResponse,
    headers: { 'Set-Cookie': 'In a session, the new token.' },
    problems: [WrongPassword, TooManyAttempts],
    handle: async ({ body, principal, request }, { signIn }) => {
      const token = await signIn.changePassword(principal, body, clientOf(request));
      if (principal.via !== 'session') return token;
      return reply(token, { headers: { 'Set-Cookie': sessionCookie(token, request) } });
    },
  }),
  route({
    method: 'GET',
    path: '/users/me/sessions',
    operationId: 'listSessions',
    summary: 'Lists where you are signed in, newest first',
    description:
      'Each sign-in that has not ended, by cookie or bearer token. API keys are listed by `listApiKeys`.',
    access: 'account',
    query: SessionsQuery,
    answers: SessionList,
    links: { session_id: '/sessions/0/id' },
    handle: ({ principal, query }, { sessions }) => sessions.list(principal.userId, query, principal),
  }),
  route({
    method: 'DELETE',
    path: '/users/me/sessions',
    operationId: 'endAllSessions',
    summary: 'Signs you out everywhere, also here',
    description: 'All tokens and sessions of the account end. Its API keys stay valid.',
    access: 'account',
    answers: MessageAnswer,
    example: { answer: { message: 'All sessions have ended.' } },
    headers: FORGET,
    handle: async (input, { sessions }) => {
      const { principal, request } = input;
      await sessions.endAll(principal, authorOf(input));
      return ended('All sessions have ended.', true, principal, request);
    },
  }),
  route({
    method: 'DELETE',
    path: '/users/me/sessions/{session_id}',
    parameters: { session_id: { description: 'The `id` of a session.' } },
    operationId: 'endSessionById',
    summary: 'Ends one of your sessions',
    description: 'It is refused from then on, on other instances within two seconds.',
    access: 'account',
    answers: MessageAnswer,
    example: { answer: { message: 'The session has ended.' } },
    headers: FORGET,
    problems: [SessionNotFound],
    handle: async (input, { sessions }) => {
      const { path, principal, request } = input;
      const { userId: id, username } = principal;
      await sessions.end({ id, username }, path.session_id, authorOf(input));
      const isOwn = path.session_id === principal.credentialId;
      return ended('The session has ended.', isOwn, principal, request);
    },
  }),
];
