import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import {
  giveToServer,
  makePostgres,
  missingForPostgres,
  type PrivatePostgres,
} from '../support/private-postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { cyclesOr } from './support/cycles.ts';
import { killUnderLoad } from './support/kill-under-load.ts';
import { startScene } from './support/scene.ts';
import { makeTree, missingForDisk, type SimulatedTree } from './support/simulated-disk.ts';
import { survived } from './support/survived.ts';

const CYCLES = cyclesOr(3);
const CYCLE_MS = 60_000;
const ROWS = 200;

/** Little room, so that files of tables are synced, and those of the log used again, while there is load. */
const BUSY = { max_wal_size: '4MB', checkpoint_completion_target: '0.1' };
/** What is committed without waiting for the disk stays in memory, as far as the server may choose. */
const LAZY = { wal_writer_delay: '10s', synchronous_commit: 'off' };

const missing = missingForPostgres() ?? (await missingForDisk());
const onDisk = missing === undefined ? describe : describe.skip;

onDisk(`a cut of power on PostgreSQL${missing === undefined ? '' : ` (not simulated: ${missing})`}`, () => {
  let disk: SimulatedTree;
  let server: PrivatePostgres;

  async function boot(settings: Readonly<Record<string, string>>): Promise<void> {
    server = await makePostgres({ directory: disk.directory, env: disk.env, settings });
    await disk.keep();
    await server.start();
  }
  async function restore(): Promise<void> {
    await disk.cutPower();
    // No process has the number of one from before.
    rmSync(join(disk.directory, 'postmaster.pid'), { force: true });
    await server.start();
  }
  beforeEach(async function () {
    this.timeout(120_000);
    disk = await makeTree(giveToServer);
  });
  afterEach(async () => {
    await server.remove();
    disk.remove();
  });

  it(`costs no acknowledged call, ${CYCLES} times, though the server is set to commit without waiting`, async () => {
    await boot({ ...BUSY, ...LAZY });
    const scene = await startScene('postgres', {}, () => server.url);
    const random = seededRandom(7);
    const expectSurvived = survived(scene);
    try {
      for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
        const killed = await killUnderLoad(scene, random, () => server.kill());
        await restore();
        await expectSurvived(killed);
      }
    } finally {
      await scene.remove();
    }
  }).timeout((CYCLES + 2) * CYCLE_MS);

  /** How many of the rows that were said to be committed are there after the cut. */
  async function keptOf(rows: number, synchronousCommit: 'on' | 'off'): Promise<number> {
    await boot(LAZY);
    const writer = new pg.Client({ connectionString: server.url });
    writer.on('error', () => undefined);
    await writer.connect();
    await writer.query('CREATE TABLE rows (n integer PRIMARY KEY)');
    await writer.query('CHECKPOINT');
    await writer.query(`SET synchronous_commit = ${synchronousCommit}`);
    for (let n = 0; n < rows; n += 1) await writer.query('INSERT INTO rows VALUES ($1)', [n]);
    await server.kill();
    await writer.end().catch(() => undefined);
    await restore();
    const reader = new pg.Client({ connectionString: server.url });
    await reader.connect();
    const { rows: counted } = await reader.query<{ kept: number }>('SELECT count(*)::int AS kept FROM rows');
    await reader.end();
    return counted[0]!.kept;
  }

  it('costs what was committed with synchronous_commit=off, so that this test is not blind', async () => {
    expect(await keptOf(ROWS, 'off')).to.be.below(ROWS);
  }).timeout(CYCLE_MS);

  it('costs nothing that was committed with synchronous_commit=on', async () => {
    expect(await keptOf(ROWS, 'on')).to.equal(ROWS);
  }).timeout(CYCLE_MS);
});
