import { expect } from 'chai';
import pg from 'pg';
import { makePostgres, missingForPostgres, type PrivatePostgres } from '../support/private-postgres.ts';
import { expectNoHarm, seenThrough } from './support/outage.ts';
import { startScene, type Scene } from './support/scene.ts';

const OUTAGE_MS = 5_000;
/** Calls that an instance may pass without asking the store for them. */
const HELD_IN_ADVANCE = 1000;

const missing = missingForPostgres();
const onServer = missing === undefined ? describe : describe.skip;

onServer(
  `PostgreSQL that crashes under load, and starts again${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let server: PrivatePostgres;
    let scene: Scene;
    beforeEach(async function () {
      this.timeout(120_000);
      server = await makePostgres();
      await server.start();
      scene = await startScene(
        'postgres',
        // Every call is counted in a window, as it is where there is a limit.
        { DATABASE_CONNECT_TIMEOUT_MS: '500', GATEWAY_RATE_LIMIT: '1000000000' },
        () => server.url,
      );
    });
    afterEach(async () => {
      await scene?.remove();
      await server.remove();
    });

    async function query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      try {
        return (await client.query<Row>(sql)).rows;
      } finally {
        await client.end();
      }
    }

    it('refuses calls with 503, asks no endpoint, loses no call, and calls go on though the windows of limits are empty', async () => {
      const seen = await seenThrough(scene, {
        begin: async () => {
          await query("INSERT INTO gateway_windows (key) VALUES ('from before')");
          await server.crash();
        },
        end: () => server.start(),
        ms: OUTAGE_MS,
      });
      await expectNoHarm(scene, seen);
      const body = { ...scene.version, input_data: { channel: 'gateway' } };
      for (let call = 0; call <= HELD_IN_ADVANCE; call += 1) {
        const { status } = await scene.request('POST', '/gateway/call', { token: scene.token, body });
        expect(status).to.equal(200);
      }
      const keys = (await query<{ key: string }>('SELECT key FROM gateway_windows')).map(({ key }) => key);
      expect(keys).to.not.be.empty;
      expect(keys).to.not.include('from before');
    }).timeout(120_000);
  },
);
