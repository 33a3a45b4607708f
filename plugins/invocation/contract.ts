import {
  type BatchInsert,
  defineEvent,
  extensionPoint,
  jsonObject,
  named,
  nullable,
  problem,
  type Reply,
  type Static,
  timestamp,
  token,
  Type,
  type UserPrincipal,
} from '../../core/index.ts';
import type { CallableVersion } from '../catalogue/contract.ts';

/** Asynchronous calls add `pending`, `running` and `canceled`. */
export type CallStatus = 'success' | 'failed' | 'pending' | 'running' | 'canceled';

/** Why a call failed. */
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

/** Says nothing about the endpoint: the client went away, or this service stopped or died, before it answered. */
export function isGivenUp(code: string | null): boolean {
  return code === 'canceled' || code === 'interrupted';
}

/** The parts of a record that callers and endpoints wrote. */
export type PayloadField = 'input_data' | 'params' | 'output_data';

/**
 * Why a record does not hold such a part as it was: it was thrown away when it was old, or the policy of the algorithm
 * kept some places of it, all of it but a digest, or all of it out.
 */
export type PayloadState = 'expired' | 'redacted' | 'hashed' | 'dropped';

/** What records keep of a part: everything, everything but some places, a keyed digest, or nothing. */
export type PayloadMode = 'store' | 'redact' | 'hash' | 'drop';

/** What becomes of one part of the records. */
export interface PayloadRule {
  readonly mode: PayloadMode;
  /** JSON pointers (RFC 6901) with `*` for every item or member; empty unless the mode is `redact`. */
  readonly pointers: readonly string[];
}

/** What the records of an algorithm keep. */
export type PayloadPolicy = Readonly<Record<PayloadField, PayloadRule>>;

/** The body of a call, whichever way it comes. */
export const CallRequestBody = named(
  'AlgorithmCallRequest',
  Type.Object({
    algorithm_id: Type.String(),
    version_id: Type.String(),
    input_data: jsonObject({
      description: 'What the version is given; its `input_schema` says what it accepts.',
    }),
    params: Type.Optional(jsonObject({ description: 'Parameters by name; defaults are filled in.' })),
  }),
);

const payloadState = Type.Optional(
  Type.Unsafe<PayloadState>(
    Type.String({
      description:
        '`expired`: thrown away when it was old. By the payload policy of the algorithm: `redacted`, some values are ' +
        '`"[redacted]"`; `hashed`, null and a digest in `digests`; `dropped`, null.',
      examples: ['expired', 'redacted', 'hashed', 'dropped'],
    }),
  ),
);
const payloadDigest = Type.Optional(Type.String({ examples: [`hmac-sha256:${'0f'.repeat(32)}`] }));

const payloadNote = Type.Object(
  {
    input_data: payloadState,
    params: payloadState,
    output_data: payloadState,
    error_message: Type.Optional(
      Type.String({
        description: '`redacted`: it says no more than the code, for it might have quoted the payload.',
        examples: ['redacted'],
      }),
    ),
    digests: Type.Optional(
      Type.Object(
        { input_data: payloadDigest, params: payloadDigest, output_data: payloadDigest },
        { description: 'Of what is `hashed`: equal for equal JSON, whatever the order of its names.' },
      ),
    ),
  },
  {
    description:
      'What the record does not hold as it was, by field. Absent when it holds everything. The answer of the ' +
      'call itself always has everything.',
  },
);

