import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { expectNoHarm, seenThrough, type Outage } from './support/outage.ts';
import { startScene, type Scene } from './support/scene.ts';
import { makeDisk, missingForDisk, type SimulatedDisk } from './support/simulated-disk.ts';

const SHORT_MS = 2_500;
/** Longer than a record is tried: the disk takes no file of the spool either. */
const LONG_MS = 8_000;
/** A writer waits five seconds for another one. */
const LOCK_NOTICED_MS = 6_500;

describe('SQLite that takes no writes for a while under load', () => {
  let scene: Scene;
  afterEach(() => scene.remove());

  const tellsOfItself = async (): Promise<number[]> => {
    const { token } = scene;
    const paths = ['/history/user-calls?limit=1', '/history/statistics', '/algorithms'];
    const answers = await Promise.all(paths.map((path) => scene.request('GET', path, { token })));
    return answers.map(({ status }) => status);
  };

  it('because another program holds its lock: calls are refused with 503, reads go on, and no call is lost', async () => {
    scene = await startScene('sqlite');
    const other = new Sqlite(join(scene.scratch.dataDir, 'test.db'));
    let read: number[] = [];
    const locked: Outage = {
      begin: async () => {
        other.exec('BEGIN IMMEDIATE');
        read = await tellsOfItself();
      },
      end: () => void other.exec('ROLLBACK'),
      ms: LOCK_NOTICED_MS + SHORT_MS,
      noticedMs: LOCK_NOTICED_MS,
    };
    const seen = await seenThrough(scene, locked);
    other.close();
    expect(read).to.deep.equal([200, 200, 200]);
    await expectNoHarm(scene, seen);
  }).timeout(60_000);

  describe('because of its disk', () => {
    let disk: SimulatedDisk;
    const disks: SimulatedDisk[] = [];
    before(async function () {
      const missing = await missingForDisk();
      if (missing !== undefined) {
        this.test!.title += ` (no disk is simulated: ${missing})`;
        this.skip();
      }
    });
    beforeEach(async () => {
      disk = await makeDisk();
      disks.push(disk);
      const file = join(disk.directory, 'vitrine.db');
      scene = await startScene('sqlite', { ...disk.env, DATA_DIR: disk.directory }, () => `sqlite:${file}`);
    });
    // Not before the service that writes there has ended, after each test.
    after(() => {
      for (const used of disks) used.remove();
    });

    const faults: Record<string, { set: (isThere: boolean) => void; ms: number }> = {
      'that is full': { set: (isThere) => disk.setFull(isThere), ms: SHORT_MS },
      'that is full for longer than a record is tried': {
        set: (isThere) => disk.setFull(isThere),
        ms: LONG_MS,
      },
      'that does not sync': { set: (isThere) => disk.setFailing(isThere), ms: SHORT_MS },
      'that does not sync for longer than a record is tried': {
        set: (isThere) => disk.setFailing(isThere),
        ms: LONG_MS,
      },
    };
    for (const [what, { set, ms }] of Object.entries(faults)) {
      it(`${what}: calls are refused with 503, reads go on, and it recovers by itself`, async () => {
        let read: number[] = [];
        const outage: Outage = {
          begin: async () => {
            set(true);
            read = await tellsOfItself();
          },
          end: () => set(false),
          ms,
        };
        const seen = await seenThrough(scene, outage);
        expect(read).to.deep.equal([200, 200, 200]);
        await expectNoHarm(scene, seen, { spoolFails: ms === LONG_MS });
      }).timeout(60_000);
    }

    it('that is full: the health tells operators so, until there is room again', async () => {
      const recorder = async () => {
        const { body } = await scene.request('GET', `${scene.url}/readyz?verbose`);
        return body.findings['invocation:recorder'];
      };
      disk.setFull(true);
      const body = { ...scene.version, input_data: { n: 1 } };
      const { status } = await scene.request('POST', '/algorithms/call', { token: scene.token, body });
      expect(status).to.equal(503);
      expect((await recorder()).detail).to.include('The disk of the database is full.');
      disk.setFull(false);
      await until(async () => (await recorder()).state === 'healthy');
    }).timeout(60_000);
  });
});
