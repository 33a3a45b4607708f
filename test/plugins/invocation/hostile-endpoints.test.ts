import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { hostile, startHostile } from './support/hostile.ts';
import { startStage, type Stage } from './support/stage.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

/** For endpoints that are to run out of time, and for those that are not to, however busy the machine is. */
const TIMEOUT_MS = { short: 400, long: 20_000 };

describe('An endpoint that', () => {
  onEveryEngine((engine) => {
    let impatient: Stage;
    let patient: Stage;
    let endpoint: Awaited<ReturnType<typeof startHostile>>;
    before(async () => {
      const within = (timeout_ms: number) =>
        startStage(engine, undefined, { settings: { invocation: { timeout_ms, max_output_bytes: 65_536 } } });
      [impatient, patient] = [await within(TIMEOUT_MS.short), await within(TIMEOUT_MS.long)];
      endpoint = await startHostile();
    });
    after(async () => {
      await Promise.all([impatient.stop(), patient.stop()]);
      endpoint.stop();
    });

    for (const [what, behaviour, code] of hostile) {
      it(`${what} ends as ${code}, and is recorded`, async () => {
        endpoint.behave(behaviour);
        const stage = code === 'upstream_timeout' ? impatient : patient;
        const { status, body } = await stage.call(await stage.play({ version: { url: endpoint.url } }));
        expect(status).to.equal(200);
        expect(body.status).to.equal('failed');
        expect(body.error_code).to.match(new RegExp(`^${code}`));
        const stored = await stage.request('GET', `/algorithms/calls/${body.id}`, { token: stage.alice });
        expect(stored.body).to.deep.equal(body);
      });
    }

    it('is not there ends as upstream_unreachable', async () => {
      const { body } = await patient.call(await patient.play({ version: { url: 'http://127.0.0.1:1/' } }));
      expect(body).to.include({ status: 'failed', error_code: 'upstream_unreachable' });
    });
  });
});

describe('An endpoint whose address is no longer allowed', () => {
  onEveryEngine((engine) => {
    it('gets no request, and the call is recorded as egress_denied', async () => {
      const scratch = await migratedScratch(engine);
      const open = await startStage(engine, undefined, { scratch });
      const of = await open.play();
      await open.stop();
      const closed = await startStage(engine, undefined, {
        scratch,
        settings: { egress: { policy: 'public' } },
      });
      const { status, body } = await closed.call(of);
      await closed.stop();
      await scratch.remove();
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'failed', error_code: 'egress_denied', output_data: null });
      expect(open.upstream.requests).to.have.length(0);
    });
  });
});
