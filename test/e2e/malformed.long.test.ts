import { Agent, request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { makeScratch, onEveryEngine, type Scratch } from '../../core/testing.ts';
import {
  malformedRequest,
  operationsOf,
  type DescribedOperation,
  type RawRequest,
} from '../support/malformed-requests.ts';
import { hasProc, residentBytes } from '../support/resident-memory.ts';
import { seededRandom, type SeededRandom } from '../support/seeded-random.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';

/** A long run: `MALFORMED_REQUESTS=100000`, and another `MALFORMED_SEED` for other requests. */
const REQUESTS = Number(process.env['MALFORMED_REQUESTS'] ?? 5000);
const SEED = Number(process.env['MALFORMED_SEED'] ?? 20_261_121);
/** After these the service has met every kind of request, and compiled what it needs. */
const WARM_UP = 2000;
const MOST_GROWTH = 64 * 1024 * 1024;
const PARALLEL = 16;
const LONGEST_MS = 4000;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly ms: number;
}

/** What came of many requests. */
interface Outcome {
  readonly statuses: Readonly<Record<number, number>>;
  /** A line for each answer that is none of a sound service. */
  readonly wrong: readonly string[];
}

describe('malformed requests', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let service: ServiceProcess;
    let agent: Agent;

    beforeEach(async () => {
      agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
      scratch = await makeScratch(engine);
      service = await startService({
        DATA_DIR: scratch.dataDir,
        DATABASE_URL: scratch.databaseUrl,
        SAMPLES_SEED: 'false',
        // No limit may hide what a handler would answer.
        GATEWAY_RATE_LIMIT: '0',
      });
    });

    afterEach(async () => {
      agent.destroy();
      await service?.end('SIGKILL');
      await scratch.remove();
    });

    async function outcomeOf(
      count: number,
      random: SeededRandom,
      operations: readonly DescribedOperation[],
      tokens: readonly (string | undefined)[],
    ): Promise<Outcome> {
      const statuses: Record<number, number> = {};
      const wrong: string[] = [];
      let sent = 0;
      const worker = async (): Promise<void> => {
        while (sent < count) {
          sent += 1;
          const request = malformedRequest(random, operations);
          const answer = await send(`${service.url}/api/v1`, request, random.pick(tokens), agent);
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
          const fault = faultOf(request, answer);
          if (fault) {
            const { method, path, body } = request;
            wrong.push(`${fault}: ${method} ${path.slice(0, 100)} ${body?.slice(0, 200)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, worker));
      return { statuses, wrong };
    }

    it(`get a clear answer within 4 s and leave nothing behind: ${REQUESTS} of seed ${SEED}`, async function () {
      this.timeout(120_000 + 20 * REQUESTS);
      const client = clientOf(service.url);
      const [admin, user] = [await client.signUp('admin'), await client.signUp('ursula')];
      // Signing out would turn all that follows into 401. A request may have another method than its operation, and an
      // empty id in its path.
      const all = operationsOf(await client.ok('GET', '/openapi.json'));
      const signingOut = ['/users/logout', '/users/me/sessions', '/oidc/sign-out'];
      const operations = all.filter(({ path }) => !signingOut.some((start) => path.startsWith(start)));
      expect(operations.length).to.be.at.least(37);
      const random = seededRandom(SEED);
      const tokens = [admin, admin, user, undefined, 'vk_wrong'];
      const warmUp = Math.min(WARM_UP, REQUESTS / 2);
      const first = await outcomeOf(warmUp, random, operations, tokens);
      const before = hasProc ? residentBytes(service.child.pid!) : 0;
      const { statuses, wrong } = await outcomeOf(REQUESTS - warmUp, random, operations, tokens);
      const growth = hasProc ? residentBytes(service.child.pid!) - before : 0;
      expect([...first.wrong, ...wrong].slice(0, 10), JSON.stringify(statuses)).to.deep.equal([]);
      expect(Object.keys(statuses), 'the requests reach many kinds of answers').to.include.members([
        '200',
        '400',
        '401',
        '403',
        '404',
        '415',
        '422',
      ]);
      expect(growth, 'bytes by which the service grew').to.be.below(MOST_GROWTH);
      expect(await client.ok('GET', '/health')).to.deep.equal({ status: 'healthy' });
      expect(service.child.exitCode, 'the service is still the process that was started').to.equal(null);
    });
  });
});

function faultOf(request: RawRequest, { status, contentType, text, ms }: Answer): string | undefined {
  if (ms > LONGEST_MS) return `took ${Math.round(ms)} ms`;
  // A backend that is not configured, or does not answer, is said so (502, 503, 504) by its own helpers only.
  const hasBackend = /^\/(repohost|llm|users\/password-reset)\b/.test(request.path);
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
        const contentType = response.headers['content-type'] ?? '';
        const chunks: Buffer[] = [];
        const end = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            contentType,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - began,
          });
        if (contentType.startsWith('text/event-stream')) {
          // It goes on until somebody ends it.
          end();
          response.destroy();
          return;
        }
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', end);
      },
    );
    outgoing.setTimeout(3 * LONGEST_MS, () => outgoing.destroy(new Error(`no answer: ${method} ${path}`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
