import { problem } from '../../core/index.ts';

export const SignInProviderNotFound = problem({
  code: 'sign_in_provider_not_found',
  status: 404,
  title: 'No such provider',
  description:
    'The settings have no OpenID provider with this id. `getSignInProviders` tells which there are.',
});

export const SignInProviderUnavailable = problem({
  code: 'sign_in_provider_unavailable',
  status: 503,
  title: 'The provider cannot be used now',
  description:
    'The OpenID provider does not answer, or not as its settings say; the sentence says what is wrong. Other ways to sign in are not affected.',
  headers: { 'Retry-After': 'Seconds until the provider is asked again.' },
  isOfCredentials: true,
});

export const SignInEnded = problem({
  code: 'sign_in_ended',
  status: 409,
  title: 'This sign-in has ended',
  description:
    'It took too long, was finished already, or was begun in another browser or replaced by a newer one. Begin again.',
});

export const SignInRefused = problem({
  code: 'sign_in_refused',
  status: 403,
  title: 'The sign-in was refused',
  description:
    'The provider refused it, its answer cannot be trusted, or no account here belongs to this person. The sentence says which.',
});

export const SignInLinkNotFound = problem({
  code: 'sign_in_link_not_found',
  status: 404,
  title: 'No such link',
  description: 'No link of yours to a provider has this id.',
});

export const LastWayIn = problem({
  code: 'last_way_in',
  status: 409,
  title: 'The last way to sign in must stay',
  description:
    'The account has no password and no other link. Give it a password first, by a one-time link of an administrator.',
});

export const oidcProblems = [
  SignInProviderNotFound,
  SignInProviderUnavailable,
  SignInEnded,
  SignInRefused,
  SignInLinkNotFound,
  LastWayIn,
];
