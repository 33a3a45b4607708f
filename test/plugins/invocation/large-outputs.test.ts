import { expect } from 'chai';
import {
  contribute,
  DATABASE,
  definePlugin,
  HELD_ANSWERS,
  StoreUnavailable,
  type Database,
} from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_GUARDS, CALL_LOG, type CallOutcome } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

const LARGE = 'x'.repeat(600 * 1024);
/** Two large ones are more. */
const MEMORY = 1024 * 1024;

/** A guard that does not wait for endpoints of calls that are hasty, and keeps what they answer all the same. */
const hasty = (late: Promise<CallOutcome>[]) =>
  definePlugin({
    id: 'hasty',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Gives some calls no time',
    requires: ['invocation'],
    contributes: [
      contribute(CALL_GUARDS, {
        deps: {},
        create: () => ({
          name: 'hasty',
          around: async (call, send) => {
            const asked = send();
            if (call.request.input_data['hasty'] !== true) return asked;
            late.push(asked);
            return { ok: false, code: 'upstream_timeout', message: 'It took too long.', seconds: 0 };
          },
        }),
      }),
    ],
  });

describe('Large outputs that wait for their records', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    let write: Database['write'];
    let late: Promise<CallOutcome>[];
    /** Hasty calls are answered by their endpoint after this. */
    let afterwards: Promise<void>;
    beforeEach(async () => {
      late = [];
      const answer: Parameters<typeof startStage>[1] = async ({ body }) => {
        if (body.input_data.hasty) await afterwards;
        return { text: body.input_data.large ? LARGE : '' };
      };
      stage = await startStage(engine, answer, {
        settings: { egress: { held_answer_memory: MEMORY } },
        plugins: [hasty(late)],
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
      await until(() => held().isFull);
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

    it('do not count that come when their calls are over', async () => {
      let goOn!: () => void;
      afterwards = new Promise((resolve) => (goOn = resolve));
      const calls = Array.from({ length: 4 }, () =>
        stage.call(of, { input_data: { large: true, hasty: true } }),
      );
      const codes = (await Promise.all(calls)).map(({ body }) => body.error_code);
      expect(new Set(codes)).to.deep.equal(new Set(['upstream_timeout']));
      goOn();
      expect((await Promise.all(late)).map(({ ok }) => ok)).to.deep.equal([true, true, true, true]);
      expect(held().isFull).to.equal(false);
      expect((await stage.call(of)).status).to.equal(200);
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
