import { signIn } from './client.ts';
import { requestBytes, type Subject } from './load.ts';
import type { Service } from './processes.ts';

const INPUT = { text: 'A vitrine is a glass cabinet. A glass cabinet shows what is precious.', top: 3 };
const INPUT_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 10_000 }, top: { type: 'integer', minimum: 1 } },
  required: ['text'],
};

/** A service with algorithms whose endpoint is the upstream. */
export interface Called {
  /** The call at `/algorithms/call` or `/gateway/call`, made by the administrator or by some accounts in turn. */
  at(path: string, tokens?: readonly string[]): Subject;
}

/** Makes an account, and algorithms that are called in turn, each with a version whose endpoint is the upstream. */
export async function prepareCalls(
  { url, port, pid }: Service,
  upstreamPort: number,
  algorithms = 1,
): Promise<Called> {
  const admin = await signIn(url, 'bench');
  const bodies: string[] = [];
  for (let i = 1; i <= algorithms; i += 1) {
    const { id: algorithm_id } = await admin.post<{ id: string }>('/algorithms', {
      name: `Measured ${i}`,
      description: 'Is called by the benchmarks',
      type: 'other',
    });
    const { id: version_id } = await admin.post<{ id: string }>(`/algorithms/${algorithm_id}/versions`, {
      version: '1',
      url: `http://127.0.0.1:${upstreamPort}/predict`,
      input_schema: INPUT_SCHEMA,
    });
    bodies.push(JSON.stringify({ algorithm_id, version_id, input_data: INPUT }));
  }
  return {
    at: (path, tokens = [admin.token]) => ({
      port,
      pid,
      requests: tokens.flatMap((token) =>
        bodies.map((body) => requestBytes('POST', `/api/v1${path}`, token, body)),
      ),
      expect: '"status":"success"',
    }),
  };
}

/** What the endpoint of that version gets, for proxies and for the endpoint itself. */
export function plainCall({ port, pid }: { readonly port: number; readonly pid: number }): Subject {
  const body = JSON.stringify({ input_data: INPUT, params: {} });
  return { port, pid, requests: [requestBytes('POST', '/predict', undefined, body)], expect: '"label"' };
}
