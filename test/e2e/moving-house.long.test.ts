import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringify } from 'yaml';
import type { Scratch } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService, type ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { answersOf } from './house/answers.ts';
import { catalogueFile } from './house/catalogue-file.ts';
import { emptyPlace, rowsIn } from './house/database.ts';
import { fillHouse } from './house/fill.ts';
import { killedAmongCalls } from './house/killed-move.ts';

/** Of the years before, by the recorder. */
const OLD_CALLS = 98_500;
/** Through the service, before the backup. */
const CALLS = 1_500;
/** At a time. */
const CALLERS = 8;

/** For a command that goes through all records. */
const ENDS_WITHIN_MS = 300_000;

const PASSWORD = 'correct horse battery';
const SETTINGS = {
  GATEWAY_RATE_LIMIT: '0',
  INVOCATION_JOURNAL: 'end',
  BACKUP_PASSPHRASE: 'a passphrase of some length',
};

describe('an installation that moves house', function () {
  // A step takes half a minute on a machine with two cores that has nothing else to do, and minutes on one that is busy.
  this.timeout(900_000);
  const scratches: Scratch[] = [];
  const kept = (scratch: Scratch): Scratch => {
    scratches.push(scratch);
    return scratch;
  };
  const services: ServiceProcess[] = [];
  let old: Scratch;
  let moved: Scratch;
  let tokens: { ada: string; grace: string };
  let service: ServiceProcess;

  const environment = ({ dataDir, databaseUrl }: Pick<Scratch, 'dataDir' | 'databaseUrl'>) => ({
    ...SETTINGS,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
  });
  /** The old data directory with the database that it was moved to. */
  const movedEnvironment = () => environment({ ...moved, dataDir: old.dataDir });
  const start = async (env: Record<string, string>): Promise<ServiceProcess> => {
    const started = await startService(env);
    services.push(started);
    return started;
  };
  const run = async (args: readonly string[], env: Record<string, string>) => {
    const { code, stdout, stderr } = await runCommand(args, env, undefined, ENDS_WITHIN_MS);
    expect(code, stderr).to.equal(0);
    return stdout;
  };

  before(async () => {
    old = kept(await emptyPlace('sqlite'));
    const { ada, grace } = await fillHouse(old, { engine: 'sqlite', calls: OLD_CALLS, password: PASSWORD });
    tokens = { ada: ada.token, grace: grace.token };
    service = await start(environment(old));
    const file = join(old.dataDir, 'catalogue.yaml');
    writeFileSync(file, stringify(catalogueFile()));
    await run(['import', '--file', file], environment(old));
  });
  after(async () => {
    for (const each of services) await each.end('SIGKILL');
    for (const scratch of scratches) await scratch.remove();
  });

  it('is backed up while calls run, and restored on the other engine with every call of before', async () => {
    const client = clientOf(service.url);
    const body = await someCall(service.url);
    const before = await call(service.url, tokens.ada, body, (made) => made < CALLS);
    const archive = join(old.dataDir, 'installation.vbak');
    let isOver = false;
    const during = call(service.url, tokens.ada, body, () => !isOver);
    const backup = await run(['backup', archive, '--json'], environment(old)).finally(() => (isOver = true));
    const later = await during;
    const { tables } = JSON.parse(backup) as { tables: { name: string; rows: number }[] };
    const saved = tables.find(({ name }) => name === 'invocation_calls')!.rows;
    const least = OLD_CALLS + before.length;
    expect(saved).to.be.within(least, least + later.length);

    const elsewhere = kept(await emptyPlace('postgres'));
    expect(await run(['restore', archive], environment(elsewhere))).to.include('Counts and hashes agree');
    const restored = await start(environment(elsewhere));
    const there = clientOf(restored.url);
    const ofAda = { token: tokens.ada };
    for (const known of [before[0]!, before.at(-1)!]) {
      const expected = await client.ok('GET', `/algorithms/calls/${known}`, ofAda);
      expect(await there.ok('GET', `/algorithms/calls/${known}`, ofAda)).to.deep.equal(expected);
    }
    const statistics = await there.ok('GET', '/history/statistics', ofAda);
    expect(statistics.total_calls, 'counts and records are of one moment').to.equal(saved);
    expect((await restored.end()).code).to.equal(0);
    const [partitions] = await rowsIn(
      elsewhere,
      "SELECT count(*) FILTER (WHERE tableoid = 'invocation_calls_first'::regclass) AS first, count(*) AS all FROM invocation_calls",
    );
    expect(partitions, 'records are in the partitions of their months').to.deep.equal({
      first: '0',
      all: String(saved),
    });
  });

  it('is moved to the other engine by a move that was killed on its way, and answers as before', async () => {
    const expected = await answersOf(service.url, tokens);
    moved = kept(await emptyPlace('postgres'));
    const move = ['move', '--from', old.databaseUrl, '--to', moved.databaseUrl, '--json'];
    const refused = await runCommand(move, environment(old));
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('A service runs on');
    expect((await service.end()).code).to.equal(0);

    const stored = await killedAmongCalls(move, environment(old), moved);
    expect(stored).to.be.within(1, OLD_CALLS - 1);
    const early = await runCommand(['start'], { ...movedEnvironment(), PORT: '0' });
    expect(early.code).to.equal(1);
    expect(early.stderr).to.include('holds only a part of the data');
    expect(JSON.parse(await run(move, environment(old)))).to.include({ resumed: true });

    writeFileSync(join(old.dataDir, 'vitrine.db'), 'SQLite format 3');
    service = await start(movedEnvironment());
    expect(service.output().stdout, 'an old file is noticed').to.include('vitrine.db (last changed');
    const found = await answersOf(service.url, tokens);
    for (const [path, answer] of Object.entries(expected)) expect(found[path], path).to.deep.equal(answer);
  });

  it('gives an administrator who lost the password another one by the command, beside the service', async () => {
    const client = clientOf(service.url);
    const login = (password: string) =>
      client.request('POST', '/users/login', { body: { username: 'ada', password } });
    const { password } = JSON.parse(
      await run(['users', 'reset-password', 'ada', '--json'], movedEnvironment()),
    );
    const ofBefore = { token: tokens.ada };
    await until(async () => (await client.request('GET', '/users/me', ofBefore)).status === 401);
    expect((await login(PASSWORD)).status).to.equal(401);
    tokens = { ...tokens, ada: (await login(password)).body.access_token };
    const { entries } = await client.ok('GET', '/audit?action=account.reset_password', { token: tokens.ada });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.include({ actor_kind: 'command', target_name: 'ada' });
  });

  it('is restored elsewhere from a backup of the new place, and answers as there', async () => {
    const archive = join(old.dataDir, 'moved.vbak');
    // There already where this test is tried again.
    rmSync(archive, { force: true });
    await run(['backup', archive], movedEnvironment());
    const elsewhere = kept(await emptyPlace('sqlite'));
    await run(['restore', archive], environment(elsewhere));
    const restored = await start(environment(elsewhere));
    const [expected, found] = [await answersOf(service.url, tokens), await answersOf(restored.url, tokens)];
    for (const [path, answer] of Object.entries(expected)) expect(found[path], path).to.deep.equal(answer);
  });
});

/** A call of one of the samples. */
async function someCall(url: string): Promise<object> {
  const client = clientOf(url);
  const { algorithms } = await client.ok('GET', '/algorithms?q=text similarity');
  const [version] = await client.ok('GET', `/algorithms/${algorithms[0].id}/versions`);
  const { id: version_id, input_schema } = version;
  return { algorithm_id: algorithms[0].id, version_id, input_data: input_schema.examples[0] };
}

/** Calls an algorithm until it is told to stop or has called often enough; resolves with the ids of the records. */
async function call(
  url: string,
  token: string,
  body: object,
  goesOn: (made: number) => boolean,
): Promise<string[]> {
  const client = clientOf(url);
  const ids: string[] = [];
  const caller = async (): Promise<void> => {
    while (goesOn(ids.length)) ids.push((await client.ok('POST', '/algorithms/call', { token, body })).id);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return ids;
}
