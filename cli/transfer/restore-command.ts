import { resolve } from 'node:path';
import { dataDirectory } from '../../core/kernel/core-services.ts';
import { migrationsOf } from '../../core/kernel/migrations.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { checkArchive, loadArchive, type ArchiveContent } from './archive/restore.ts';
import { beginLoading } from './begin-loading.ts';
import { refuseDifferences } from './compare.ts';
import { migrate } from '../../core/persistence/migrations/migrate.ts';
import type { KeyRange } from './row-source.ts';
import { openTarget } from './open.ts';
import { stepsOfSource } from './source-steps.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import { systemClock } from '../../core/support/clock.ts';
import type { Answer } from '../output.ts';
import {
  openSecrets,
  planSecrets,
  writeSecrets,
  type ArchivedSecrets,
  type SecretRestore,
} from './archived-secrets.ts';
import { dataOf, type DataOfInstallation } from './installation.ts';
import { readPassphrase } from './passphrase.ts';
import { showProgress } from './show-progress.ts';

export interface RestoreOptions {
  /** False with `--without-secrets`. */
  readonly withSecrets: boolean;
  readonly passphraseFile: string | undefined;
  /** Reads and checks the file, and changes nothing. */
  readonly checkOnly: boolean;
  readonly json: boolean;
}

/** `restore FILE`: loads a backup into the empty database that the settings name. */
export async function restoreBackup(plan: Plan, name: string, options: RestoreOptions): Promise<Answer> {
  const file = resolve(name);
  const installation = dataOf(plan);
  const progress = showProgress(systemClock, options.json);
  const content = await checkArchive(file, progress);
  const steps = stepsOfSource(migrationsOf(plan), content.header.applied, `The backup ${file}`);
  if (options.checkOnly) return describe(file, content);
  const secrets = await secretsOf(installation, content, options);
  const { location, url, dataDir, logger } = installation;
  dataDirectory(dataDir);
  const release = location.engine === 'sqlite' ? claimForService(location.file) : () => undefined;
  const target = await openTarget(location).catch((error: unknown) => {
    release();
    throw error;
  });
  let leftOut: readonly string[] = [];
  try {
    const transfer = { command: 'restore', from: `backup ${content.header.id}` } as const;
    await beginLoading({ target, transfer, steps, logger, open: () => installation.open(url) });
    const makeRoom = (table: string, range: KeyRange) => installation.makeRoom(url, table, range);
    const restored = await loadArchive({ file, content, target, location, dataDir, progress, makeRoom });
    leftOut = restored.leftOut;
    refuseDifferences(
      restored.comparisons,
      'The restored data differ from the backup, so no service starts on this database:',
    );
    writeSecrets(dataDir, secrets);
    await target.finish();
  } finally {
    progress.done();
    await target.close();
    release();
  }
  const upgraded = await upgrade(plan, installation);
  return answer(content, { file, description: target.description, secrets, leftOut, upgraded });
}

async function secretsOf(
  { secrets }: DataOfInstallation,
  { header }: ArchiveContent,
  { withSecrets, passphraseFile }: RestoreOptions,
): Promise<readonly SecretRestore[]> {
  if (!withSecrets) return [];
  const archived = header.secrets as ArchivedSecrets;
  const opened = archived.sealed
    ? openSecrets(archived, await readPassphrase({ file: passphraseFile, isNew: false }))
    : {};
  return planSecrets(secrets(), archived, opened);
}

/** Brings tables of an older release up to date, now that the rows are verified. */
async function upgrade(plan: Plan, { open, url, logger }: DataOfInstallation): Promise<readonly string[]> {
  const database = await open(url);
  try {
    const done = await migrate(database, migrationsOf(plan), { logger });
    return done.flatMap(({ plugin, applied }) => applied.map((name) => `${plugin}: applied ${name}`));
  } finally {
    await database.close();
  }
}

function describe(file: string, { header, tables, files }: ArchiveContent): Answer {
  const { id, vitrine, created_at, engine, secrets } = header;
  const sealed = (secrets as ArchivedSecrets).files;
  return {
    message:
      `${file} is complete: ${rowsOf(tables)} rows of ${tables.length} tables, ${files.length} files and ${sealed.length} secrets, ` +
      `made at ${created_at} by Vitrine ${vitrine} on ${engine}.`,
    data: { file, id, vitrine, created_at, engine, tables, files, secrets: sealed },
  };
}

interface Outcome {
  readonly file: string;
  readonly description: string;
  readonly secrets: readonly SecretRestore[];
  readonly leftOut: readonly string[];
  readonly upgraded: readonly string[];
}

function answer(content: ArchiveContent, { file, description, secrets, leftOut, upgraded }: Outcome): Answer {
  const { tables, files, header } = content;
  const written = secrets.flatMap(({ secret, write }) => (write === undefined ? [] : secret.file));
  const notes = [
    ...upgraded,
    ...secrets.flatMap(({ note }) => note ?? []),
    ...(leftOut.length > 0 ? [`This engine has no tables ${leftOut.join(', ')}; they are left out.`] : []),
  ];
  const parts = [
    `${rowsOf(tables)} rows of ${tables.length - leftOut.length} tables`,
    ...(files.length > 0 ? [`${files.length} files`] : []),
    ...(written.length > 0 ? [`${written.length} secrets`] : []),
  ];
  return {
    message: [
      `Restored ${parts.join(', ')} into ${description}, as they were at ${header.created_at}. Counts and hashes agree.`,
      ...notes,
    ].join('\n'),
    data: {
      file,
      id: header.id,
      created_at: header.created_at,
      database: description,
      tables,
      files,
      secrets: written,
      left_out: leftOut,
      upgraded,
      notes,
    },
  };
}

function rowsOf(tables: ArchiveContent['tables']): string {
  return tables.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en');
}
