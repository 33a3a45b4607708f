import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../core/testing.ts';
import { growthDuring, hasProc } from '../support/resident-memory.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { expectEachFound } from './support/ledger.ts';
import { startScene, type Scene } from './support/scene.ts';

const AT_ONCE = 50;
const MEBIBYTE = 1024 * 1024;
/** Without a bound that they share it is 370 MiB. */
const MOST_GROWTH = 96 * MEBIBYTE;
const DEADLINE_MS = 3000;
const LATEST_MS = DEADLINE_MS + 1000;
/** What is late by itself is late every time; what is late because of others on the machine is not. */
const TRIES = 3;
/** Rounds of calls after which calls themselves let the service grow no more; with half of them it is 3 MiB. */
const WARM_UPS = 60;

const PIECE = Buffer.alloc(256 * 1024, ' ');

function writeForEver(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(PIECE));
  };
  response.on('drain', write);
  write();
}

const behaviours: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/good': (response) => response.setHeader('content-type', 'application/json').end('{"label":"cat"}'),
  '/endless': (response) => writeForEver(response.writeHead(200, { 'content-type': 'application/json' })),
  '/huge': (response) =>
    writeForEver(response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 ** 40 })),
  '/silent': () => undefined,
  '/dripping': async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    while (!response.destroyed) {
      response.write(' ');
      await pause(100);
    }
  },
};

/** How each may end: endless answers wait for each other's memory, so the last may end by their deadline. */
const endings: readonly (readonly [path: string, codes: readonly string[]])[] = [
  ['/endless', ['upstream_bad_response', 'upstream_timeout']],
  ['/huge', ['upstream_bad_response']],
  ['/silent', ['upstream_timeout']],
  ['/dripping', ['upstream_timeout']],
];

(hasProc ? describe : describe.skip)(`${AT_ONCE} endpoints that misbehave at once`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    let hostile: Upstream;
    beforeEach(async () => {
      hostile = await startUpstream(({ path }, response) => {
        void behaviours[path]!(response);
      });
      scene = await startScene(engine, {
        INVOCATION_TIMEOUT_MS: String(DEADLINE_MS),
        // A second try asks the endpoints again instead of meeting an open circuit.
        GATEWAY_GUARDS: 'gateway',
      });
    });
    afterEach(async () => {
      await scene.remove();
      await hostile.stop();
    });

    async function versionAt(path: string): Promise<string> {
      const { algorithm_id } = scene.version;
      const { status, body } = await scene.request('POST', `/algorithms/${algorithm_id}/versions`, {
        token: scene.token,
        body: { version: path.slice(1), url: hostile.url + path },
      });
      expect(status).to.equal(200);
      return body.id;
    }

    function callAll(version_id: string): Promise<TestResponse[]> {
      const { algorithm_id } = scene.version;
      const call = { token: scene.token, body: { algorithm_id, version_id, input_data: {} } };
      return Promise.all(
        Array.from({ length: AT_ONCE }, () => scene.request('POST', '/algorithms/call', call)),
      );
    }

    it('end in time, with the right code and a record, and take little memory', async () => {
      const good = await versionAt('/good');
      for (let n = 0; n < WARM_UPS; n += 1) await callAll(good);
      for (const [path, allowed] of endings) {
        const version = await versionAt(path);
        let answers: TestResponse[] = [];
        let took = Infinity;
        let growth = 0;
        for (let tries = 0; tries < TRIES && took >= LATEST_MS; tries += 1) {
          const began = performance.now();
          const grown = await growthDuring(scene.pid, async () => {
            answers = await callAll(version);
          });
          took = performance.now() - began;
          growth = Math.max(growth, grown);
        }
        expect(took, path).to.be.below(LATEST_MS);
        expect(growth, path).to.be.at.most(MOST_GROWTH);
        expect(new Set(answers.map(({ status, body }) => `${status} ${body.status}`)), path).to.deep.equal(
          new Set(['200 failed']),
        );
        const codes = answers.map(({ body }) => body.error_code);
        expect(
          codes.filter((code) => !allowed.includes(code)),
          path,
        ).to.deep.equal([]);
        await expectEachFound(
          scene,
          answers.map(({ body }) => body.id),
        );
      }
    }).timeout(120_000);
  });
});
