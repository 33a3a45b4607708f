import { expect } from 'chai';
import type pg from 'pg';
import { StoreUnavailable, Problem } from '../../../core/index.ts';
import { fromPostgres, isBroken, sqlState } from '../../../core/persistence/postgres/failures.ts';
import { PostgresWriter } from '../../../core/persistence/postgres/writer.ts';
import { fromSqlite } from '../../../core/persistence/sqlite/failures.ts';
import { failure } from './support.ts';

const saying = (message: string, fields: object = {}): Error => Object.assign(new Error(message), fields);
const isAway = (error: unknown): boolean => error instanceof Problem && error.code === StoreUnavailable.code;

describe('persistence: a failure that is not the fault of the data', () => {
  const local = [
    saying('connect EMFILE', { code: 'EMFILE', syscall: 'connect' }),
    saying('connect ENFILE', { code: 'ENFILE' }),
    saying('connect EADDRNOTAVAIL', { code: 'EADDRNOTAVAIL' }),
    saying('write EPROTO', { code: 'EPROTO' }),
    saying('read EBADF', { code: 'EBADF', syscall: 'read' }),
    saying('wrong version number', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }),
    saying('certificate has expired', { code: 'CERT_HAS_EXPIRED' }),
    saying('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    saying('altnames', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
    saying('The server does not support SSL connections'),
    saying('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    saying('database "x" does not exist', { code: '3D000' }),
  ];
  for (const error of local) {
    it(`of PostgreSQL is the store being away: ${error.message}`, () => {
      expect(isAway(fromPostgres(error))).to.equal(true);
    });
  }

  it('of the operating system has no SQLSTATE and breaks the connection, though its code has five letters', () => {
    const error = saying('read EBADF', { code: 'EBADF', syscall: 'read' });
    expect(sqlState(error)).to.equal('');
    expect(isBroken(error)).to.equal(true);
  });

  for (const [what, code] of [
    ['a session that only reads', '25006'],
    ['a transaction that an earlier statement aborted', '25P02'],
    ['a session that was idle in a transaction for too long', '25P03'],
    ['a prepared statement that a pooler does not know', '26000'],
    ['a prepared statement that another client of a pooler made', '42P05'],
    ['a prepared statement whose table was altered', '0A000'],
  ] as const) {
    it(`breaks the connection when it tells of ${what}`, () => {
      expect(isBroken(saying('bad', { code }))).to.equal(true);
    });
  }

  for (const [what, fields] of [
    ['refuses connections', { severity: 'FATAL', code: '55000' }],
    ['lets this user in no more', { severity: 'FATAL', code: '42501' }],
    ['says so in another language', { severity: 'ВАЖНО', code: '42501', routine: 'CheckMyDatabase' }],
    ['fails as a whole', { severity: 'PANIC', code: '58030' }],
  ] as const) {
    it(`of PostgreSQL is the store being away, and breaks the connection, when the server ${what}`, () => {
      const error = saying('no', fields);
      expect(isAway(fromPostgres(error))).to.equal(true);
      expect(isBroken(error)).to.equal(true);
    });
  }

  it('of a statement that lacks a privilege is an unfit database', () => {
    const error = saying('permission denied for table t', { severity: 'ERROR', code: '42501' });
    expect(fromPostgres(error)).to.have.property('name', 'UnfitDatabase');
    expect(isBroken(error)).to.equal(false);
  });

  it('does not break the connection when only the statement is at fault', () => {
    for (const code of ['23505', '22021', '42601', '42P01', '57014', '40P01', '53100'])
      expect(isBroken(saying('bad', { code })), code).to.equal(false);
  });

  it('is whatever keeps a connection of PostgreSQL from coming', async () => {
    const connect = async (): Promise<never> => {
      throw saying('Something that nobody thought of');
    };
    const writer = new PostgresWriter({ connect } as unknown as pg.Pool);
    const write = writer.write([{ table: 't', columns: { id: 'text' }, rows: [['a']] }]);
    expect(isAway(await failure(write))).to.equal(true);
  });

  it('leaves one that is the fault of the data as it is', () => {
    for (const error of [saying('bad', { code: '22021' }), saying('bad', { code: '42601' }), saying('bad')])
      expect(fromPostgres(error)).to.equal(error);
    for (const error of [saying('bad', { code: 'SQLITE_ERROR' }), saying('bad')])
      expect(fromSqlite(error)).to.equal(error);
  });

  for (const code of ['SQLITE_NOMEM', 'SQLITE_PROTOCOL', 'SQLITE_INTERRUPT']) {
    it(`of SQLite is the store being away: ${code}`, () => {
      expect(isAway(fromSqlite(saying('bad', { code })))).to.equal(true);
    });
  }

  it('says that the disk is full where it is', () => {
    const full = [
      fromSqlite(saying('database or disk is full', { code: 'SQLITE_FULL' })),
      fromPostgres(saying('could not extend file', { code: '53100' })),
    ];
    expect(full.map(isAway)).to.deep.equal([true, true]);
    expect(full.map((error) => (error as Problem).message)).to.satisfy((said: string[]) =>
      said.every((text) => text.startsWith('The disk of the database is full.')),
    );
  });

  it('of SQLite includes a missing directory, for which the driver has no code', () => {
    const error = new TypeError('Cannot open database because the directory does not exist');
    expect(isAway(fromSqlite(error))).to.equal(true);
  });
});
