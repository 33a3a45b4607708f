import { expect } from 'chai';
import { Redis } from 'ioredis';
import { type Scratch } from '../../../core/testing.ts';
import { startRedisStandIn } from '../../support/redis-stand-in.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

interface Place {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A Redis for the tests: the one of `TEST_REDIS_URL`, or a fake with the commands that the limits use. */
const servers: Readonly<Record<string, () => Promise<Place>>> = {
  'a stand-in of Redis': async () => ({ host: '127.0.0.1', ...(await startRedisStandIn()) }),
};
const real = process.env['TEST_REDIS_URL'];
if (real) {
  const { hostname: host, port } = new URL(real);
  const place = { host, port: Number(port || '6379'), stop: async () => undefined };
  Object.assign(servers, { 'the Redis of TEST_REDIS_URL': async () => place });
}

for (const [title, startServer] of Object.entries(servers)) {
  describe(`limits of the gateway in ${title}`, () => {
    let server: Place;
    let proxy: TcpProxy;
    let settings: { rate_limit: number; rate_window_s: number; redis_url: string };
    let gateway: GatewayUnderTest;
    let scratch: Scratch | undefined;
    beforeEach(async () => {
      server = await startServer();
      proxy = await startTcpProxy(server.host, server.port);
      settings = { rate_limit: 4, rate_window_s: 60, redis_url: `redis://127.0.0.1:${proxy.port}` };
    });
    afterEach(async () => {
      await gateway.stop();
      await scratch?.remove();
      scratch = undefined;
      await proxy.stop();
      await server.stop();
    });

    const statuses = async (times: number): Promise<number[]> => {
      const found = [];
      for (let i = 0; i < times; i++) found.push((await gateway.call()).status);
      return found;
    };
    const countInRedis = async (userId: string): Promise<string | null> => {
      const client = new Redis(server.port, server.host);
      const found = await client.get(`vitrine:gateway:user:${userId}:4:60`);
      client.disconnect();
      return found;
    };
    const health = async (): Promise<string> => {
      const { body } = await gateway.request('GET', `${gateway.rootUrl}/readyz?verbose`);
      return JSON.stringify(body);
    };

    it('hold for all instances together', async () => {
      scratch = await migratedScratch('postgres');
      gateway = await startGateway('postgres', { scratch, gateway: settings });
      const peer = await startPeer(scratch, 'postgres', settings);
      const { token } = gateway.caller;
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) =>
          (i % 2 === 0 ? gateway : peer).request('POST', '/gateway/call', { token, body: gateway.body() }),
        ),
      );
      await peer.stop();
      expect(answers.filter(({ status }) => status === 200)).to.have.length(4);
    });

    it('hold in this instance while Redis is away', async () => {
      gateway = await startGateway('sqlite', { gateway: settings });
      await statuses(1);
      proxy.cut();
      expect(await statuses(6)).to.deep.equal([200, 200, 200, 200, 429, 429]);
    });

    it('delay one request and not each one while Redis hangs', async () => {
      gateway = await startGateway('sqlite', { gateway: { ...settings, rate_limit: 50 } });
      proxy.hang();
      expect(await statuses(10)).to.deep.equal(Array.from({ length: 10 }, () => 200));
      // Whoever asks Redis waits for it; the others find its connection gone.
      expect(proxy.unheard.filter((text) => text.includes('vitrine:gateway'))).to.have.length(1);
    });

    it('are those in Redis again when it is back', async () => {
      gateway = await startGateway('sqlite', { gateway: settings });
      proxy.cut();
      await statuses(1);
      expect(await countInRedis(gateway.caller.id)).to.equal(null);
      proxy.mend();
      await until(async () => !(await health()).includes('Redis'));
      const other = await gateway.user('other');
      await gateway.call({}, other.token);
      expect(await countInRedis(other.id)).to.equal('1');
    });

    it('do not prevent the start when Redis is away, which the health report shows', async () => {
      proxy.cut();
      gateway = await startGateway('sqlite', { gateway: settings });
      expect(await statuses(1)).to.deep.equal([200]);
      expect(await health()).to.include('Redis does not answer; the next store counts');
    });

    it('do not delay the start when Redis accepts connections and never answers', async () => {
      proxy.hang();
      gateway = await startGateway('sqlite', { gateway: settings });
      expect(await statuses(5)).to.deep.equal([200, 200, 200, 200, 429]);
      expect(await health()).to.include('Redis does not answer; the next store counts');
    });
  });
}
