import { damaged, unavailable, withoutRoom } from '../unavailable.ts';
import {
  UnfitDatabase,
  ConstraintViolation,
  UniqueViolation,
  type ViolatedConstraint,
} from '../violations.ts';

/** An error of pg; an error of the server has a SQLSTATE of five characters as its code. */
interface DriverError {
  readonly code?: unknown;
  /** Set for errors of the operating system. */
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
  /** The function of the server that failed. */
  readonly routine?: unknown;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
  readonly constraint?: string;
}

/**
 * Codes and messages for failed connections: sockets, name resolution, exhausted file descriptors or ports, TLS, and the
 * messages of pg without a code.
 */
const NETWORK =
  /^(ECONN|EPIPE|EPROTO|ETIMEDOUT|ENOTFOUND|EAI_|EADDR|EHOST|ENET|ENOENT|EACCES|EPERM|EMFILE|ENFILE|ENOBUFS|ENOMEM|EIO$)/;
const SOCKET_OR_TLS =
  /^(ERR_(SSL|TLS|SOCKET|STREAM|OSSL)|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH)/;
const WITHOUT_CODE =
  /^(Connection terminated|Connection ended|Client (has encountered|was closed)|Query read timeout|timeout exceeded|Cannot use a pool after|timeout expired|SASL|The server does not support SSL|There was an error establishing an SSL)/;
/**
 * Connection, resources, operator intervention, system error; authentication, unknown database; a read-only session;
 * a transaction that was ended; and serialisation failures.
 */
const SQLSTATE_AWAY = /^(08|53|57|58|28|3D|25006|25P0[34]|40001|40P01|55P03|F0|XX)/;

/** Missing privilege, schema, table, column or function; a column of another type; a missing conflict key. */
const SQLSTATE_UNFIT = /^(42501|3F000|42P01|42703|42883|42804|42P10)$/;

export function sqlState(error: unknown): string {
  const { code, syscall } = (error ?? {}) as DriverError;
  if (typeof code !== 'string' || syscall !== undefined || NETWORK.test(code)) return '';
  return /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** Whether a retry may succeed: the transaction failed because of a concurrent one, and nothing was written. */
export function isLostRace(error: unknown): boolean {
  return sqlState(error) === '40P01' || sqlState(error) === '40001';
}

/**
 * Codes after which a connection must not be reused: it failed, its session is read-only, in an aborted transaction or at
 * an end, or its prepared statements do not fit the tables or the pooler any more.
 */
const SQLSTATE_BROKEN = /^(08|57P|XX|25006|25P|26000|42P05|0A000)/;

/** The functions of the server that refuse a session before its first statement. */
const REFUSES_SESSIONS = /^(InitPostgres|CheckMyDatabase)$/;

/**
 * Whether the server ended or refused the session, whatever the code: a refused connection may have that of a missing
 * privilege. The server translates severities, but not the names of its functions.
 */
function endedSession(error: unknown): boolean {
  const { severity, routine } = (error ?? {}) as DriverError;
  if (severity === 'FATAL' || severity === 'PANIC') return true;
  return typeof routine === 'string' && REFUSES_SESSIONS.test(routine);
}

/** Whether the connection must not be reused. */
export function isBroken(error: unknown): boolean {
  const state = sqlState(error);
  return endedSession(error) || state === '' || SQLSTATE_BROKEN.test(state);
}

/** Converts an error of the driver into one of the kernel; any other is returned unchanged. */
export function fromPostgres(error: unknown): unknown {
  const { code, message } = (error ?? {}) as DriverError;
  const where = violated(error as DriverError);
  switch (code) {
    case '23505':
      return new UniqueViolation(String(message), where, { cause: error });
    case '23514':
      // PostgreSQL uses the code of a rule also when no partition accepts the row.
      if (where.constraint === undefined) return new UnfitDatabase(String(message), { cause: error });
      return new ConstraintViolation(String(message), where, { cause: error });
    case '23502':
    case '23503':
      return new ConstraintViolation(String(message), where, { cause: error });
    case '53100':
      return withoutRoom(error);
    case 'XX001':
    case 'XX002':
      return damaged(error);
  }
  if (endedSession(error)) return unavailable(error);
  if (SQLSTATE_UNFIT.test(sqlState(error))) return new UnfitDatabase(String(message), { cause: error });
  return isAway((error ?? {}) as DriverError) ? unavailable(error) : error;
}

function isAway({ code, syscall, message }: DriverError): boolean {
  if (syscall !== undefined) return true;
  if (typeof code === 'string')
    return NETWORK.test(code) || SOCKET_OR_TLS.test(code) || SQLSTATE_AWAY.test(code);
  return typeof message === 'string' && WITHOUT_CODE.test(message);
}

/** Parses the columns of `Key (a, b)=(1, 2) already exists.`, in any language of the server. */
function violated(error: DriverError | null): ViolatedConstraint {
  const key = /\((.+?)\)=\(/.exec(error?.detail ?? '')?.[1];
  const columns = error?.column ? [error.column] : key?.split(', ').map((name) => name.replaceAll('"', ''));
  return { table: error?.table, columns, constraint: error?.constraint };
}
