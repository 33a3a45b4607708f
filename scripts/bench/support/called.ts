import { signIn } from '../../../test/support/service-client.ts';
import { requestBytes, type Server, type Subject } from './load.ts';
import type { Service } from './processes.ts';

const INPUT = { text: 'A vitrine is a glass cabinet. A glass cabinet shows what is precious.', top: 3 };
const INPUT_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 10_000 }, top: { type: 'integer', minimum: 1 } },
  required: ['text'],
};

/** Calls at `/algorithms/call` or `/gateway/call`, made by the administrator or by some accounts in turn. */
export type CallsAt = (path: string, tokens?: readonly string[]) => Subject;

/** Makes an account, and algorithms that are called in turn, each with a version whose endpoint is the upstream. */
export async function prepareCalls(service: Service, upstreamPort: number, count = 1): Promise<CallsAt> {
  const admin = await signIn(service.url, 'bench');
  const bodies: string[] = [];
  for (let number = 1; number <= count; number += 1) {
    const { id: algorithm_id } = await admin.post<{ id: string }>('/algorithms', {
      name: `Measured ${number}`,
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
  return (path, tokens = [admin.token]) => ({
    port: service.port,
    pid: service.pid,
    requests: tokens.flatMap((token) =>
      bodies.map((body) => requestBytes('POST', `/api/v1${path}`, token, body)),
    ),
    expect: '"status":"success"',
  });
}

/** What the endpoint of that version gets, for proxies and for the endpoint itself. */
export function plainCall({ port, pid }: Server): Subject {
  const body = JSON.stringify({ input_data: INPUT, params: {} });
  return { port, pid, requests: [requestBytes('POST', '/predict', undefined, body)], expect: '"label"' };
}