/** A call record on the wire, wherever one is answered. */
export const CallRecordAnswer = named(
  'AlgorithmCallResult',
  Type.Object({
    id: Type.String(),
    status: Type.Unsafe<CallStatus>(
      Type.String({
        description: '`success` or `failed`; `running` until then, where calls are written before they end.',
        examples: ['success'],
      }),
    ),
    user_id: Type.String({ description: 'The caller.' }),
    algorithm_id: Type.String(),
    version_id: Type.String(),
    input_data: nullable(jsonObject({ description: 'What the caller sent; null when it is not kept.' })),
    params: nullable(
      jsonObject({
        description:
          'What the caller sent, without defaults; `{}` when there was nothing, null when it is not kept.',
      }),
    ),
    output_data: nullable(jsonObject({ description: 'The result; null when the call failed.' })),
    response_time: Type.Number({ description: 'Seconds spent on the endpoint.' }),
    error_message: nullable(Type.String({ description: 'What happened; null when the call succeeded.' })),
    error_code: nullable(
      Type.Unsafe<CallErrorCode>(
        Type.String({
          description: 'The same for programs; null when the call succeeded.',
          examples: ['upstream_timeout'],
        }),
      ),
    ),
    created_at: timestamp('When the call began.'),
    updated_at: timestamp('When the call ended.'),
    payload: Type.Optional(payloadNote),
  }),
);

/** A call record. Times are ISO 8601 text, `response_time` is in seconds. */
export type CallRecord = Readonly<Static<typeof CallRecordAnswer>>;

/** Headers of the answer to a call, whichever way it came. */
export const CALL_HEADERS = {
  'X-Call-Id': 'The `id` of the record.',
  'Server-Timing': '`upstream;dur=` and the milliseconds spent on the endpoint.',
  Deprecation: 'Only for a deprecated algorithm: `@` and when it was last changed, in seconds since 1970.',
};

/** Which way a call came. */
export type CallChannel = 'direct' | 'gateway';

/** The body of a call. */
export type CallRequest = Readonly<Static<typeof CallRequestBody>>;

/** Where a call came from. */
export interface CallContext {
  readonly channel: CallChannel;
  readonly requestId: string;
  readonly traceparent: string;
  /**
   * Aborts when the client goes away, or, with a `Problem` as the reason, when the service stops and waits no longer: the
   * endpoint is dropped, the record still written.
   */
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
  /** `request.input_data` and `params` as JSON text, written once: for transports that send JSON. */
  readonly json: { readonly input: string; readonly params: string };
  /** Null when the record keeps everything. Otherwise nothing that is logged may quote input, params or output. */
  readonly payloadPolicy: PayloadPolicy | null;
}

/** What came of asking an endpoint. */
export type CallOutcome =
  | { readonly ok: true; readonly output: Readonly<Record<string, unknown>>; readonly seconds: number }
  | { readonly ok: false; readonly code: CallErrorCode; readonly message: string; readonly seconds: number };

/** The output that an answer means: a JSON object is the output, any other value is its `result`. */
export function outputOf(answer: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  return isObject ? (answer as Record<string, unknown>) : { result: answer };
}

/** Reaches the endpoints of some URL schemes. Fill `TRANSPORTS` to add one: `plugin:`, `grpc:`, … */
export interface Transport {
  /** Without colon. */
  readonly schemes: readonly string[];
  /** Throws `ValidationFailed` (pointer `/body/url`) for a URL that names nothing; called when a version is saved. */
  check(url: URL): void;
  /** Asks the endpoint within the deadline; a second later the call fails. Failures are outcomes, never exceptions. */
  send(call: PreparedCall, limits: TransportLimits): Promise<CallOutcome>;
}

/** The bounds within which an answer must come: milliseconds, bytes, and a signal that ends it. */
export interface TransportLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

export const TRANSPORTS = extensionPoint<Transport>('invocation:transports');

