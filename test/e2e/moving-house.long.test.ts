import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { copyOf, makeTemplate } from '../support/databases/template-databases.ts';
import { clientOf } from '../support/service-client.ts';
import { builtCommand, runCommand, startService } from '../support/service-process.ts';

/** Before the backup; as many records must come back. */
const CALLS = 1_500;
/** At a time. */
const CALLERS = 8;

const SETTINGS = { GATEWAY_RATE_LIMIT: '0', INVOCATION_JOURNAL: 'end' };

describe('an installation that moves house', function () {
  this.timeout(300_000);
  const scratches: Scratch[] = [];
  const kept = (scratch: Scratch): Scratch => {
    scratches.push(scratch);
    return scratch;
  };
  after(async () => {
    for (const scratch of scratches) await scratch.remove();
  });
  const environment = ({ dataDir, databaseUrl }: Pick<Scratch, 'dataDir' | 'databaseUrl'>) => ({
    ...SETTINGS,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BACKUP_PASSPHRASE: 'a passphrase of some length',
  });
  const postgres = async (): Promise<Scratch> =>
    kept(await copyOf(await makeTemplate(async () => undefined)));
  const inPostgres = async ({ databaseUrl }: Scratch, sql: string): Promise<Record<string, string>[]> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, string>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  /** What a signed-in user sees, apart from what tells the time. */
  const seenBy = async (url: string, token: string): Promise<unknown[]> => {
    const client = clientOf(url);
    const paths = [
      '/algorithms?limit=1000',
      '/history/user-calls?limit=1000',
      '/history/statistics',
      '/users/me',
      '/api-keys',
      '/repositories',
    ];
    return Promise.all(paths.map((path) => client.ok('GET', path, { token })));
  };

  /** Calls an algorithm until it is told to stop or has called often enough; resolves with the ids of the records. */
  const call = async (
    url: string,
    token: string,
    body: unknown,
    goOn: (made: number) => boolean,
  ): Promise<string[]> => {
    const client = clientOf(url);
    const ids: string[] = [];
    const caller = async (): Promise<void> => {
      while (goOn(ids.length)) ids.push((await client.ok('POST', '/algorithms/call', { token, body })).id);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return ids;
  };

  it('keeps every call and gives the same answers: backup under load, restore, move killed on its way, and back', async () => {
    const old = kept(await makeScratch('sqlite'));
    const first = await startService(environment(old));
    const client = clientOf(first.url);
    const token = await client.signUp('ada');
    const { algorithms } = await client.ok('GET', '/algorithms');
    const { id } =
      algorithms.find(({ name }: { name: string }) => /text similarity/i.test(name)) ?? algorithms[0];
    const [version] = await client.ok('GET', `/algorithms/${id}/versions`);
    const body = { algorithm_id: id, version_id: version.id, input_data: version.input_schema.examples[0] };
    const before = await call(first.url, token, body, (made) => made < CALLS);

    // A backup while calls run.
    const archive = join(old.dataDir, 'installation.vbak');
    let isOver = false;
    const during = call(first.url, token, body, () => !isOver);
    const backup = await runCommand(['backup', archive, '--json'], environment(old));
    isOver = true;
    const later = await during;
    expect(backup.code, backup.stderr).to.equal(0);
    const rowsOf = (tables: { name: string; rows: number }[], table: string): number =>
      tables.find(({ name }) => name === table)!.rows;
    const saved = rowsOf(JSON.parse(backup.stdout).tables, 'invocation_calls');
    expect(saved).to.be.within(before.length, before.length + later.length);

    // Restored elsewhere, on the other engine.
    const elsewhere = await postgres();
    const restore = await runCommand(['restore', archive], environment(elsewhere));
    expect(restore.code, restore.stderr).to.equal(0);
    expect(restore.stdout).to.include('Counts and hashes agree');
    const restored = await startService(environment(elsewhere));
    const there = clientOf(restored.url);
    for (const known of [before[0]!, before.at(-1)!]) {
      const expected = await client.ok('GET', `/algorithms/calls/${known}`, { token });
      expect(await there.ok('GET', `/algorithms/calls/${known}`, { token })).to.deep.equal(expected);
    }
    const statistics = await there.ok('GET', '/history/statistics', { token });
    expect(statistics.total_calls, 'counts and records are of one moment').to.equal(saved);
    expect((await restored.end()).code).to.equal(0);
    const partitions = await inPostgres(
      elsewhere,
      "SELECT count(*) FILTER (WHERE tableoid = 'invocation_calls_first'::regclass) AS first, count(*) AS all FROM invocation_calls",
    );
    expect(partitions, 'records are in the partitions of their months').to.deep.equal([
      { first: '0', all: String(saved) },
    ]);

    // Moved after the service was stopped; the first try is killed.
    const expected = await seenBy(first.url, token);
    const urls = ['--from', old.databaseUrl];
    const target = await postgres();
    const refused = await runCommand(['move', ...urls, '--to', target.databaseUrl], environment(old));
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('A service runs on');
    expect((await first.end()).code).to.equal(0);
    await killedMove(['move', ...urls, '--to', target.databaseUrl], environment(old), target);
    const early = await runCommand(['start'], {
      ...environment(old),
      DATABASE_URL: target.databaseUrl,
      PORT: '0',
    });
    expect(early.code).to.equal(1);
    expect(early.stderr).to.include('holds only a part of the data');
    const move = await runCommand(['move', ...urls, '--to', target.databaseUrl, '--json'], environment(old));
    expect(move.code, move.stderr).to.equal(0);
    const moved = JSON.parse(move.stdout);
    expect(moved.resumed).to.equal(true);

    // And back, with the same hashes.
    const again = kept(await makeScratch('sqlite'));
    const back = await runCommand(
      ['move', '--from', target.databaseUrl, '--to', again.databaseUrl, '--json'],
      environment(old),
    );
    expect(back.code, back.stderr).to.equal(0);
    expect(JSON.parse(back.stdout).tables).to.deep.equal(moved.tables);

    // An old file beside the database in use is noticed, and everything answers as before.
    writeFileSync(join(old.dataDir, 'vitrine.db'), 'SQLite format 3');
    for (const databaseUrl of [target.databaseUrl, again.databaseUrl]) {
      const service = await startService({ ...environment(old), DATABASE_URL: databaseUrl });
      expect(service.output().stdout).to.include('vitrine.db (last changed');
      expect(await seenBy(service.url, token)).to.deep.equal(expected);
      await service.end();
    }
  });

  /** Kills a move as soon as it has stored some records. */
  async function killedMove(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    target: Scratch,
  ): Promise<void> {
    const child = spawn(process.execPath, [builtCommand, ...args], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: 'ignore',
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.on('close', (_, signal) => resolve(signal)),
    );
    for (;;) {
      const found = await inPostgres(
        target,
        "SELECT 1 FROM pg_class JOIN pg_namespace s ON s.oid = relnamespace WHERE nspname = current_schema() AND relname = 'core_transfers'",
      );
      if (found.length > 0) {
        const done = await inPostgres(target, "SELECT 1 FROM core_transfers WHERE name LIKE 'catalogue%'");
        if (done.length > 0) break;
      }
      await pause(5);
    }
    child.kill('SIGKILL');
    expect(await ended).to.equal('SIGKILL');
  }
});
