import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { publicUrlFindings } from '../../cli/doctor/certificate.ts';
import { databaseClockFindings, migrationFindings, occupancyFindings } from '../../cli/doctor/database.ts';
import { dataDirectoryFindings } from '../../cli/doctor/data-directory.ts';
import { diskFindings } from '../../cli/doctor/disk.ts';
import { examine, type NamedFinding } from '../../cli/doctor/examine.ts';
import { processesWith } from '../../cli/doctor/open-files.ts';
import { clockFindings, nativeModuleFindings, nodeFindings } from '../../cli/doctor/machine.ts';
import { createBackendClient } from '../../core/egress/create-backend-client.ts';
import { createEgress } from '../../core/egress/create-egress.ts';
import { StoreUnavailable } from '../../core/errors/core-problems.ts';
import { CLOCK, DATABASE, definePlugin, doctorCheck, LOGGER } from '../../core/index.ts';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import { makePlan } from '../../core/kernel/plan.ts';
import { TRANSFERS_SQL } from '../../core/persistence/migrations/unfinished-transfer.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import {
  makeScratch,
  onEveryEngine,
  startTestKernel,
  systemClock,
  type Scratch,
} from '../../core/testing.ts';
import { InvocationSettings } from '../../plugins/invocation/config.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const DAY = 86_400_000;
const GIB = 2 ** 30;
const NOW = Date.UTC(2026, 5, 15);

const notes = definePlugin({
  id: 'notes',
  version: '1.2.3',
  api: '^1.0',
  summary: 'Notes',
  migrations: [
    {
      name: '0001_notes',
      up: async (trx) => {
        await trx.schema.createTable('notes_notes', (table) => void table.text('id').primary());
      },
    },
  ],
  doctor: [
    doctorCheck({
      name: 'ink',
      deps: { database: DATABASE, clock: CLOCK },
      check: async ({ database }) => {
        const rows = await database.read<{ n: number }>('SELECT count(*) AS n FROM notes_notes').all();
        return [{ state: 'warning', message: `There are ${rows[0]!.n} notes.`, mend: 'write one' }];
      },
    }),
  ],
});

type Overrides = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const examined = (
  scratch: Scratch,
  definitions: readonly PluginDefinition[] = [notes],
  more: Overrides = {},
) =>
  examine(
    () =>
      makePlan({
        env: {},
        cwd: scratch.dataDir,
        definitions,
        overrides: { database: { url: scratch.databaseUrl }, data: { dir: scratch.dataDir }, ...more },
      }),
    systemClock,
  );

const of = (findings: readonly NamedFinding[], check: string) =>
  findings.filter((one) => one.check === check);
const faultsOf = (findings: readonly NamedFinding[]) => findings.filter(({ state }) => state === 'fault');

