import { join, resolve } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';

/** Where the data lies, read from `DATABASE_URL`. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly connectionString: string; readonly shown: string };

/**
 * Reads `DATABASE_URL`; empty means the file `vitrine.db` in the data directory, and a relative path starts at the
 * working directory. Throws `StartupError` for any other form, without showing credentials.
 */
export function locate(url: string, dataDir: string): DatabaseLocation {
  if (url === '') return { engine: 'sqlite', file: resolve(join(dataDir, 'vitrine.db')) };
  if (url.startsWith('sqlite:')) return sqliteFile(url);
  if (/^postgres(ql)?:\/\//.test(url)) return postgresServer(url);
  throw refused(url, 'it must begin with sqlite:, postgres:// or postgresql://');
}

function sqliteFile(url: string): DatabaseLocation {
  const path = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
  if (path === '' || path.includes('\0') || path.startsWith(':memory:') || path.startsWith('//')) {
    throw refused(url, 'it must name a file, as in sqlite:./data/vitrine.db');
  }
  return { engine: 'sqlite', file: resolve(path) };
}

function postgresServer(url: string): DatabaseLocation {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw refused(url, 'it is not a URL of the form postgres://USER:PASSWORD@HOST:PORT/NAME');
  }
  const shown = `${parsed.hostname || 'localhost'}:${parsed.port || '5432'}${parsed.pathname}`;
  return { engine: 'postgres', connectionString: url, shown };
}

function refused(url: string, reason: string): StartupError {
  return new StartupError(`DATABASE_URL is "${withoutCredentials(url)}", but ${reason}.`);
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/.*@/, '//***@').replace(/\?.*$/s, '?***');
}
