import { expect } from 'chai';
import { DATABASE, StoreUnavailable, type Database } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

/** Cuts a running service off from its database, for writes and pings. */
function cutOff(database: Database): { restore(): void } {
  const { write, ping } = database;
  const away = async (): Promise<never> => {
    throw StoreUnavailable('The database does not answer.');
  };
  Object.assign(database, { write: away, ping: away });
  return { restore: () => void Object.assign(database, { write, ping }) };
}

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let n = 0; n < 100 && !(await condition()); n += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('While the database is away', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    let outage: { restore(): void };
    before(async () => {
      stage = await startStage(engine);
      of = await stage.play();
      await stage.call(of);
      outage = cutOff(stage.get(DATABASE));
    });
    after(() => stage.stop());

    it('a call whose endpoint was asked gets 503 after patience, never 200', async () => {
      const { status, body, headers } = await stage.call(of, { input_data: { kept: true } });
      expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(headers).to.have.property('retry-after');
      expect(stage.upstream.requests).to.have.length(2);
    });

    it('further calls get 503 at once, and no endpoint is asked', async () => {
      const began = performance.now();
      const { status, body } = await stage.call(of);
      expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(performance.now() - began).to.be.below(1000);
      expect(stage.upstream.requests).to.have.length(2);
    });

    it('calls succeed within three seconds of its return', async () => {
      outage.restore();
      const began = performance.now();
      await until(async () => (await stage.call(of)).status === 200);
      expect(performance.now() - began).to.be.below(3000);
    });

    it('what was set aside meanwhile is stored and counted, once', async () => {
      const calls = stage.get(CALL_LOG);
      await until(async () => (await calls.count({})) === 3);
      const stored = await calls.list({}, { skip: 0, limit: 10 });
      expect(stored.filter(({ input_data }) => input_data?.['kept'])).to.have.length(1);
      expect(stored).to.have.length(3);
      expect((await stage.get(CALL_STATISTICS).totals({})).total_calls).to.equal(3);
    });
  });
});