describe('the doctor', () => {
  onEveryEngine((engine) => {
    it('finds a running installation in order, and runs the checks of plugins beside it', async () => {
      const kernel = await startTestKernel({ engine, plugins: [notes] });
      try {
        const findings = await examined(kernel.scratch);
        expect(faultsOf(findings)).to.deep.equal([]);
        expect(of(findings, 'core:migrations')).to.deep.equal([
          { check: 'core:migrations', state: 'ok', message: 'Every table is up to date.' },
        ]);
        expect(of(findings, 'notes:ink')).to.deep.equal([
          { check: 'notes:ink', state: 'warning', message: 'There are 0 notes.', mend: 'write one' },
        ]);
        expect(of(findings, 'core:plugins')[0]!.message).to.include('notes 1.2.3');
        expect(of(findings, 'core:database-size')[0]!.message).to.match(/^The database has [\d.]+ [KM]iB\.$/);
        expect(of(findings, engine === 'sqlite' ? 'core:integrity' : 'core:database-clock')[0]).to.include({
          state: 'ok',
        });
        expect((await kernel.request('GET', '/nothing')).status).to.equal(404);
      } finally {
        await kernel.stop();
      }
    });

    it('finds a fault in a database that is restored in part', async () => {
      const kernel = await startTestKernel({ engine, plugins: [notes] });
      try {
        await kernel.get(DATABASE).knex.raw(TRANSFERS_SQL);
        const faults = faultsOf(await examined(kernel.scratch));
        expect(faults.map(({ check }) => check)).to.deep.equal(['core:transfer']);
        expect(faults[0]!.message).to.include('holds only a part of the data');
      } finally {
        await kernel.stop();
      }
    });

    it('names tables that are missing and steps that this version does not know', async () => {
      const older = definePlugin({ ...notes, migrations: [] });
      const newer = definePlugin({
        ...notes,
        migrations: [...notes.migrations!, { name: '0002_more', up: async () => undefined }],
      });
      const scratch = await makeScratch(engine);
      try {
        await (await startTestKernel({ engine, plugins: [notes], scratch })).stop();
        const pending = await examined(scratch, [newer]);
        expect(of(pending, 'core:migrations')[0]).to.include({
          state: 'warning',
          mend: 'vitrine migrate up',
        });
        expect(of(pending, 'core:migrations')[0]!.message).to.include('notes lack 0002_more');
        expect(of(pending, 'notes:ink')[0]!.message).to.equal('Not checked, because tables are missing.');
        const unknown = await examined(scratch, [
          { ...older, migrations: [{ name: '0000_other', up: async () => undefined }] },
        ]);
        expect(of(unknown, 'core:migrations')[0]).to.include({ state: 'fault' });
        expect(of(unknown, 'core:migrations')[0]!.message).to.include('0001_notes');
      } finally {
        await scratch.remove();
      }
    });
  });

  it('says which settings are wrong, and goes on with what needs none', async () => {
    const scratch = await makeScratch('sqlite');
    try {
      const findings = await examined(scratch, [notes], { server: { port: 'none' } });
      expect(of(findings, 'core:settings')[0]).to.include({ state: 'fault', mend: 'vitrine config check' });
      expect(of(findings, 'core:settings')[0]!.message).to.include('server.port');
      expect(of(findings, 'core:node')).to.have.length(1);
    } finally {
      await scratch.remove();
    }
  });

  it('finds a file with secrets that every user may read', async () => {
    const scratch = await makeScratch('sqlite');
    mkdirSync(scratch.dataDir, { recursive: true });
    const file = join(scratch.dataDir, 'secret-of-the-operator');
    writeFileSync(file, 'f0d1c2b3a4958677f0d1c2b3a4958677\n');
    const env = { JWT_SECRET_FILE: file, DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl };
    const plan = () => makePlan({ env, cwd: scratch.dataDir, definitions: [notes] });
    try {
      chmodSync(file, 0o600);
      expect(of(await examine(plan, systemClock), 'core:secret-files')[0]).to.include({ state: 'ok' });
      chmodSync(file, 0o644);
      expect(of(await examine(plan, systemClock), 'core:secret-files')[0]).to.deep.equal({
        check: 'core:secret-files',
        state: 'warning',
        message: `Every user of this machine may read the secrets in ${file}.`,
        mend: `chmod 600 ${file}`,
      });
    } finally {
      await scratch.remove();
    }
  });

  it('goes on without a database that is away, and makes none', async () => {
    const scratch = await makeScratch('sqlite');
    try {
      const away = await examined({ ...scratch, databaseUrl: 'postgres://127.0.0.1:1/gone' });
      expect(of(away, 'core:database')[0]).to.include({ state: 'fault' });
      expect(of(away, 'core:database')[0]!.message).to.include('127.0.0.1:1/gone does not answer');
      expect(of(away, 'notes:ink')[0]).to.include({ state: 'warning' });
      const missing = of(await examined(scratch), 'core:database');
      expect(missing[0]).to.include({ state: 'warning', mend: 'vitrine migrate up' });
      const again = of(await examined(scratch), 'core:database');
      expect(again).to.deep.equal(missing);
    } finally {
      await scratch.remove();
    }
  });

  it('finds a damaged SQLite file', async () => {
    const scratch = await makeScratch('sqlite');
    try {
      await (await startTestKernel({ engine: 'sqlite', plugins: [notes], scratch })).stop();
      const file = scratch.databaseUrl.slice('sqlite:'.length);
      // The pages of tables, behind the one with the schema.
      const [from, { length }] = [4096 * 2, readFileSync(file)];
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(length - from, 0xa5), 0, length - from, from);
      closeSync(handle);
      const findings = faultsOf(await examined(scratch));
      expect(findings.map(({ check }) => check)).to.include('core:integrity');
      expect(findings.find(({ check }) => check === 'core:integrity')!.mend).to.include('restore a backup');
      writeFileSync(file, 'This is no database at all, but a text that is long enough.'.repeat(100));
      expect(of(await examined(scratch), 'core:database')[0]!.message).to.include('is damaged');
    } finally {
      await scratch.remove();
    }
  });

  it('reports a check that fails or asks for what it cannot have', async () => {
    const scratch = await makeScratch('sqlite');
    const check = (name: string, deps: object, run: () => never[]) =>
      doctorCheck({ name, deps: deps as {}, check: run });
    const broken = definePlugin({
      ...notes,
      migrations: [],
      doctor: [
        check('throws', {}, () => {
          throw new Error('ink is out');
        }),
        check('greedy', { logger: LOGGER }, () => []),
      ],
    });
    try {
      const findings = await examined(scratch, [broken]);
      expect(of(findings, 'notes:throws')[0]).to.include({
        state: 'fault',
        message: 'The check failed: ink is out',
      });
      expect(of(findings, 'notes:greedy')[0]!.message).to.include(
        'depends on core:logger, which the doctor does not have',
      );
    } finally {
      await scratch.remove();
    }
  });

  it('tells releases of Node.js and native modules that do not fit', () => {
    expect(nodeFindings('20.19.0')[0]).to.include({ state: 'ok' });
    expect(nodeFindings('18.20.0')[0]!.message).to.match(/^Node\.js 18\.20\.0 is not supported; .*20\.19/);
    expect(nativeModuleFindings()[0]).to.include({ state: 'ok' });
    expect(nativeModuleFindings(() => 'It was built for another.')[0]).to.deep.include({
      state: 'fault',
      mend: 'npm rebuild better-sqlite3',
    });
  });

  it('tells a clock that was never set, and one that differs from that of the database', async () => {
    const at = (time: number) => ({ ...systemClock, now: () => time });
    expect(clockFindings(at(NOW))[0]).to.include({ state: 'ok' });
    for (const wrong of [0, Date.UTC(2201)])
      expect(clockFindings(at(wrong))[0]).to.include({ state: 'fault' });
    expect(clockFindings(at(0))[0]!.message).to.include('1970-01-01');
    const database = { engine: 'postgres', knex: { raw: async () => ({ rows: [{ now: NOW }] }) } } as never;
    const states = [0, 10_000, -90_000].map(async (apart) => {
      const [finding] = await databaseClockFindings(database, at(NOW + apart));
      return finding!.state;
    });
    expect(await Promise.all(states)).to.deep.equal(['ok', 'warning', 'fault']);
  });

  it('tells a disk that is nearly full', () => {
    const state = (free: number, total: number) =>
      diskFindings('The disk', '/', () => ({ free, total }))[0]!.state;
    expect(state(50 * GIB, 100 * GIB)).to.equal('ok');
    expect(state(5 * GIB, 100 * GIB)).to.equal('warning');
    expect(state(0.5 * GIB, 1 * GIB)).to.equal('warning');
    expect(state(0.05 * GIB, 100 * GIB)).to.equal('fault');
    expect(diskFindings('The disk', '/')[0]!.message).to.match(/^The disk \(\/\) has .+ free of .+\.$/);
  });

  it('names a setting that there is, to let old records go', () => {
    const [{ mend } = {}] = diskFindings('The disk', '/', () => ({ free: 0, total: GIB }));
    const [, setting] = /\(invocation\.(\w+)\)/.exec(mend!)!;
    expect(InvocationSettings.settings).to.have.property(setting!);
  });

  it('finds a data directory that takes no files, or cannot be made', async () => {
    const scratch = await makeScratch('sqlite');
    mkdirSync(scratch.dataDir, { recursive: true });
    const [file, missing] = [join(scratch.dataDir, 'file'), join(scratch.dataDir, 'missing')];
    writeFileSync(file, '');
    try {
      expect(dataDirectoryFindings(missing)[0]).to.include({ state: 'warning' });
      expect(dataDirectoryFindings(file)[0]!.message).to.equal(
        `The data directory "${file}" (data.dir, DATA_DIR) takes no files: ${file} is a file and no directory.`,
      );
      const below = join(file, 'below', 'it');
      expect(dataDirectoryFindings(below)[0]!.message).to.equal(
        `The data directory "${below}" (data.dir, DATA_DIR) cannot be made: ${file} is a file and no directory.`,
      );
      const refuse = () => {
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      };
      expect(dataDirectoryFindings(scratch.dataDir, refuse)[0]!.message).to.include(
        `${scratch.dataDir} refuses to be written (EACCES)`,
      );
    } finally {
      await scratch.remove();
    }
  });

  it('tells which processes use the SQLite file', async () => {
    const scratch = await makeScratch('sqlite');
    const file = join(scratch.dataDir, 'test.db');
    const location = { engine: 'sqlite', file } as const;
    try {
      expect(occupancyFindings(location)).to.deep.equal([]);
      mkdirSync(scratch.dataDir, { recursive: true });
      writeFileSync(file, '');
      expect(occupancyFindings(location, () => [])[0]!.message).to.equal(`No running service uses ${file}.`);
      const release = claimForService(file);
      expect(occupancyFindings(location, () => ['node (7)'])[0]!.message).to.equal(
        `A running service (node (7)) uses ${file}.`,
      );
      release();
      rmSync(`${file}.lock`);
      mkdirSync(`${file}.lock`);
      expect(occupancyFindings(location, () => [])[0]).to.deep.include({
        state: 'warning',
        mend: 'Run the doctor as the user of the service.',
      });
      expect(occupancyFindings(location, () => ['node (7)', 'sqlite3 (8)'])[0]).to.include({
        state: 'warning',
      });
      // Of this process, which is not counted.
      const handle = openSync(file, 'r');
      expect(processesWith(file)).to.deep.equal([]);
      closeSync(handle);
    } finally {
      await scratch.remove();
    }
  });

  it('finds a secret that is not whole or cannot be read, which the start refuses as well', async () => {
    const scratch = await makeScratch('sqlite');
    try {
      const found = async (settings: Overrides) =>
        of(await examined(scratch, [notes], settings), 'core:secrets');
      mkdirSync(scratch.dataDir, { recursive: true });
      expect(await found({}))
        .to.have.length(1)
        .and.to.have.nested.property('[0].state', 'ok');
      writeFileSync(join(scratch.dataDir, 'jwt-secret'), 'half');
      mkdirSync(join(scratch.dataDir, 'secret-key'));
      const faults = await found({});
      expect(faults.map(({ state }) => state)).to.deep.equal(['fault', 'fault']);
      expect(faults[0]!.message).to.include('jwt-secret" does not hold a whole secret');
      expect(faults[1]!.message).to.match(
        /secret-key" cannot be read or made: EISDIR.*as the user of the service/,
      );
      const own = 'Gf3kQ9zL1xV7bN5mT2wR8yC4hJ6pD0sA';
      expect(await found({ secrets: { key: own }, jwt: { secret: `${own}x` } })).to.have.nested.property(
        '[0].state',
        'ok',
      );
    } finally {
      await scratch.remove();
    }
  });

  it('blames the database, and not the check, where a check fails for want of it', async () => {
    const kernel = await startTestKernel({ engine: 'sqlite', plugins: [notes] });
    try {
      const failing = definePlugin({
        ...notes,
        doctor: [
          doctorCheck({
            name: 'ink',
            deps: { database: DATABASE },
            check: async () => {
              throw StoreUnavailable('The database is damaged.');
            },
          }),
        ],
      });
      expect(of(await examined(kernel.scratch, [failing]), 'notes:ink')[0]).to.include({
        state: 'fault',
        mend: 'Mend what core:database and core:integrity say first.',
      });
    } finally {
      await kernel.stop();
    }
  });

  it('tells pending and unknown steps apart from none', () => {
    const status = { plugin: 'notes', applied: [], pending: [], unknown: [] };
    expect(migrationFindings([status])).to.deep.equal([
      { state: 'ok', message: 'Every table is up to date.' },
    ]);
  });
});

