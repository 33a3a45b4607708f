import { expect } from 'chai';
import { openFailure } from '../../../core/persistence/sqlite/open-failure.ts';

const because = (message: string, code?: string): string =>
  openFailure('/data/vitrine.db', Object.assign(new Error(message), { code }), '').message;

describe('persistence: why a SQLite file cannot be opened', () => {
  it('is a native module for another Node.js, with both versions and the way out', () => {
    const said = because(
      "The module '/app/better_sqlite3.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling",
      'ERR_DLOPEN_FAILED',
    );
    expect(said).to.contain('built for another one (NODE_MODULE_VERSION 108; this Node.js has 115)');
    expect(said).to.contain('npm rebuild better-sqlite3').and.not.to.contain('DATABASE_URL');
  });

  it('is a native module for another machine, with the reason of the system', () => {
    const said = because('/app/better_sqlite3.node: invalid ELF header', 'ERR_DLOPEN_FAILED');
    expect(said).to.contain('/app/better_sqlite3.node: invalid ELF header. The database was not touched.');
  });

  it('is a native module that is missing', () => {
    const missing = because('Could not locate the bindings file. Tried:\n → /app/build/better_sqlite3.node');
    expect(missing).to.contain('Could not locate the bindings file. The database was not touched.');
    const absent = because(
      "Cannot find module '/app/better_sqlite3.node'\nRequire stack:",
      'MODULE_NOT_FOUND',
    );
    expect(absent).to.contain("Cannot find module '/app/better_sqlite3.node'. The database was not touched.");
  });

  it('is otherwise the address or the rights', () => {
    expect(because('unable to open database file', 'SQLITE_CANTOPEN')).to.equal(
      'The SQLite file /data/vitrine.db cannot be opened: unable to open database file. Correct DATABASE_URL or the rights on the file.',
    );
  });
});
