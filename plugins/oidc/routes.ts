import { authorOf, MessageAnswer, reply, routesWith } from '../../core/index.ts';
import { LINKS } from './accounts/links.ts';
import { RIGHTS } from './accounts/rights.ts';
import {
  LastWayIn,
  SignInEnded,
  SignInLinkNotFound,
  SignInProviderNotFound,
  SignInProviderUnavailable,
  SignInRefused,
} from './problems.ts';
import { PROVIDERS } from './provider/provider-list.ts';
import {
  BegunSignIn,
  FinishedSignIn,
  LinkList,
  LinksQuery,
  ProviderAnswer,
  SignInBeginning,
  SignInProviders,
  SignOut,
} from './schemas.ts';
import { PROVIDER_SESSIONS } from './sign-in/provider-sessions.ts';
import { SIGN_INS } from './sign-in/sign-ins.ts';

const route = routesWith({
  providers: PROVIDERS,
  signIns: SIGN_INS,
  sessions: PROVIDER_SESSIONS,
  links: LINKS,
  rights: RIGHTS,
});

const parameters = { provider_id: { description: 'The `id` of a provider.' } };

export const routes = [
  route({
    method: 'GET',
    path: '/oidc/providers',
    operationId: 'getSignInProviders',
    summary: 'Tells by which providers people can sign in',
    description:
      'Open to all, so that a page can offer them. It says nothing of whether they can be reached.',
    access: 'anonymous',
    answers: SignInProviders,
    links: { provider_id: '/providers/0/id' },
    handle: (_, { providers }) => ({
      providers: providers.all.map(({ settings: { id, name } }) => ({ id, name })),
    }),
  }),
  route({
    method: 'POST',
    path: '/oidc/sign-in/{provider_id}',
    parameters,
    operationId: 'beginSignIn',
    summary: 'Begins a sign-in by a provider',
    description: 'For a page of this service, which then sends the browser to `url`. It has ten minutes.',
    access: 'anonymous',
    body: SignInBeginning,
    answers: BegunSignIn,
    headers: { 'Set-Cookie': 'What the browser must send to `finishSignIn`.' },
    problems: [SignInProviderNotFound, SignInProviderUnavailable],
    handle: async ({ path, body, request }, { signIns }) => {
      const { url, cookie } = await signIns.begin(path.provider_id, body.next, request);
      return reply({ url }, { headers: { 'Set-Cookie': cookie } });
    },
  }),
  route({
    method: 'POST',
    path: '/oidc/session/{provider_id}',
    parameters,
    operationId: 'finishSignIn',
    summary: 'Finishes a sign-in by a provider and opens a session',
    description:
      'For the page to which the provider sent the browser back. The account is the one that is linked, or has the same ' +
      'e-mail address that the provider has verified, or is made, where the settings say so.',
    access: 'anonymous',
    body: ProviderAnswer,
    answers: FinishedSignIn,
    headers: { 'Set-Cookie': 'The session, as `openSession` opens it.' },
    problems: [SignInProviderNotFound, SignInEnded, SignInRefused, SignInProviderUnavailable],
    handle: async ({ path, body, request }, { signIns }) => {
      const { answer, cookie } = await signIns.finish(path.provider_id, body.query, request);
      return reply(answer, { headers: { 'Set-Cookie': cookie } });
    },
  }),
  route({
    method: 'POST',
    path: '/oidc/sign-out',
    operationId: 'signOutOfProvider',
    summary: 'Ends the session, and tells where to sign out of its provider as well',
    description: 'Also for sessions and tokens that no provider opened; `url` is null then.',
    access: 'account',
    answers: SignOut,
    headers: { 'Set-Cookie': 'Where the session is in a cookie: removes it.' },
    handle: async (input, { sessions }) => {
      const { principal, request } = input;
      const { url, cookie } = await sessions.end(principal, request, authorOf(input));
      const answer = { message: 'The session has ended.', url };
      return principal.via === 'session' ? reply(answer, { headers: { 'Set-Cookie': cookie } }) : answer;
    },
  }),
  route({
    method: 'GET',
    path: '/oidc/links',
    operationId: 'listSignInLinks',
    summary: 'Lists by which providers you can sign in, newest first',
    description: 'Administrators list the links of others with `user_id`.',
    access: 'account',
    query: LinksQuery,
    answers: LinkList,
    links: { link_id: '/links/0/id' },
    handle: ({ principal, query }, { links }) => links.list(principal, query),
  }),
  route({
    method: 'DELETE',
    path: '/oidc/links/{link_id}',
    parameters: { link_id: { description: 'The `id` of a link.' } },
    operationId: 'deleteSignInLink',
    summary: 'Removes a link to a provider',
    description:
      'Its groups and the role that the provider gave go with it; sessions stay until they end. The last link of an account ' +
      'without a password stays. Administrators may remove the links of others.',
    access: 'account',
    answers: MessageAnswer,
    example: { answer: { message: 'The link was removed.' } },
    problems: [SignInLinkNotFound, LastWayIn],
    handle: async (input, { links, rights }) => {
      const by = authorOf(input);
      await rights.takeBack(await links.remove(input.principal, input.path.link_id, by), by);
      return { message: 'The link was removed.' };
    },
  }),
];
