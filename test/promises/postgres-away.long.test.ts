import { testPostgresUrl } from '../../core/testing/scratch.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { expectNoHarm, seenThrough } from './support/outage.ts';
import { startScene, type Scene } from './support/scene.ts';

/** Longer than a record is tried. */
const LONG_MS = 7_000;
const SHORT_MS = 2_500;

describe('PostgreSQL that goes away under load, and comes back', () => {
  let scene: Scene;
  let proxy: TcpProxy;
  before(async () => {
    const { hostname, port } = new URL(testPostgresUrl());
    proxy = await startTcpProxy(hostname, Number(port || '5432'));
    scene = await startScene(
      'postgres',
      { DATABASE_CONNECT_TIMEOUT_MS: '500', DATABASE_STATEMENT_TIMEOUT_MS: '1000' },
      (url) => {
        const through = new URL(url);
        through.host = `127.0.0.1:${proxy.port}`;
        return through.href.replaceAll('+', '%20');
      },
    );
  });
  after(async () => {
    await scene.remove();
    await proxy.stop();
  });

  for (const [how, ms] of [
    ['soon', SHORT_MS],
    ['after long', LONG_MS],
  ] as const) {
    it(`${how}: calls are refused with 503, no endpoint is asked, and no call is lost`, async () => {
      const seen = await seenThrough(scene, { begin: () => proxy.cut(), end: () => proxy.mend(), ms });
      await expectNoHarm(scene, seen);
    }).timeout(60_000);
  }
});
