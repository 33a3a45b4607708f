import { StoreUnavailable } from '../errors/core-problems.ts';
import type { Problem } from '../errors/problem.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { OpenDatabase } from '../persistence/kernel-database.ts';

/** A database that fails during the start, in words for the operator and not for clients. */
export function databaseFault(error: unknown, { description, upgradeBackup }: OpenDatabase): unknown {
  if (!StoreUnavailable.is(error)) return error;
  const { cause } = error as Problem;
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  const sentences = [
    `The start failed. ${description}: ${error.message}${reason}`,
    upgradeBackup.backupLocation(),
  ];
  return new StartupError(sentences.filter(Boolean).join(' '), [], { cause: error });
}
