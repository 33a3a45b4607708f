import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { PLUGIN_DEADLINES } from '../../../core/kernel/lifecycle.ts';
import { DATABASE, type Database } from '../../../core/index.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { RECORDER } from '../../../plugins/invocation/recording/recorder.ts';
import { startStage, type Stage } from './support/stage.ts';

/** No two of these are written together. */
const LARGE = 'x'.repeat(5 * 1024 * 1024);
const CALLS = 5;
/** For all of them the store takes longer than a plugin may take to stop, which is enough to set them aside. */
const SLOW_MS = (1.5 * PLUGIN_DEADLINES.stopMs) / CALLS;

describe('A stop while the store is slow and large outputs wait for it', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let stage: Stage;
    beforeEach(async () => (scratch = await makeScratch(engine)));
    afterEach(async () => {
      await stage.stop();
      await scratch.remove();
    });

    it('loses none of them', async () => {
      stage = await startStage(engine, () => ({ text: LARGE }), {
        scratch,
        settings: { server: { shutdown_ms: 100 } },
      });
      const of = await stage.play();
      const database = stage.get(DATABASE);
      const { write } = database;
      let goOn!: () => void;
      const allWait = new Promise<void>((resolve) => (goOn = resolve));
      database.write = async (...order: Parameters<Database['write']>) => {
        await allWait;
        await pause(SLOW_MS);
        return write.call(database, ...order);
      };
      const calls = Array.from({ length: CALLS }, () => stage.call(of).catch(() => undefined));
      while (stage.get(RECORDER).state.waiting < CALLS - 1) await pause(10);
      goOn();
      await stage.stop();
      await Promise.all(calls);
      stage = await startStage(engine, undefined, { scratch });
      expect(await stage.get(CALL_LOG).count({})).to.equal(CALLS);
    }).timeout(60_000);
  });
});
