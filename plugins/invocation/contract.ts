import Type from 'typebox';
import {
  defineEvent,
  extensionPoint,
  problem,
  token,
  type BatchInsert,
  type UserPrincipal,
} from '../../core/index.ts';
import type { CallableVersion } from '../catalogue/contract.ts';

/** Asynchronous calls add `pending`, `running` and `canceled`. */
export type CallStatus = 'success' | 'failed' | 'pending' | 'running' | 'canceled';

/** Why a call failed (decisions.md, Calls). */
export type CallErrorCode =
  | 'upstream_unreachable'
  | 'upstream_timeout'
  | 'upstream_rejected'
  | 'upstream_error'
  | 'upstream_bad_response'
  | 'output_invalid'
  | 'egress_denied'
  | 'circuit_open'
  | 'canceled'
  | 'interrupted';

/** A call record as the API shows it. */
export interface CallRecord {
  readonly id: string;
  readonly status: CallStatus;
  readonly user_id: string;
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly input_data: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly output_data: Readonly<Record<string, unknown>> | null;
  /** Seconds spent on the endpoint. */
  readonly response_time: number;
  readonly error_message: string | null;
  readonly error_code: CallErrorCode | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Which door a call came through. */
export type CallDoor = 'direct' | 'gateway';

export interface CallRequest {
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly input_data: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface CallContext {
  readonly door: CallDoor;
  readonly requestId: string;
  readonly traceparent: string;
  /** Aborts when the client goes away: the endpoint is dropped, the record still written. */
  readonly signal: AbortSignal;
}

/** A call that passed every check and is about to be sent. */
export interface PreparedCall {
  readonly id: string;
  readonly principal: UserPrincipal;
  readonly request: CallRequest;
  readonly context: CallContext;
  readonly callable: CallableVersion;
  /** With defaults filled in: what the endpoint gets. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What came of asking an endpoint. */
export type CallOutcome =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>>; readonly seconds: number }
  | { readonly ok: false; readonly code: CallErrorCode; readonly message: string; readonly seconds: number };

/** Reaches the endpoints of some URL schemes. Fill `TRANSPORTS` to add one: `plugin:`, `grpc:`, … */
export interface Transport {
  /** Without colon. */
  readonly schemes: readonly string[];
  /** Throws `ValidationFailed` (pointer `/body/url`) for a URL that names nothing; called when a version is saved. */
  check(url: URL): void;
  /** Asks the endpoint within the deadline. Failures are outcomes, never exceptions. */
  send(call: PreparedCall, limits: TransportLimits): Promise<CallOutcome>;
}

export interface TransportLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export const TRANSPORTS = extensionPoint<Transport>('invocation:transports');

/** Stands around every call, whichever door it came through; asked in order. */
export interface CallGuard {
  readonly name: string;
  /** Throws a problem to refuse the call before anything is sent or recorded. Synchronous where possible. */
  admit?(call: PreparedCall): void | Promise<void>;
  /** Wraps the sending: limit, break, retry. Must answer an outcome. */
  around?(call: PreparedCall, send: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

export const CALL_GUARDS = extensionPoint<CallGuard>('invocation:call-guards');

/** A call that ended, as those who join its transaction see it. Plain values; times in milliseconds. */
export interface FinishedCall {
  readonly id: string;
  readonly door: CallDoor;
  readonly status: 'success' | 'failed' | 'canceled';
  readonly errorCode: CallErrorCode | null;
  readonly userId: string;
  readonly algorithmId: string;
  readonly versionId: string;
  readonly seconds: number;
  readonly createdAt: number;
}

/**
 * Adds rows to the very transaction that makes records durable. For counters and roll-ups, which must be exact.
 * A pure function from the calls that are committed together; merge rows with the same key.
 */
export interface RecordCompanion {
  readonly name: string;
  rowsFor(calls: readonly FinishedCall[]): readonly BatchInsert[];
}

export const RECORD_COMPANIONS = extensionPoint<RecordCompanion>('invocation:record-companions');

export interface Invoker {
  /**
   * Finds (404), judges the state (409) and the permission (403), completes and checks params and input (422), asks
   * the endpoint, stores the record and answers it once it is durable. A failed endpoint is a record, not an exception.
   */
  call(
    principal: UserPrincipal,
    request: CallRequest,
    context: CallContext,
  ): Promise<CallRecord>;
}

export const INVOKER = token<Invoker>('invocation:invoker');

export interface CallFilter {
  readonly userId?: string;
  readonly algorithmId?: string;
  readonly versionId?: string;
  readonly status?: string;
  /** Inclusive, milliseconds. */
  readonly from?: number;
  /** Exclusive, milliseconds. */
  readonly until?: number;
}

/** Reads what was recorded. */
export interface CallLog {
  find(id: string): Promise<CallRecord | undefined>;
  /** Newest first, ties by id. `before` is the id of the last entry of the page before. */
  list(filter: CallFilter, page: { skip: number; limit: number; before?: string }): Promise<readonly CallRecord[]>;
  count(filter: CallFilter): Promise<number>;
}

export const CALL_LOG = token<CallLog>('invocation:call-log');

/** Counts of calls that ended, kept exact in the transaction of the records. */
export interface CallTotals {
  readonly total_calls: number;
  readonly status_counts: Readonly<Record<string, number>>;
  /** Seconds, summed. */
  readonly total_response_time: number;
}

/** Figures from roll-ups; they cost the same at 10^2 and 10^7 records. */
export interface CallStatistics {
  /** All time, of one user or all, of one algorithm or all. */
  totals(of: { userId?: string; algorithmId?: string }): Promise<CallTotals>;
  /** The UTC days `from` to `to`, both included, as `YYYY-MM-DD`. */
  between(of: { userId?: string; algorithmId?: string }, from: string, to: string): Promise<CallTotals>;
}

export const CALL_STATISTICS = token<CallStatistics>('invocation:call-statistics');

export const CallNotFound = problem({
  code: 'call_not_found',
  status: 404,
  title: 'No such call',
  says: 'No call record of yours has this id.',
});

export const AlgorithmInactive = problem({
  code: 'algorithm_inactive',
  status: 409,
  title: 'The algorithm is inactive',
  says: 'The algorithm is shown but cannot be called until whoever manages it sets its status to active.',
});

export const callRecorded = defineEvent(
  'invocation:call-recorded',
  Type.Object({
    call_id: Type.String(),
    user_id: Type.String(),
    algorithm_id: Type.String(),
    version_id: Type.String(),
    status: Type.String(),
  }),
  'A call ended and its record is durable.',
);

