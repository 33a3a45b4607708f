import { signUp, type Client } from './client.ts';
import type { LoadOrder } from './load.ts';
import { requestBytes } from './requests.ts';
import type { Service } from './service.ts';

/** What load is put on. */
export type Subject = Pick<LoadOrder, 'port' | 'pid' | 'request' | 'expect'>;

/** An algorithm that is ready to be called on a service. */
export interface Called {
  readonly admin: Client;
  /** The call through a door: `/algorithms/call` or `/gateway/call`. */
  through(door: string): Subject;
  /** Calls that the service has on record. */
  recorded(): Promise<number>;
}

const INPUT = { text: 'A vitrine is a glass cabinet. A glass cabinet shows what is precious.', top: 3 };
const INPUT_SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 10_000 }, top: { type: 'integer', minimum: 1 } },
  required: ['text'],
};

/** Makes an account, an algorithm and a version whose endpoint is the upstream. */
export async function prepareCalls({ apiUrl, port, pid }: Service, upstreamPort: number): Promise<Called> {
  const admin = await signUp(apiUrl, 'bench');
  const { id: algorithm_id } = await admin.post<{ id: string }>('/algorithms', {
    name: 'Measured',
    description: 'Is called by the benchmarks',
    type: 'other',
  });
  const { id: version_id } = await admin.post<{ id: string }>(`/algorithms/${algorithm_id}/versions`, {
    version: '1',
    url: `http://127.0.0.1:${upstreamPort}/predict`,
    input_schema: INPUT_SCHEMA,
  });
  const body = JSON.stringify({ algorithm_id, version_id, input_data: INPUT });
  return {
    admin,
    through: (door) => ({
      port,
      pid,
      request: requestBytes('POST', `/api/v1${door}`, { authorization: `Bearer ${admin.token}` }, body),
      expect: '"status":"success"',
    }),
    recorded: async () => (await admin.get<{ total_calls: number }>('/history/statistics')).total_calls,
  };
}

/** What the endpoint of that version is sent, for proxies and for the endpoint itself. */
export function plainCall({ port, pid }: { readonly port: number; readonly pid?: number }): Subject {
  const body = JSON.stringify({ input_data: INPUT, params: {} });
  return { port, pid, request: requestBytes('POST', '/predict', {}, body), expect: '"label"' };
}
