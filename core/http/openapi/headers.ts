import type { Components, Json } from './components.ts';

const header = (description: string): Json => ({ description, schema: { type: 'string' } });

/** Headers that a status implies. `X-Request-Id`, which every answer has, is in the introduction of the document. */
const commonHeaders = {
  'WWW-Authenticate': header('`Bearer`, and with `error="invalid_token"` that what was sent is not valid.'),
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 0 },
  },
} as const;

/** The headers of a response: those that its status implies, and those that the route describes. Empty where it has none. */
export function describeHeaders(
  status: number,
  own: Readonly<Record<string, string>>,
  components: Components,
): { readonly headers?: Json } {
  const implied = [
    ...(status === 401 ? ['WWW-Authenticate' as const] : []),
    ...(status === 429 || status === 503 ? ['Retry-After' as const] : []),
  ];
  const headers: readonly (readonly [string, Json])[] = [
    ...implied.map((name) => [name, commonHeaders[name]] as const),
    ...Object.entries(own).map(([name, description]) => [name, header(description)] as const),
  ];
  if (headers.length === 0) return {};
  return {
    headers: Object.fromEntries(
      headers.map(([name, value]) => [name, components.shared('headers', name, value)]),
    ),
  };
}
