import { problem } from '../../core/index.ts';

export const KeyNotFound = problem({
  code: 'api_key_not_found',
  status: 404,
  title: 'No such API key',
  description: 'No key of yours has this id.',
});

export const TooManyKeys = problem({
  code: 'too_many_api_keys',
  status: 409,
  title: 'Too many active API keys',
  description: 'You have as many active keys as one user may have. Delete one that is not used.',
});

export const apiKeysProblems = [KeyNotFound, TooManyKeys];
