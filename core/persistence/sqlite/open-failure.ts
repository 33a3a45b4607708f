import { StartupError } from '../../errors/startup-error.ts';
import { isDamaged } from './failures.ts';
import Sqlite from 'better-sqlite3';

/** Why a SQLite file could not be opened, in words for the operator; `backups` is a sentence on where backups lie, or empty. */
export function openFailure(file: string, error: unknown, backups: string): StartupError {
  const { cause = error } = error as { cause?: unknown };
  return new StartupError(sentence(file, cause as Error, backups), [], { cause: error });
}

function sentence(file: string, error: Error, backups: string): string {
  if (isOfNativeModule(error)) {
    return (
      `The native module of better-sqlite3, which opens SQLite files, cannot be loaded by Node.js ${process.versions.node} ` +
      `on ${process.platform}-${process.arch}: ${reasonOf(error)} The database was not touched. ` +
      'Run `npm rebuild better-sqlite3` with the Node.js that starts the service, or start it with the Node.js of the installation.'
    );
  }
  if (isDamaged(error)) {
    return (
      `The SQLite file ${file} is damaged, or is no SQLite database: ${error.message}. ` +
      `${backups || 'No backup from before an upgrade lies beside it.'} To restore a backup, stop the service, ` +
      `delete ${file}-wal and ${file}-shm where they exist, and copy the backup over ${file}.`
    );
  }
  return `The SQLite file ${file} cannot be opened: ${error.message}. Correct DATABASE_URL or the rights on the file.`;
}

/** Node's codes for a library that it cannot load or find, and the message of `bindings` when there is none. */
function isOfNativeModule(error: Error): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_DLOPEN_FAILED' ||
    code === 'MODULE_NOT_FOUND' ||
    message.startsWith('Could not locate the bindings file')
  );
}

function reasonOf({ message }: Error): string {
  const [built, needed] = [...message.matchAll(/NODE_MODULE_VERSION (\d+)/g)].map(([, version]) => version);
  if (needed !== undefined) {
    return `it was built for another one (NODE_MODULE_VERSION ${built}; this Node.js has ${needed}).`;
  }
  const [first = ''] = message.split('\n');
  return `${first.replace(/[.:]?( Tried:)?$/, '')}.`;
}

/** Why the native module that opens SQLite files does not work; `undefined` when it does. */
export function sqliteModuleFault(): string | undefined {
  try {
    new Sqlite(':memory:').close();
    return undefined;
  } catch (error) {
    return openFailure(':memory:', error, '').message;
  }
}
