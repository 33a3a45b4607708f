import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { onEveryEngine } from '../../core/testing.ts';
import { acknowledged, histogram, startLoad } from './support/load.ts';
import { expectTrueLedger } from './support/ledger.ts';
import { startScene, type Scene } from './support/scene.ts';

const SOME = 100;
const EXIT_WITHIN_MS = 30_000;
/** Without, a client that stands still for a moment would find the connection closed on which it was to be told. */
const DRAIN_DELAY_MS = 1_000;

/** What a connection that is kept open is told when it asks whether the service is ready. */
function readiness(agent: Agent, url: string): Promise<number | string> {
  return new Promise((resolve) => {
    request(`${url}/readyz`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end();
  });
}

describe('a service that is told to stop under load', () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    let agent: Agent;
    beforeEach(async () => {
      scene = await startScene(engine, { SERVER_DRAIN_DELAY_MS: String(DRAIN_DELAY_MS) });
      agent = new Agent({ keepAlive: true, maxSockets: 1 });
    });
    afterEach(async () => {
      agent.destroy();
      await scene.remove();
    });

    it('says first that it is not ready, answers and records every call whose endpoint was asked, and exits 0', async () => {
      const load = startLoad(scene);
      while (acknowledged(load.answers).length < SOME) await pause(5);
      expect(await readiness(agent, scene.url)).to.equal(200);
      const began = performance.now();
      const ending = scene.end('SIGTERM');
      const told: (number | string)[] = [];
      const askedAt: number[] = [];
      while (typeof told.at(-1) !== 'string') {
        askedAt.push(performance.now());
        told.push(await readiness(agent, scene.url));
      }
      const { code } = await ending;
      const exitMs = performance.now() - began;
      await load.stop();

      expect(told[told.lastIndexOf(200) + 1]).to.equal(503);
      expect(code).to.equal(0);
      expect(exitMs).to.be.below(EXIT_WITHIN_MS);
      expect(load.answers.filter(({ status }) => ![0, 200].includes(status))).to.deep.equal([]);
      // By the last answer but one the listener was open. Later calls may meet a connection that is just being closed
      // because nothing was heard on it.
      const open = askedAt.at(-3)!;
      expect(open).to.be.greaterThan(began);
      const letIn = load.answers.filter((answer) => answer.began < open);
      expect(histogram(letIn)).to.have.all.keys('200');

      await scene.start();
      const { asked } = await expectTrueLedger(scene, acknowledged(load.answers));
      expect(acknowledged(load.answers)).to.have.members(asked);
    }).timeout(60_000);
  });
});
