import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { malformedRequest, operationsOf, type RawRequest } from '../support/malformed-requests.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';

const REQUESTS = 5000;
const PARALLEL = 16;
const LONGEST_MS = 4000;
const SEED = 20_261_121;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly ms: number;
}

describe('malformed requests', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

    beforeEach(async () => {
      // Neither limits nor sign-in throttling may hide what a handler would answer.
      vitrine = await startVitrine(engine, { settings: { gateway: { rate_limit: 1_000_000 } } });
    });

    afterEach(async () => {
      agent.destroy();
      await vitrine?.stop();
    });

    it(`get a clear answer: ${REQUESTS} of them, none is a fault of the service or takes more than 4 s`, async function () {
      this.timeout(120_000);
      const admin = await vitrine.admin();
      const user = await vitrine.user('ursula');
      // Signing out would turn all that follows into 401.
      const all = operationsOf((await vitrine.request('GET', '/openapi.json')).body);
      const operations = all.filter(({ path }) => path !== '/users/logout');
      expect(operations.length).to.be.at.least(37);
      const random = seededRandom(SEED);
      const statuses: Record<number, number> = {};
      const wrong: string[] = [];
      let sent = 0;
      const worker = async (): Promise<void> => {
        while (sent < REQUESTS) {
          sent += 1;
          const request = malformedRequest(random, operations);
          const token = random.pick([admin.token, admin.token, user.token, undefined, 'vk_wrong']);
          const answer = await send(vitrine.baseUrl, request, token, agent);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          const fault = faultOf(request, answer);
          if (fault)
            wrong.push(
              `${fault}: ${request.method} ${request.path.slice(0, 100)} ${request.body?.slice(0, 200)}`,
            );
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, worker));
      expect(wrong.slice(0, 10), JSON.stringify(statuses)).to.deep.equal([]);
      expect(Object.keys(statuses), 'the requests reach many kinds of answers').to.include.members([
        '200',
        '400',
        '401',
        '403',
        '404',
        '415',
        '422',
      ]);
      expect((await vitrine.request('GET', '/health')).body).to.deep.equal({ status: 'healthy' });
    });
  });
});

function faultOf(request: RawRequest, { status, contentType, text, ms }: Answer): string | undefined {
  if (ms > LONGEST_MS) return `took ${Math.round(ms)} ms`;
  // A backend that is not configured, or does not answer, is said so (502, 503, 504) by its own helpers only.
  const hasBackend = /^\/(repohost|llm)\//.test(request.path);
  if (status === 500 || (status > 500 && !hasBackend)) return `${status} ${text.slice(0, 200)}`;
  if (status >= 400 && request.method !== 'HEAD' && !contentType.startsWith('application/problem+json')) {
    return `${status} as ${contentType}`;
  }
  return undefined;
}

function send(
  baseUrl: string,
  { method, path, headers, body }: RawRequest,
  token: string | undefined,
  agent: Agent,
): Promise<Answer> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = httpRequest(
      baseUrl + path,
      { method, agent, headers: { ...all, ...length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - began,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
