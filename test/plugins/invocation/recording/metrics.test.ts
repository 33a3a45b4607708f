import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, METRICS, StoreUnavailable, type Database } from '../../../../core/index.ts';
import { onEveryEngine } from '../../../../core/testing.ts';
import { RECORDER } from '../../../../plugins/invocation/recording/recorder.ts';
import { until } from '../../../support/until.ts';
import { startStage, type Stage } from '../support/stage.ts';

describe('The metrics of records', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => (stage = await startStage(engine)));
    after(() => stage.stop());

    async function figure(name: string): Promise<number> {
      const { text } = await stage.get(METRICS).expose();
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      return Number(line?.slice(name.length) ?? 0);
    }

    const waiting = () => figure('call_records_waiting');

    it('show the waiting records while they wait', async () => {
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
      await until(() => isStanding);
      calls.push(stage.call(of), stage.call(of));
      await until(async () => (await waiting()) >= 2, 3_000);
      expect(await waiting()).to.equal(2);
      goOn();
      await Promise.all(calls);
      expect(await waiting()).to.equal(0);
    });

    it('count records from the spool once they are stored', async () => {
      const of = await stage.play();
      const before = await figure('calls_total{status="success"}');
      const database = stage.get(DATABASE);
      const { write } = database;
      // It answers a ping, so that the endpoint is asked however long ago the last record was stored.
      Object.assign(database, {
        write: async () => {
          throw StoreUnavailable('The database does not answer.');
        },
      });
      expect((await stage.call(of)).status).to.equal(503);
      expect(stage.get(RECORDER).state.spooled).to.equal(1);
      Object.assign(database, { write });
      while (stage.get(RECORDER).state.spooled > 0) await pause(20);
      expect(await figure('calls_total{status="success"}')).to.equal(before + 1);
      expect(await figure('call_duration_seconds_count')).to.equal(before + 1);
    }).timeout(20_000);
  });
});
