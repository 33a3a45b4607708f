import type { Json } from './components.ts';

const reference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers that answers of any operation may have. */
export const commonHeaders: Json = {
  'X-Request-Id': header('Finds the request in the log: the one that was sent, or one made for it.'),
  'WWW-Authenticate': header('`Bearer`, and with `error="invalid_token"` that what was sent is not valid.'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** The headers of a response: those that its status implies, and those that the route describes. */
export function describeHeaders(status: number, own: Readonly<Record<string, string>> = {}): Json {
  return {
    'X-Request-Id': reference('X-Request-Id'),
    ...(status === 401 && { 'WWW-Authenticate': reference('WWW-Authenticate') }),
    ...((status === 429 || status === 503) && { 'Retry-After': reference('Retry-After') }),
    ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, header(description)])),
  };
}
