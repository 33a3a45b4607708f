import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The location of the database, from `DATABASE_URL`. */
export type DatabaseLocation =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly connectionString: string; readonly shown: string };

const SQLITE = 'sqlite:';
const POSTGRES = /^postgres(ql)?:\/\//;

/**
 * Parses `DATABASE_URL`; empty means the file `vitrine.db` in the data directory, and a relative path starts at the
 * working directory.
 */
export function locate(url: string, dataDir: string): DatabaseLocation {
  if (url === '') return { engine: 'sqlite', file: resolve(join(dataDir, 'vitrine.db')) };
  return url.startsWith(SQLITE) ? { engine: 'sqlite', file: resolve(pathIn(url)) } : postgresServer(url);
}

/** The path of a SQLite file that does not exist yet. */
export function missingFile(location: DatabaseLocation): string | undefined {
  return location.engine === 'sqlite' && !existsSync(location.file) ? location.file : undefined;
}

/** Why `DATABASE_URL` cannot be used; the sentence contains nothing of it but its scheme. */
export function locationComplaint(url: string): string | undefined {
  if (url === '') return undefined;
  if (url.startsWith(SQLITE)) {
    const path = pathIn(url);
    const isFile =
      path !== '' && !path.includes('\0') && !path.startsWith(':memory:') && !path.startsWith('//');
    return isFile ? undefined : 'must name a file, as in sqlite:./data/vitrine.db';
  }
  if (!POSTGRES.test(url)) {
    const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url) ?? [];
    return `begins with ${scheme === undefined ? 'no scheme' : `"${scheme}"`}; it must begin with sqlite:, postgres:// or postgresql://`;
  }
  return isServerUrl(url)
    ? undefined
    : 'is not a URL of the form postgres://USER:PASSWORD@HOST:PORT/NAME; encode special characters of the password: %2F for /, %3F for ?, %23 for #, %25 for % and %40 for @';
}

/** An `@` behind the host means that an unescaped /, ? or # in the password ended the host too early. */
function isServerUrl(url: string): boolean {
  return URL.canParse(url) && !/^[^/]*\/\/([/#]*$|[^/?#]*[/?#].*@)/s.test(url);
}

function pathIn(url: string): string {
  return url.slice(SQLITE.length).replace(/^\/\/(?=\/)/, '');
}

function postgresServer(url: string): DatabaseLocation {
  const server = new URL(url);
  const { hostname, port, pathname, searchParams } = server;
  // pg prefers it to the name by which `vitrine move` knows the connections of a service.
  const isNamed = searchParams.has('application_name');
  searchParams.delete('application_name');
  return {
    engine: 'postgres',
    connectionString: isNamed ? server.href : url,
    shown: `${hostname || 'localhost'}:${port || '5432'}${pathname}`,
  };
}
