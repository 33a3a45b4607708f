import Sqlite from 'better-sqlite3';
import { openFailure } from './open-failure.ts';

/** Why the native module that opens SQLite files does not work; `undefined` when it does. */
export function sqliteModuleFault(): string | undefined {
  try {
    new Sqlite(':memory:').close();
    return undefined;
  } catch (error) {
    return openFailure(':memory:', error, '').message;
  }
}