/** Stands around every call, whichever way it came; asked in order. */
export interface CallGuard {
  readonly name: string;
  /** Throws a problem to refuse the call before anything is sent or recorded. Synchronous where possible. */
  admit?(call: PreparedCall): void | Promise<void>;
  /** Wraps the sending: limit, break, retry. Must answer an outcome. */
  around?(call: PreparedCall, send: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

export const CALL_GUARDS = extensionPoint<CallGuard>('invocation:call-guards');

/** A call that ended, as the record hooks see it. Plain values; times in milliseconds. */
export interface FinishedCall {
  readonly id: string;
  readonly channel: CallChannel;
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
export interface RecordHook {
  readonly name: string;
  /** While the database refuses these rows, the records are not stored either, and calls get 503. */
  rowsFor(calls: readonly FinishedCall[]): readonly BatchInsert[];
}

export const RECORD_HOOKS = extensionPoint<RecordHook>('invocation:record-hooks');

/** Calls algorithm versions, on behalf of an account. */
export interface Invoker {
  /**
   * Finds (404), judges the state (409) and the permission (403), completes and checks params and input (422), asks
   * the endpoint, stores the record and answers it once it is durable. A failed endpoint is a record, not an exception.
   * Throws `StoreUnavailable` (503) before the endpoint is asked when the store is known to be away, and after it when
   * the record could not be stored in time; such a record is kept aside and stored later. What is answered is whole,
   * whatever the payload policy of the algorithm keeps of it.
   */
  call(principal: UserPrincipal, request: CallRequest, context: CallContext): Promise<CallRecord>;
  /** The same as the answer of a route: the record as bytes, with `X-Call-Id` and, where due, `Deprecation`. */
  answer(principal: UserPrincipal, request: CallRequest, context: CallContext): Promise<Reply<never>>;
}

export const INVOKER = token<Invoker>('invocation:invoker');

/** Which calls are meant; what is left out does not narrow. */
export interface CallFilter {
  readonly userId?: string | undefined;
  readonly algorithmId?: string | undefined;
  readonly status?: string | undefined;
  /** Inclusive, milliseconds. */
  readonly from?: number | undefined;
  /** Exclusive, milliseconds. */
  readonly until?: number | undefined;
}

/** A record as it is stored: its owner, and its JSON text, which can be answered without being parsed. */
export interface CallEntry {
  readonly id: string;
  readonly user_id: string;
  /** A `CallRecordAnswer`. */
  readonly json: string;
}

/** A page of the log. `before` is the id of the last entry of the page before. */
export interface CallPage {
  readonly skip: number;
  readonly limit: number;
  readonly before?: string | undefined;
}

/** As much of a page as one answer can hold in memory: at least one entry, when there is one. */
export interface CallEntries {
  readonly entries: readonly CallEntry[];
  /** The page goes on after the last of these. */
  readonly isCut: boolean;
}

/** Reads what was recorded; newest first, that is by descending id. */
export interface CallLog {
  find(id: string): Promise<CallRecord | undefined>;
  list(filter: CallFilter, page: CallPage): Promise<readonly CallRecord[]>;
  count(filter: CallFilter): Promise<number>;
  /** `find` without parsing. */
  entry(id: string): Promise<CallEntry | undefined>;
  /** `list` without parsing, cut short when the records are large. */
  entries(filter: CallFilter, page: CallPage): Promise<CallEntries>;
}

export const CALL_LOG = token<CallLog>('invocation:call-log');

/** Counts of calls that ended, kept exact in the transaction of the records. */
export interface CallTotals {
  readonly total_calls: number;
  readonly status_counts: Readonly<Record<string, number>>;
  /** Seconds, summed. */
  readonly total_response_time: number;
}

/** Whose calls are counted: one user's or everybody's, of one algorithm or all. */
export interface CallScope {
  readonly userId?: string | undefined;
  readonly algorithmId?: string | undefined;
}

/** Figures from roll-ups; they cost the same at 10^2 and 10^7 records. A call counts on the UTC day it began. */
export interface CallStatistics {
  /** All time. */
  totals(of: CallScope): Promise<CallTotals>;
  /** The UTC days `from` to `to`, both included, as `YYYY-MM-DD`. */
  between(of: CallScope, from: string, to: string): Promise<CallTotals>;
  /** How many calls of an algorithm failed with each code on these days. */
  errors(algorithmId: string, from: string, to: string): Promise<Readonly<Record<string, number>>>;
}

export const CALL_STATISTICS = token<CallStatistics>('invocation:call-statistics');

export const CallNotFound = problem({
  code: 'call_not_found',
  status: 404,
  title: 'No such call',
  description: 'No call record of yours has this id.',
});

export const AlgorithmInactive = problem({
  code: 'algorithm_inactive',
  status: 409,
  title: 'The algorithm is inactive',
  description:
    'The algorithm is shown but cannot be called until a manager of the algorithm sets its status to active.',
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
