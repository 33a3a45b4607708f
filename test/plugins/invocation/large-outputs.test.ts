import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, HELD_ANSWERS, StoreUnavailable, type Database } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

const LARGE = 'x'.repeat(600 * 1024);
/** Two large ones are more. */
const MEMORY = 1024 * 1024;

describe('Large outputs that wait for their records', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    let write: Database['write'];
    beforeEach(async () => {
      stage = await startStage(engine, ({ body }) => ({ text: body.input_data.large ? LARGE : '' }), {
        settings: { egress: { held_answer_memory: MEMORY } },
      });
      of = await stage.play();
      ({ write } = stage.get(DATABASE));
    });
    afterEach(() => stage.stop());

    const callLarge = () => stage.call(of, { input_data: { large: true } });
    const held = () => stage.get(HELD_ANSWERS);

    /** From now on the store does this before it takes a write. */
    function storeThat(does: () => Promise<void>): void {
      const database = stage.get(DATABASE);
      database.write = async (...order) => {
        await does();
        return write.call(database, ...order);
      };
    }

    async function untilFull(): Promise<void> {
      while (!held().isFull) await pause(1);
    }

    it('keep new calls out when they are too many, before the endpoint is asked, until they are stored', async () => {
      let goOn!: () => void;
      const stood = new Promise<void>((resolve) => (goOn = resolve));
      storeThat(() => stood);
      const waiting = [callLarge(), callLarge()];
      await untilFull();
      const refused = await stage.call(of);
      expect([refused.status, refused.body.code]).to.deep.equal([503, 'overloaded']);
      expect(refused.headers['retry-after']).to.equal('1');
      expect(stage.upstream.requests).to.have.length(2);
      goOn();
      expect((await Promise.all(waiting)).map(({ status }) => status)).to.deep.equal([200, 200]);
      expect((await stage.call(of)).status).to.equal(200);
      expect(await stage.get(CALL_LOG).count({})).to.equal(3);
    });

    it('count no more when their records are set aside', async () => {
      let goOn!: () => void;
      const stood = new Promise<void>((resolve) => (goOn = resolve));
      storeThat(async () => {
        await stood;
        throw StoreUnavailable('The database does not answer.');
      });
      const waiting = [callLarge(), callLarge()];
      await untilFull();
      goOn();
      const answers = (await Promise.all(waiting)).map(({ body }) => body.code);
      expect(answers).to.deep.equal(['store_unavailable', 'store_unavailable']);
      expect(held().isFull).to.equal(false);
    }).timeout(20_000);
  });
});
