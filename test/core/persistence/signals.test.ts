import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { OpenDatabase } from '../../../core/persistence/opened-database.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { openAt } from './support.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Collects what a subscriber hears. */
function hearing(database: OpenDatabase, topic: string): (string | undefined)[] {
  const heard: (string | undefined)[] = [];
  database.signals.subscribe(topic, (key) => heard.push(key));
  return heard;
}

async function until(condition: () => boolean, withinMs = 2_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition() && performance.now() < deadline) await pause(5);
}

describe('persistence: signals', () => {
  onEveryEngine((engine) => {
    let scratch: Scratch;
    let database: OpenDatabase;
    beforeEach(async () => {
      scratch = await makeScratch(engine);
      database = await openAt(scratch.databaseUrl);
    });
    afterEach(async () => {
      await database.close();
      await scratch.remove();
    });

    it('reach every subscriber of the topic here before publish returns, and no other', async () => {
      const [one, two, other] = ['topic', 'topic', 'another'].map((topic) => hearing(database, topic));
      await database.signals.publish('topic', 'key');
      expect([one, two, other]).to.deep.equal([['key'], ['key'], []]);
    });
  });

  describe('between instances on postgres', () => {
    let scratch: Scratch;
    let proxy: TcpProxy;
    let one: OpenDatabase;
    let two: OpenDatabase;
    beforeEach(async () => {
      scratch = await makeScratch('postgres');
      const url = new URL(scratch.databaseUrl);
      proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
      await proxy.open();
      one = await openAt(scratch.databaseUrl);
      url.host = `127.0.0.1:${proxy.port}`;
      two = await openAt(url.href.replaceAll('+', '%20'), { connect_timeout_ms: 300 });
    });
    afterEach(async () => {
      await proxy.cut();
      await Promise.all([one.close(), two.close()]);
      await scratch.remove();
    });

    it('reach the other instance', async () => {
      const heard = hearing(two, 'topic');
      await one.signals.publish('topic', 'key with "quotes" and ünïcode');
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(['key with "quotes" and ünïcode']);
    });

    it('reach the publisher itself once only', async () => {
      const here = hearing(one, 'topic');
      const there = hearing(two, 'topic');
      await one.signals.publish('topic', 'key');
      await until(() => there.length > 0);
      await pause(50);
      expect(here).to.deep.equal(['key']);
    });

    it('do not reach another schema of the same database', async () => {
      const elsewhere = await makeScratch('postgres');
      const three = await openAt(elsewhere.databaseUrl);
      const heard = hearing(three, 'topic');
      await one.signals.publish('topic', 'key');
      await pause(100);
      await three.close();
      await elsewhere.remove();
      expect(heard).to.deep.equal([]);
    });

    it('tell everybody to forget everything when the connection is lost, and again when it is back', async () => {
      const heard = hearing(two, 'topic');
      await proxy.cut();
      await until(() => heard.length === 1);
      await proxy.open();
      await until(() => heard.length === 2);
      expect(heard).to.deep.equal([undefined, undefined]);
      await one.signals.publish('topic', 'key');
      await until(() => heard.length === 3);
      expect(heard.at(-1)).to.equal('key');
    });

    it('tell everybody to forget every two seconds while the connection is away', async () => {
      const heard = hearing(two, 'topic');
      await proxy.cut();
      await pause(4_500);
      expect(heard).to.deep.equal([undefined, undefined, undefined]);
    });

    it('notice within two seconds that the connection fell silent', async () => {
      const heard = hearing(two, 'topic');
      proxy.silence();
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal([undefined]);
    });

    it('published while the database is away are sent when it is back', async () => {
      const here = hearing(two, 'topic');
      const there = hearing(one, 'topic');
      await proxy.cut();
      await two.signals.publish('topic', 'late');
      expect(here).to.include('late');
      await proxy.open();
      await until(() => there.length > 0, 4_000);
      expect(there).to.deep.equal(['late']);
    });
  });
});
