import { resolve } from 'node:path';
import type { Plan } from '../../core/kernel/plan.ts';
import { backUp } from './archive/backup.ts';
import { isoTime, systemClock } from '../../core/support/clock.ts';
import { newId } from '../../core/support/ids.ts';
import { packageVersion } from '../../core/support/package-root.ts';
import type { Answer } from '../output.ts';
import { archiveSecrets, generatedAmong } from './archived-secrets.ts';
import { dataOf } from './installation.ts';
import { readPassphrase } from './passphrase.ts';
import { showProgress } from './show-progress.ts';

export interface BackupOptions {
  /** False with `--without-secrets`. */
  readonly withSecrets: boolean;
  readonly passphraseFile: string | undefined;
  readonly json: boolean;
}

/** `backup FILE`: writes everything into one file, beside a running service too. */
export async function makeBackup(plan: Plan, name: string, options: BackupOptions): Promise<Answer> {
  const file = resolve(name);
  const { dataDir, location, folders, secrets } = dataOf(plan);
  const known = secrets();
  const isSealed = options.withSecrets && generatedAmong(known).length > 0;
  const passphrase = isSealed
    ? await readPassphrase({ file: options.passphraseFile, isNew: true })
    : undefined;
  const now = systemClock.now();
  const header = {
    id: newId(),
    vitrine: packageVersion(),
    created_at: isoTime(now),
    secrets: archiveSecrets(known, passphrase),
  };
  const progress = showProgress(systemClock, options.json);
  const { bytes, engine, tables, files, foreign } = await backUp({
    file,
    location,
    dataDir,
    folders,
    header,
    now,
    progress,
  });
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const notes = [
    ...(files.length > 0 ? [`It has ${files.length} files of records that wait for the database.`] : []),
    ...(options.withSecrets ? [] : ['It has no secrets: keep those in the data directory elsewhere.']),
    ...known
      .filter(({ configured }) => configured !== '')
      .map(({ env }) => `It has no ${env}, which is in the settings: keep that elsewhere.`),
    ...(foreign.length > 0 ? [`Tables of no plugin are not in it: ${foreign.join(', ')}.`] : []),
  ];
  const sealed = header.secrets.files;
  const summary = `Backed up ${rows.toLocaleString('en')} rows of ${tables.length} tables${
    sealed.length > 0 ? ` and ${sealed.length} secrets` : ''
  } to ${file} (${(bytes / 1_000_000).toFixed(1)} MB), as they were at ${header.created_at} or a moment later.`;
  return {
    message: [summary, ...notes].join('\n'),
    data: {
      file,
      bytes,
      id: header.id,
      created_at: header.created_at,
      engine,
      tables,
      files,
      secrets: sealed,
      notes,
    },
  };
}
