import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { hostile, startHostile } from './support/hostile.ts';
import { startStage, type Stage } from './support/stage.ts';

const TIMEOUT_MS = 400;
const LONGEST_MS = TIMEOUT_MS + 1000;
/** Tries of a call: only a call that is slow every time is slow by itself and not because of a busy machine. */
const TRIES = 5;

describe('A call of an endpoint that', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let endpoint: Awaited<ReturnType<typeof startHostile>>;
    beforeEach(async () => {
      stage = await startStage(engine, undefined, {
        settings: { invocation: { timeout_ms: TIMEOUT_MS, max_output_bytes: 65_536 } },
      });
      endpoint = await startHostile();
    });
    afterEach(async () => {
      await stage.stop();
      endpoint.stop();
    });

    for (const [what, behaviour] of hostile) {
      it(`${what} ends a second after its deadline at the latest`, async () => {
        endpoint.behave(behaviour);
        const played = await stage.play({ version: { url: endpoint.url } });
        let took = Infinity;
        for (let tries = 0; tries < TRIES && took >= LONGEST_MS; tries += 1) {
          const began = performance.now();
          const { body } = await stage.call(played);
          took = performance.now() - began;
          expect(body.status).to.equal('failed');
        }
        expect(took).to.be.below(LONGEST_MS);
      });
    }
  });
});
