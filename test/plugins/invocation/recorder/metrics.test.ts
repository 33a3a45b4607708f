import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, METRICS, type Database } from '../../../../core/index.ts';
import { onEveryEngine } from '../../../../core/testing.ts';
import { startStage, type Stage } from '../support/stage.ts';

describe('The metric of records that wait', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => (stage = await startStage(engine)));
    after(() => stage.stop());

    async function waiting(): Promise<number> {
      const { text } = await stage.get(METRICS).expose();
      return Number(/^call_records_waiting (\d+)$/m.exec(text)![1]);
    }

    it('tells of them while they wait, which is when somebody wants to know', async () => {
      const of = await stage.play();
      const database = stage.get(DATABASE);
      const { write } = database;
      let goOn!: () => void;
      const stood = new Promise<void>((resolve) => (goOn = resolve));
      let isStanding = false;
      database.write = async (...order: Parameters<Database['write']>) => {
        isStanding = true;
        await stood;
        return write.call(database, ...order);
      };
      const calls = [stage.call(of)];
      while (!isStanding) await pause(1);
      calls.push(stage.call(of), stage.call(of));
      const end = performance.now() + 3_000;
      while ((await waiting()) < 2 && performance.now() < end) await pause(5);
      expect(await waiting()).to.equal(2);
      goOn();
      await Promise.all(calls);
      expect(await waiting()).to.equal(0);
    });
  });
});
