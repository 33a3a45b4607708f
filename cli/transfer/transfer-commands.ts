import type { Command as Commander } from 'commander';
import type { Plan } from '../../core/kernel/plan.ts';
import { print } from '../output.ts';
import { makeBackup } from './backup-command.ts';
import { moveDatabase } from './move-command.ts';
import { restoreBackup } from './restore-command.ts';

const PASSPHRASE_FILE = [
  '--passphrase-file <file>',
  'a file with the passphrase of the secrets; otherwise BACKUP_PASSPHRASE, or the terminal asks',
] as const;

/** Adds the commands that save, load and move the data of an installation. */
export function addTransferCommands(program: Commander, json: boolean, plan: () => Promise<Plan>): void {
  program
    .command('backup')
    .description('write all data and the generated secrets into one file, beside a running service too')
    .argument('<file>', 'does not exist yet; only its owner may read it')
    .option(...PASSPHRASE_FILE)
    .option('--without-secrets', 'leave out the secrets in the data directory')
    .option('--json', 'answer as JSON')
    .action(async (file: string, options: { withoutSecrets?: true; passphraseFile?: string }) => {
      const withSecrets = options.withoutSecrets !== true;
      const { passphraseFile } = options;
      print(await makeBackup(await plan(), file, { withSecrets, passphraseFile, json }), json);
    });
  program
    .command('restore')
    .description('load a backup into the empty database that the settings name, on either engine')
    .argument('<file>', 'as `vitrine backup` made it')
    .option('--check', 'only check that the file is whole and fits this release')
    .option(...PASSPHRASE_FILE)
    .option('--without-secrets', 'leave out the secrets in the backup, and keep those here')
    .option('--json', 'answer as JSON')
    .action(
      async (file: string, options: { withoutSecrets?: true; passphraseFile?: string; check?: true }) => {
        const withSecrets = options.withoutSecrets !== true;
        const { passphraseFile, check: checkOnly = false } = options;
        const chosen = { withSecrets, passphraseFile, checkOnly, json };
        print(await restoreBackup(await plan(), file, chosen), json);
      },
    );
  program
    .command('move')
    .description('copy everything into another, empty database; run it again when it was interrupted')
    .option('--from <url>', 'the database to read; the one of the settings by default')
    .requiredOption(
      '--to <url>',
      'sqlite:PATH or postgres://USER@HOST:PORT/NAME; PGPASSWORD may hold the password',
    )
    .option('--ignore-connections', 'although services are connected to the PostgreSQL to move from')
    .option('--json', 'answer as JSON')
    .action(async (options: { from?: string; to: string; ignoreConnections?: true }) => {
      const { from, to, ignoreConnections: ignoresConnections = false } = options;
      print(await moveDatabase(await plan(), { from, to, ignoresConnections, json }), json);
    });
}
