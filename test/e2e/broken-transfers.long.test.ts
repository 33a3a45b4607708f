import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { onEveryEngine, type Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import {
  builtCommand,
  ENDS_WITHIN_MS,
  runCommand,
  startService,
  type Finished,
} from '../support/service-process.ts';
import { emptyPlace, rowsIn } from './house/database.ts';
import { fillHouse } from './house/fill.ts';
import { killedAmongCalls } from './house/killed-move.ts';

/** So many that no backup of them fits, and no move of them is done at once. */
const CALLS = 20_000;
/** KiB that a process may write into a file: a part of the backup. */
const ROOM = 256;
/** One after the other, in a test. */
const MOST_COMMANDS = 5;

onEveryEngine((engine) => {
  describe(`an installation on ${engine}, when what should save or move it breaks off`, function () {
    this.timeout(MOST_COMMANDS * ENDS_WITHIN_MS);
    const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
    const scratches: Scratch[] = [];
    let here: Scratch;
    let token: string;

    const place = async (where: typeof engine): Promise<Scratch> => {
      const made = await emptyPlace(where);
      scratches.push(made);
      return made;
    };
    const environment = ({ dataDir, databaseUrl }: Scratch) => ({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      BACKUP_PASSPHRASE: 'a passphrase of some length',
    });
    const archive = (name: string): string => join(here.dataDir, name);
    const run = async (...args: string[]): Promise<any> => {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], environment(here));
      expect(code, stderr).to.equal(0);
      return JSON.parse(stdout);
    };

    before(async () => {
      here = await place(engine);
      const { ada } = await fillHouse(here, { engine, calls: CALLS, password: 'correct horse battery' });
      token = ada.token;
    });
    after(async () => {
      for (const scratch of scratches) await scratch.remove();
    });

    it('leaves no half backup where the disk is full in the middle, and goes on serving', async () => {
      const service = await startService(environment(here));
      try {
        const { code, stderr } = await runWithRoom(['backup', archive('full.vbak')], environment(here));
        expect(code).to.equal(1);
        expect(stderr).to.match(/There is no room for .*full\.vbak .*No backup was made.*Make room/);
        for (const name of ['full.vbak', 'full.vbak.partial'])
          expect(existsSync(archive(name)), name).to.equal(false);
        const statistics = await clientOf(service.url).ok('GET', '/history/statistics', { token });
        expect(statistics.total_calls).to.equal(CALLS);
      } finally {
        await service.end();
      }
      expect((await run('backup', archive('whole.vbak'))).bytes).to.be.greaterThan(ROOM * 1024);
    });

    for (const target of [engine, other] as const) {
      it(`restores no half file on ${target}, where the whole one is restored afterwards`, async () => {
        const young = await place(target);
        const whole = readFileSync(archive('whole.vbak'));
        writeFileSync(archive(`half-${target}.vbak`), whole.subarray(0, whole.length / 2));
        const refused = await runCommand(['restore', archive(`half-${target}.vbak`)], environment(young));
        expect(refused.code).to.equal(1);
        expect(refused.stderr).to.match(/is not complete/);
        const restored = await runCommand(['restore', archive('whole.vbak')], environment(young));
        expect(restored.code, restored.stderr).to.equal(0);
        const [found] = await rowsIn(young, 'SELECT count(*) AS count FROM invocation_calls');
        expect(Number(found!['count'])).to.equal(CALLS);
      });
    }

    it(`goes on where a move to ${other} was killed, and everything is there in the end`, async () => {
      const young = await place(other);
      const move = ['move', '--from', here.databaseUrl, '--to', young.databaseUrl];
      const stored = await killedAmongCalls(move, environment(here), young);
      expect(stored).to.be.within(1, CALLS - 1);
      const early = await runCommand(['start'], { ...environment(young), PORT: '0' });
      expect([early.code, early.stderr.includes('holds only a part of the data')]).to.deep.equal([1, true]);
      const moved = await run(...move);
      expect(moved.resumed).to.equal(true);
      const { tables } = await run('backup', archive('after.vbak'));
      expect(moved.tables).to.deep.equal(tables);
    });
  });
});

/** Runs a command that can write no file beyond some size, as on a disk that fills while it writes. */
function runWithRoom(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Pick<Finished, 'code' | 'stderr'>> {
  const limited = ['-c', `ulimit -f ${ROOM}; exec "$@"`, 'bash', process.execPath, builtCommand, ...args];
  return new Promise((resolve) => {
    const child = execFile('bash', limited, { env: { PATH: process.env['PATH'], ...env } }, (_, __, stderr) =>
      resolve({ code: child.exitCode, stderr }),
    );
  });
}