describe('a connection without a request', () => {
  const egress = createEgress({ policy: 'private', allow: [] });
  const backends = createBackendClient();
  after(() => Promise.all([egress.close(), backends.close()]));
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('connects, and sends nothing', async () => {
    let bytes = 0;
    const server = createServer((socket) =>
      socket.on('data', (data) => (bytes += data.length)).on('error', () => {}),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/path`;
    expect(await egress.connect(url, 1000)).to.deep.equal({ certificateEnds: undefined });
    await new Promise((resolve) => server.close(resolve));
    expect(bytes).to.equal(0);
    expect(await reasonOf(egress.connect(url, 1000))).to.include('ECONNREFUSED');
  });

  it('refuses what the guard refuses, and names a certificate that it does not trust', async () => {
    const metadata = 'http://169.254.169.254/latest';
    expect(await reasonOf(egress.connect(metadata, 1000))).to.include('egress policy');
    expect(await reasonOf(backends.connect(metadata, 1000))).to.include('never allowed');
    const strict = createEgress({ policy: 'public', allow: [] });
    expect(await reasonOf(strict.connect('http://127.0.0.1:1', 1000))).to.include('egress policy');
    const proxy = await startTlsProxy('', { isStripped: false });
    try {
      expect(await reasonOf(backends.connect(proxy.url, 1000))).to.include('self-signed');
    } finally {
      await proxy.stop();
    }
  });

  it('warns of a certificate of PUBLIC_URL that ends soon, and of an address out of reach', async () => {
    const ending = (days: number) => ({ connect: async () => ({ certificateEnds: NOW + days * DAY }) });
    const findings = (days: number) => publicUrlFindings('https://example.org', ending(days), NOW);
    expect((await findings(60))[0]).to.include({ state: 'ok' });
    expect((await findings(7))[0]).to.include({
      state: 'warning',
      message: 'The certificate of PUBLIC_URL https://example.org ends on 2026-06-22.',
    });
    expect((await publicUrlFindings('http://127.0.0.1:1', backends, NOW))[0]!.message).to.include(
      'cannot be reached from here',
    );
    expect((await publicUrlFindings(undefined, backends, NOW))[0]).to.include({ state: 'ok' });
  });
});
