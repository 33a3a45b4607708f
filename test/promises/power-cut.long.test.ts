import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { cyclesOr } from './support/cycles.ts';
import { killUnderLoad } from './support/kill-under-load.ts';
import { startScene } from './support/scene.ts';
import { makeDisk, missingForDisk, type SimulatedDisk } from './support/simulated-disk.ts';
import { expectSoundFile } from './support/sqlite-file.ts';
import { survived } from './support/survived.ts';

const CYCLES = cyclesOr(3);
const CYCLE_MS = 30_000;
const SECRET = 'mQ4vT9xZ2kLw7RbN5sYc8HdJ3fGp6UaE';

const CARELESS_WRITER = join(packageRoot, 'test', 'promises', 'support', 'careless-writer.mjs');

const missing = await missingForDisk();
const onDisk = missing === undefined ? describe : describe.skip;

onDisk(`a cut of power on SQLite${missing === undefined ? '' : ` (not simulated: ${missing})`}`, () => {
  let disk: SimulatedDisk;
  beforeEach(async () => {
    disk = await makeDisk();
  });
  afterEach(() => disk.remove());

  it(`costs no acknowledged call, ${CYCLES} times`, async () => {
    const file = join(disk.directory, 'vitrine.db');
    const scene = await startScene(
      'sqlite',
      { ...disk.env, JWT_SECRET: SECRET, DATA_DIR: disk.directory },
      () => `sqlite:${file}`,
    );
    const random = seededRandom(5);
    const expectSurvived = survived(scene);
    try {
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const killed = await killUnderLoad(scene, random);
        disk.cutPower();
        expectSoundFile(file);
        await expectSurvived(killed);
      }
    } finally {
      await scene.remove();
    }
  }).timeout(CYCLES * CYCLE_MS);

  /** Rows that a writer said were committed, and those that are there after the cut. */
  async function writtenAndKept(synchronous: string): Promise<{ written: number; kept: number }> {
    const file = join(disk.directory, 'rows.db');
    const child = spawn(process.execPath, [CARELESS_WRITER, file, synchronous], {
      env: { ...process.env, ...disk.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (text.split('\n').length < 50) await pause(10);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    disk.cutPower();
    const connection = new Sqlite(file);
    const { kept } = connection.prepare('SELECT COUNT(*) AS kept FROM rows').get() as { kept: number };
    connection.close();
    return { written: text.trimEnd().split('\n').length, kept };
  }

  it('costs what was committed with synchronous=OFF, so that this test is not blind', async () => {
    const { written, kept } = await writtenAndKept('OFF');
    expect(kept).to.be.below(written);
  });

  it('costs nothing that was committed with synchronous=FULL', async () => {
    const { written, kept } = await writtenAndKept('FULL');
    expect(kept).to.be.at.least(written);
  });
});
