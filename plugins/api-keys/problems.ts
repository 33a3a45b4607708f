import { problem } from '../../core/index.ts';

export const KeyNotFound = problem({
  code: 'api_key_not_found',
  status: 404,
  title: 'No such API key',
  description: 'No key of yours has this id; administrators may revoke those of others.',
});

export const TooManyKeys = problem({
  code: 'too_many_api_keys',
  status: 409,
  title: 'Too many active API keys',
  description: 'You have as many active keys as one user may have. Delete one that is not used.',
});

export const KeyEnded = problem({
  code: 'api_key_ended',
  status: 409,
  title: 'The API key has ended',
  description: 'A key that was revoked or has expired cannot be changed. Create another one.',
});

export const KeyElsewhere = problem({
  code: 'api_key_elsewhere',
  status: 403,
  title: 'The API key is not accepted from this address',
  description: 'The key is restricted to other networks. Its owner can change the `networks` of the key.',
  isOfCredentials: true,
});

export const apiKeysProblems = [KeyNotFound, TooManyKeys, KeyEnded, KeyElsewhere];
