import type { Components, Json } from './components.ts';

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers that answers of any operation may have. */
const commonHeaders = {
  'X-Request-Id': header('Finds the request in the log: the one that was sent, or one made for it.'),
  'WWW-Authenticate': header('`Bearer`, and with `error="invalid_token"` that what was sent is not valid.'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

/**
 * The headers of a response: those that its status implies, and those that the route describes. The request id of a
 * problem is described as its `request_id`.
 */
export function describeHeaders(
  status: number,
  own: Readonly<Record<string, string>>,
  components: Components,
): Json {
  const implied = [
    ...(status < 400 ? ['X-Request-Id' as const] : []),
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(status === 429 || status === 503 ? ['Retry-After' as const] : []),
  ];
  const headers: readonly (readonly [string, Json])[] = [
    ...implied.map((name) => [name, commonHeaders[name]] as const),
    ...Object.entries(own).map(([name, description]) => [name, header(description)] as const),
  ];
  return Object.fromEntries(
    headers.map(([name, value]) => [name, components.shared('headers', name, value)]),
  );
}
