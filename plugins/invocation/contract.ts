import {
  type BatchInsert,
  defineEvent,
  extensionPoint,
  Forbidden,
  jsonObject,
  named,
  nullable,
  problem,
  type Reply,
  type SqlValue,
  timestamp,
  token,
  type Transaction,
  Type,
  type UserPrincipal,
  defineRollup,
  type Rollup,
} from '../../core/index.ts';
import {
  AlgorithmNotCovered,
  AlgorithmNotFound,
  EXAMPLE_ALGORITHM_ID,
  EXAMPLE_VERSION_ID,
  SchemaTooCostly,
  VersionNotFound,
  type CallableVersion,
  type TrialCall,
} from '../catalogue/contract.ts';

export { AlgorithmNotCovered, demandCovered } from '../catalogue/contract.ts';

/** The status of a record: how the call ended, or that it still runs. */
export type CallStatus = 'success' | 'failed' | 'running';

/** Why calls fail. */
export const CALL_ERROR_CODES = [
  'upstream_unreachable',
  'upstream_timeout',
  'upstream_rejected',
  'upstream_error',
  'upstream_bad_response',
  'output_invalid',
  'egress_denied',
  'circuit_open',
  'canceled',
  'interrupted',
] as const;

/** Why a call failed. */
export type CallErrorCode = (typeof CALL_ERROR_CODES)[number];

/**
 * Whether a code means that the call ended before the endpoint answered because the client disconnected or this service
 * stopped or died. Such a code is no evidence about the endpoint.
 */
export function isGivenUp(code: string | null): boolean {
  return code === 'canceled' || code === 'interrupted';
}

/** The fields of a record that come from callers and endpoints. */
export type PayloadField = 'input_data' | 'params' | 'output_data';

/**
 * Why a record does not have a payload field unchanged. `expired`: retention deleted it. By the payload policy of the
 * algorithm, `redacted`: some values are masked; `hashed`: only a digest is stored; `dropped`: nothing is stored.
 */
export type PayloadState = 'expired' | 'redacted' | 'hashed' | 'dropped';

/** What records keep of a payload field: everything, everything except some values, a keyed digest, or nothing. */
export type PayloadMode = 'store' | 'redact' | 'hash' | 'drop';

/** What records keep of one payload field. */
export interface PayloadRule {
  readonly mode: PayloadMode;
  /** JSON pointers (RFC 6901) with `*` for every item or member; empty unless the mode is `redact`. */
  readonly pointers: readonly string[];
}

/** What the records of an algorithm keep. */
export type PayloadPolicy = Readonly<Record<PayloadField, PayloadRule>>;

const EXAMPLE_INPUT = { text: 'Wer reitet so spät durch Nacht und Wind?' };
const EXAMPLE_PARAMS = { max_candidates: 1 };

/** Stands for the id of a version: the choice of a guard, or else the default version of the algorithm. */
export const DEFAULT_VERSION = 'default';

/** The body of a call, through any channel. */
export const CallRequestBody = named(
  'AlgorithmCallRequest',
  Type.Object({
    algorithm_id: Type.String({ description: 'The algorithm to call.', examples: [EXAMPLE_ALGORITHM_ID] }),
    version_id: Type.String({
      description: 'Which of its versions; `default` is its default version.',
      examples: [EXAMPLE_VERSION_ID],
    }),
    input_data: jsonObject({
      description: 'What the version is given; its `input_schema` says what it accepts.',
      examples: [EXAMPLE_INPUT],
    }),
    params: Type.Optional(
      jsonObject({
        description: 'Parameters by name; defaults are filled in.',
        examples: [EXAMPLE_PARAMS],
      }),
    ),
  }),
);

const payloadState = Type.Optional(
  named(
    'PayloadState',
    Type.Unsafe<PayloadState>(
      Type.Enum(['expired', 'redacted', 'hashed', 'dropped'], {
        description:
          '`expired`: thrown away when it was old. By the payload policy of the algorithm: `redacted`, some values are ' +
          '`"[redacted]"`; `hashed`, null and a digest in `digests`; `dropped`, null.',
      }),
    ),
  ),
);
const payloadDigest = Type.Optional(
  Type.String({
    description: 'The digest of this field.',
    examples: [`hmac-sha256:${'0f'.repeat(32)}`],
  }),
);

const payloadNote = named(
  'PayloadNote',
  Type.Object(
    {
      input_data: payloadState,
      params: payloadState,
      output_data: payloadState,
      error_message: Type.Optional(
        Type.Enum(['redacted'], {
          description: '`redacted`: it says no more than the code, for it might have quoted the payload.',
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
  ),
);

const TEXT_OUTPUT = { language: 'de', name: 'German', reliable: true, candidates: [] };

const recordFields = {
  id: Type.String({ description: 'The identifier of the call.' }),
  user_id: Type.String({ description: 'The caller.' }),
  algorithm_id: Type.String({
    description: 'The algorithm that was called.',
    examples: [EXAMPLE_ALGORITHM_ID],
  }),
  version_id: Type.String({ description: 'The version that was called.', examples: [EXAMPLE_VERSION_ID] }),
  input_data: nullable(
    jsonObject({ description: 'What the caller sent; null when it is not kept.', examples: [EXAMPLE_INPUT] }),
  ),
  params: nullable(
    jsonObject({
      description:
        'What the caller sent, without defaults; `{}` when there was nothing, null when it is not kept.',
      examples: [EXAMPLE_PARAMS],
    }),
  ),
  response_time: Type.Number({ description: 'Seconds spent on the endpoint.', examples: [0.012] }),
  created_at: timestamp('When the call began.'),
  updated_at: timestamp('When the call ended; while it runs, when it began.'),
  request_id: Type.String({ description: 'The `X-Request-Id` of the request that called.' }),
  payload: Type.Optional(payloadNote),
};
const statusField = <S extends CallStatus>(status: S, description: string) =>
  Type.Unsafe<S>(Type.Enum([status], { description }));
const nothing = (description: string) => Type.Null({ description });

const Successful = named(
  'SuccessfulCall',
  Type.Object({
    ...recordFields,
    status: statusField('success', 'The endpoint answered.'),
    output_data: nullable(
      jsonObject({ description: 'The result; null when it is not kept.', examples: [TEXT_OUTPUT] }),
    ),
    error_message: nothing('Nothing went wrong.'),
    error_code: nothing('Nothing went wrong.'),
  }),
);
const Failed = named(
  'FailedCall',
  Type.Object({
    ...recordFields,
    status: statusField('failed', 'The endpoint gave no answer that can be used.'),
    output_data: nothing('There is no result.'),
    error_message: Type.String({
      description: 'What happened, and what a caller can do.',
      examples: ['The endpoint did not answer within 30 s.'],
    }),
    error_code: Type.Unsafe<CallErrorCode>(
      Type.Enum([...CALL_ERROR_CODES], { description: 'The same for programs.' }),
    ),
    retry_after: Type.Optional(
      Type.Integer({
        description:
          'Seconds after which the endpoint asked to be called again, by its `Retry-After`. Only where the endpoint named a time.',
        examples: [7],
      }),
    ),
  }),
);
const Running = named(
  'RunningCall',
  Type.Object({
    ...recordFields,
    status: statusField(
      'running',
      'The call has begun; calls are written at their beginning as a setting says.',
    ),
    output_data: nothing('There is no result yet.'),
    error_message: nothing('Nothing went wrong so far.'),
    error_code: nothing('Nothing went wrong so far.'),
  }),
);

/** A call record on the wire, in all answers: `status` tells which of its forms it has. */
export const CallRecordAnswer = named(
  'AlgorithmCallResult',
  Type.Unsafe<Type.Static<typeof Successful> | Type.Static<typeof Failed> | Type.Static<typeof Running>>({
    description: 'The record of a call. `status` says how it ended, or that it runs.',
    oneOf: [Successful, Failed, Running],
    discriminator: {
      propertyName: 'status',
      mapping: {
        success: '#/components/schemas/SuccessfulCall',
        failed: '#/components/schemas/FailedCall',
        running: '#/components/schemas/RunningCall',
      },
    },
  }),
);

/** A call record. Times are ISO 8601 text, `response_time` is in seconds. */
export type CallRecord = Readonly<Type.Static<typeof CallRecordAnswer>>;

/** Headers of the answer to a call that limits hold for, refused or not. */
const LIMIT_HEADERS = {
  'RateLimit-Policy': 'Each limit that holds for the caller: `"name";q=requests;w=seconds`.',
  RateLimit: 'What is left of each: `"name";r=requests;t=seconds`, `t` until the window ends.',
};

/** Headers of the answer to a call, through any channel. */
export const CALL_HEADERS = {
  'X-Call-Id': 'The `id` of the record.',
  'Server-Timing': '`upstream;dur=` and the milliseconds spent on the endpoint.',
  ...LIMIT_HEADERS,
  Deprecation: 'Only for a deprecated algorithm: `@` and when it was last changed, in seconds since 1970.',
};

/** How a call reached the service: `gateway` is `/gateway/call`, and `direct` any other way. */
export type CallChannel = 'direct' | 'gateway';

/** The body of a call. */
export type CallRequest = Readonly<Type.Static<typeof CallRequestBody>>;

/** Where a call came from. */
export interface CallContext {
  readonly channel: CallChannel;
  /** The IP address of the client. */
  readonly address: string;
  readonly requestId: string;
  readonly traceparent: string;
  /**
   * Aborts when the client disconnects, or, with a `Problem` as its reason, when the service stops and its deadline has
   * passed. A call whose endpoint was not asked yet then throws the reason, and leaves no record; otherwise the request to
   * the endpoint is cancelled, and the record is still written.
   */
  readonly signal: AbortSignal;
}

/** The context of a call that a request asks for. */
export function contextOf(
  { ip, id, traceparent, signal }: TrialCall['request'],
  channel: CallChannel,
): CallContext {
  return { channel, address: ip, requestId: id, traceparent, signal };
}

/** A call as it arrives, before anything is checked. */
export interface ReceivedCall {
  readonly principal: UserPrincipal;
  readonly request: CallRequest;
  readonly context: CallContext;
  /** Headers that guards add to the answer, whether it is the record or a refusal. */
  readonly answerHeaders: Record<string, string>;
}

/** A call that passed every check and is about to be sent. */
export interface PreparedCall extends ReceivedCall {
  readonly id: string;
  /** The version that is called; a guard may have chosen another one than `request` names. */
  readonly callable: CallableVersion;
  /** The params that the endpoint gets, with defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  /** `request.input_data` and `params` as JSON text, serialised once, for transports that send JSON. */
  readonly json: { readonly input: string; readonly params: string };
  /** Null when the record keeps everything. Otherwise logs must not contain input, params or output. */
  readonly payloadPolicy: PayloadPolicy | null;
}

/** The result of calling an endpoint. */
export type CallOutcome =
  | {
      readonly ok: true;
      readonly output: Readonly<Record<string, unknown>>;
      /** The answer that `output` was made of, where it is no object; an output schema may be one of such answers. */
      readonly answer?: unknown;
      readonly seconds: number;
    }
  | FailedOutcome;

/** Why a call failed. */
export interface FailedOutcome {
  readonly ok: false;
  readonly code: CallErrorCode;
  readonly message: string;
  readonly seconds: number;
  /** Whole seconds after which the endpoint asks to be called again, where it named a time. */
  readonly retryAfter?: number | undefined;
  /** A sentence that the message gets only where the caller manages the algorithm; it may tell about the network. */
  readonly reasonForManagers?: string | undefined;
  /** What the endpoint answered, if it did; for who tries a version, and in no record. */
  readonly answered?: { readonly status: number; readonly text: string } | undefined;
}

/** The outcome for an answer in JSON: an object is the output as it is, any other value as `{"result": value}`. */
export function outcomeOfAnswer(answer: unknown, seconds: number): CallOutcome {
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
  if (isObject) return { ok: true, output: answer as Record<string, unknown>, seconds };
  return { ok: true, output: { result: answer }, answer, seconds };
}

/** Calls the endpoints of some URL schemes. Contribute to `TRANSPORTS` to add one: `plugin:`, `grpc:`, … */
export interface Transport {
  /** The URL schemes, without the colon. */
  readonly schemes: readonly string[];
  /** Called when a version is saved. Throws `ValidationFailed` at `/body/url` for a URL that cannot be called. */
  check(url: URL): void;
  /** Calls the endpoint. A second after the deadline the call fails anyway. Failures are outcomes, not exceptions. */
  send(call: PreparedCall, limits: TransportLimits): Promise<CallOutcome>;
}

/** The limits of sending a call: a deadline in milliseconds, a size in bytes, and a signal that aborts it. */
export interface TransportLimits {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** A scheme of RFC 3986 in lower case. */
const SCHEME = /^[a-z][a-z0-9+.-]*$/;

export const TRANSPORTS = extensionPoint<Transport>('invocation:transports', {
  methods: ['check', 'send'],
  faultOf: ({ schemes }) =>
    Array.isArray(schemes) && schemes.every((scheme) => SCHEME.test(scheme))
      ? undefined
      : `has the schemes ${JSON.stringify(schemes)}; write a list of names in lower case, without the colon`,
  keysOf: ({ schemes }) => schemes,
});

/**
 * Stands around every call of any channel. Guards run in the order of their contribution, each step of all guards before
 * the next step. Return no promise where possible, since every call waits for it.
 */
export interface CallGuard {
  readonly name: string;
  /** Throws a problem to refuse the call before it is checked. Must be cheap and must reveal nothing of the algorithm. */
  receive?(call: ReceivedCall): void | Promise<void>;
  /** Chooses another version than the one in the request; `undefined` leaves it. The checks follow. */
  chooseVersion?(call: ReceivedCall): ChosenVersion | undefined | Promise<ChosenVersion | undefined>;
  /**
   * Throws a problem to refuse a call that passed every check. May return a function that takes back what the guard
   * spent; it is called when the call is refused afterwards, before its endpoint was asked, and the answer waits for it.
   */
  admit?(call: PreparedCall): Undo | void | Promise<Undo | void>;
  /** Wraps the sending, for instance to limit, break or retry. Must return an outcome. */
  around?(call: PreparedCall, send: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

/** The version that a guard chose for a call. */
export interface ChosenVersion {
  readonly versionId: string;
  /** Headers of the answer, unless the caller may not call the version and must not learn that it was chosen. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Takes back what a guard spent on a call that is refused after all. Must not throw. */
export type Undo = (refusal: unknown) => void | Promise<void>;

/** Filled by plugins that admit or limit calls. */
export const CALL_GUARDS = extensionPoint<CallGuard>('invocation:call-guards', {
  methods: ['receive?', 'chooseVersion?', 'admit?', 'around?'],
});

/** A call that ended, as record hooks see it: fields of its record, without what was sent and answered. */
export interface FinishedCall {
  readonly id: string;
  readonly channel: CallChannel;
  readonly status: 'success' | 'failed';
  readonly error_code: CallErrorCode | null;
  readonly user_id: string;
  readonly algorithm_id: string;
  readonly version_id: string;
  /** In seconds. */
  readonly response_time: number;
  /** In milliseconds since 1970. */
  readonly created_at: number;
}

/** Adds rows to the transaction that stores the records, for counters and roll-ups that must be exact. */
export interface RecordHook {
  readonly name: string;
  /**
   * The rows for the calls of one transaction: a pure function that merges rows with the same key. While the database
   * refuses these rows, the records are not stored either, and calls get 503.
   */
  rowsFor(calls: readonly FinishedCall[]): readonly BatchInsert[];
}

export const RECORD_HOOKS = extensionPoint<RecordHook>('invocation:record-hooks', { methods: ['rowsFor'] });

/** A call that left no record. */
export interface UnrecordedCall {
  /** The record that it would have. */
  readonly record: CallRecord;
  /** What the payload policy of the algorithm would have stored of that record. */
  readonly kept: CallRecord;
}

/** Calls algorithm versions, on behalf of an account. */
export interface Invoker {
  /**
   * Checks that the version exists (404), its state (409), the permission (403), params and input (422); then calls the
   * endpoint, stores the record, and returns it once it is durable. A failed endpoint is a record, not an exception.
   * Throws `StoreUnavailable` (503) before the endpoint is called while the database is known to be away, and after it
   * when the record was not stored in time; the spool then keeps the record until the database is back, or for the operator
   * where the database refuses it for good. The returned record is complete, whatever the payload policy of the algorithm
   * stores.
   */
  call(principal: UserPrincipal, request: CallRequest, context: CallContext): Promise<CallRecord>;
  /** As `call`, but returns the answer of a route: the record as bytes, and the headers of `CALL_HEADERS`. */
  answer(principal: UserPrincipal, request: CallRequest, context: CallContext): Promise<Reply<never>>;
  /**
   * As `call`, but leaves no trace: no guard sees it, so that it uses up no limit and moves no circuit, and it is neither
   * recorded nor counted. For plugins that find out whether an endpoint works; a request of a caller is a `call`.
   */
  callUnrecorded(
    principal: UserPrincipal,
    request: CallRequest,
    context: CallContext,
  ): Promise<UnrecordedCall>;
  /**
   * The first checks of a call, without calling: throws what a call of the version by the account would be refused with
   * because of the version (404), its state (409) or the permission (403).
   */
  check(principal: UserPrincipal, algorithmId: string, versionId: string): Promise<void>;
}

export const INVOKER = token<Invoker>('invocation:invoker');

/** Selects calls. A field that is left out does not restrict the selection. */
export interface CallFilter {
  readonly userId?: string | undefined;
  readonly algorithmId?: string | undefined;
  readonly status?: string | undefined;
  /** Inclusive, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Exclusive, in milliseconds since 1970. */
  readonly until?: number | undefined;
}

/** A record as its owner and its JSON text, for answers that need no parsed record. */
export interface CallEntry {
  readonly id: string;
  readonly user_id: string;
  readonly algorithm_id: string;
  /** The JSON text of a `CallRecordAnswer`. */
  readonly json: string;
}

/** A page of the log. `before` is the id of the last entry of the page before. */
export interface CallPage {
  readonly skip: number;
  readonly limit: number;
  readonly before?: string | undefined;
}

/** The entries of a page that fit into memory: at least one unless the page is empty. */
export interface CallEntries {
  readonly entries: readonly CallEntry[];
  /** Whether the page continues after the last entry. */
  readonly isCut: boolean;
}

/** Reads records, newest first, which is by descending id. */
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

/** Totals of calls that ended. They are exact, because the transaction of the records updates them. */
export interface CallTotals {
  readonly total_calls: number;
  readonly status_counts: Readonly<Record<string, number>>;
  /** The sum of the response times, in seconds. */
  readonly total_response_time: number;
}

/** Which calls are counted: those of one user or of all users, and of one algorithm or of all algorithms. */
export interface CallScope {
  readonly userId?: string | undefined;
  readonly algorithmId?: string | undefined;
}

/** What was called of one algorithm. */
export interface AlgorithmTotals {
  readonly algorithm_id: string;
  readonly total_calls: number;
  readonly success_calls: number;
  /** The sum of the response times, in seconds. */
  readonly total_response_time: number;
}

/** Figures from roll-ups, whose cost does not grow with the records. A call counts on the UTC day on which it began. */
export interface CallStatistics {
  /** All time. */
  totals(of: CallScope): Promise<CallTotals>;
  /** The UTC days `from` to `to`, both included, as `YYYY-MM-DD`. */
  between(of: CallScope, from: string, to: string): Promise<CallTotals>;
  /** What a user called, of all time or of UTC days: the `limit` algorithms with the most calls, the most first. */
  byAlgorithm(
    userId: string,
    limit: number,
    days?: { readonly from: string; readonly to: string },
  ): Promise<readonly AlgorithmTotals[]>;
  /** How many calls of an algorithm failed with each error code on the UTC days `from` to `to`, both included. */
  errors(algorithmId: string, from: string, to: string): Promise<Readonly<Record<string, number>>>;
}

/** The statistics of calls. */
export const CALL_STATISTICS = token<CallStatistics>('invocation:call-statistics');

const date = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

/** What a point of a series covers, in UTC; the shortest first. */
export const SERIES_BUCKETS = ['minute', 'hour', 'day'] as const;
/** One of them. */
export type SeriesBucket = (typeof SERIES_BUCKETS)[number];

/** The query of a series of calls. */
export const SeriesQuery = Type.Object(
  {
    bucket: Type.Unsafe<SeriesBucket>(
      Type.Enum([...SERIES_BUCKETS], {
        default: 'day',
        description:
          'What a point covers, in UTC. Minutes are kept for 48 hours, hours for 60 days, and days for ever.',
      }),
    ),
    start_date: date(
      'The first point is the one that has this date or date-time (UTC unless it has an offset). Without it there are 30 days, 48 hours or 60 minutes.',
    ),
    end_date: date(
      'The last point is the one that has this date (its end) or date-time; by default the present one.',
    ),
    algorithm_id: Type.Optional(Type.String({ description: 'Only calls of this algorithm.' })),
    version_id: Type.Optional(
      Type.String({ description: 'Only calls of this version; `algorithm_id` must be named as well.' }),
    ),
    status: Type.Optional(Type.String({ description: 'Only calls with this status, such as `failed`.' })),
  },
  { additionalProperties: false },
);
/** What a series of calls is asked for. */
export type SeriesQuery = Type.Static<typeof SeriesQuery>;

const counted = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const seconds = (description: string, example: number) =>
  nullable(Type.Number({ minimum: 0, description, examples: [example] }));

const figures = {
  success: counted('Calls with the status `success`.', 3),
  failed: counted('Calls with the status `failed`.', 1),
  p50: seconds(
    'Half of the calls took at most this `response_time`, in seconds; null without calls.',
    0.0106,
  ),
  p95: seconds('As `p50` for 95 % of the calls.', 0.0447),
  average: seconds('The mean of `response_time` in seconds; null without calls.', 0.012),
  errors: Type.Optional(
    Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
      description: 'How many calls failed with each `error_code`; absent without one.',
      examples: [{ upstream_timeout: 1 }],
    }),
  ),
};
const CallFigures = named('CallFigures', Type.Object(figures, { description: 'Of all points together.' }));
/** How calls ended and how long they took. */
export type CallFigures = Type.Static<typeof CallFigures>;

const SeriesPoint = Type.Object({
  at: timestamp('When the minute, the hour or the day begins.'),
  ...figures,
});

/** A series of calls on the wire. */
export const CallSeriesAnswer = named(
  'CallSeries',
  Type.Object({
    bucket: Type.Unsafe<SeriesBucket>(
      Type.Enum([...SERIES_BUCKETS], { description: 'What a point covers.', examples: ['day'] }),
    ),
    start: timestamp('When the first point begins.'),
    end: timestamp('When the last point ends; it does not belong to the series.'),
    points: Type.Array(SeriesPoint, {
      description:
        'One for each minute, hour or day, the oldest first, also where nothing was called. A call counts where it began. ' +
        '`p50` and `p95` come from a histogram and are within 10 % of the exact value, or within a millisecond below one.',
    }),
    total: CallFigures,
  }),
);
/** A series of calls. Times are ISO 8601 text, response times are in seconds. */
export type CallSeriesAnswer = Type.Static<typeof CallSeriesAnswer>;

/** Counts and response times of calls over time, from roll-ups: the cost does not grow with the records. */
export interface CallSeries {
  /**
   * The series of one user, or of all users. Throws `ValidationFailed` for dates that cannot be read, a series of too
   * many points, points that are kept no longer, and a version without its algorithm.
   */
  of(userId: string | undefined, query: SeriesQuery): Promise<CallSeriesAnswer>;
  /** Who called most in the time of a query, the busiest first. Throws as `of` does. */
  callers(query: SeriesQuery, limit: number): Promise<BusiestCallers>;
}

/** Who called most. */
export interface BusiestCallers {
  /** When the time begins and ends, in milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly callers: readonly CallerTotals[];
}

/** The calls of a user. */
export interface CallerTotals {
  readonly userId: string;
  readonly calls: number;
  readonly successes: number;
  /** The mean of the response times, in seconds. */
  readonly average: number;
}

/** Defines a roll-up that has a sum for each minute, hour and day; `TIME_ROLLUPS` keeps it. */
export function defineTimeRollup(definition: Parameters<typeof defineRollup>[0]): Rollup {
  const rollup = defineRollup({
    ...definition,
    key: { ...definition.key, bucket: 'text', begins_at: 'integer' },
  });
  const createTable: Rollup['createTable'] = async (trx, engine) => {
    await rollup.createTable(trx, engine);
    await indexExpiringPoints(trx, rollup.table);
  };
  return { ...rollup, createTable };
}

/** Creates the indexes that find expired minutes and hours. */
export async function indexExpiringPoints(trx: Transaction, table: string): Promise<void> {
  for (const bucket of ['minute', 'hour']) {
    await trx.raw(`CREATE INDEX ${table}_${bucket}s ON ${table} (begins_at) WHERE bucket = '${bucket}'`);
  }
}

/** A roll-up over time of another plugin, in the points of the series of calls, which are kept as long as those. */
export interface TimeRollup {
  /**
   * The rows for the minute, hour and day of each time. A row is the time (milliseconds since 1970), then the key without
   * `bucket` and `begins_at`, then the sums and latest values.
   */
  append(rows: readonly (readonly [time: number, ...values: SqlValue[]])[]): BatchInsert;
}

/** The points of a query, whose times are in milliseconds since 1970. */
export interface SeriesRange {
  readonly start: number;
  /** When the last point ends. */
  readonly end: number;
  /** When each of them begins. */
  readonly begins: readonly number[];
}

/** Lets plugins keep series of their own beside those of calls. */
export interface TimeRollups {
  /** Keeps a roll-up that was defined by `defineTimeRollup`. */
  keep(rollup: Rollup): TimeRollup;
  /** The points that a query asks for. Throws as `CallSeries` does. */
  rangeOf(query: Pick<SeriesQuery, 'bucket' | 'start_date' | 'end_date'>): SeriesRange;
}

export const TIME_ROLLUPS = token<TimeRollups>('invocation:time-rollups');

/**
 * Roll-ups of other plugins, which this plugin folds. Of those that `defineTimeRollup` made it also deletes the minutes
 * and hours that are kept no longer.
 */
export const ROLLUPS = extensionPoint<Rollup>('invocation:rollups', { keysOf: ({ table }) => [table] });

/** What waits to be stored. */
export interface RecordBacklog {
  /** As it is now. */
  readonly state: {
    /** Records of ended calls that wait for a transaction. */
    readonly waiting: number;
    /** Batches of records that the database did not take. */
    readonly spooled: number;
  };
}

export const RECORD_BACKLOG = token<RecordBacklog>('invocation:record-backlog');

/** The series of calls. */
export const CALL_SERIES = token<CallSeries>('invocation:call-series');

/** 404: no record with the id, or one of another user. */
export const CallNotFound = problem({
  code: 'call_not_found',
  status: 404,
  title: 'No such call',
  description: 'No call record of yours has this id.',
});

/** 409: the algorithm cannot be called now. */
export const AlgorithmInactive = problem({
  code: 'algorithm_inactive',
  status: 409,
  title: 'The algorithm is inactive',
  description:
    'The algorithm is shown but cannot be called until a manager of the algorithm sets its status to active.',
});

/** 403: how a guard refuses a call because of a rule about its caller or its algorithm. */
export const Blocked = problem({
  code: 'blocked',
  status: 403,
  title: 'Blocked by a rule of the gateway',
  description:
    'An administrator blocked this user, key, network or algorithm. `reason` says why, `blocked_until` until when.',
  members: {
    reason: Type.String({ description: 'Why, in the words of the administrator.' }),
    blocked_until: nullable(timestamp('When the block ends by itself; null: when it is lifted.')),
    block_id: Type.String({ description: 'The rule, for administrators.' }),
  },
});

/** 429: how a guard refuses a call beyond a limit of requests in time. */
export const RateLimited = problem({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  description: 'The limit of requests within a window is used up. Try again after `Retry-After` seconds.',
  members: {
    policy_id: nullable(Type.String({ description: 'The policy that sets the limit; null for a setting.' })),
  },
  headers: LIMIT_HEADERS,
});

/** 429: how a guard refuses a call beyond a limit of calls at once. */
export const ConcurrencyLimited = problem({
  code: 'concurrency_limited',
  status: 429,
  title: 'Too many calls at once',
  description:
    'As many calls of the version, or by a policy of its algorithm, as allowed are under way, and the queue is full. Try again after `Retry-After` seconds.',
  headers: LIMIT_HEADERS,
});

/** The problems of an operation that calls, through any channel. */
export const CALL_PROBLEMS: readonly ReturnType<typeof problem>[] = [
  AlgorithmNotFound,
  AlgorithmNotCovered,
  VersionNotFound,
  AlgorithmInactive,
  Forbidden,
  SchemaTooCostly,
  Blocked,
  RateLimited,
  ConcurrencyLimited,
];

/** Emitted when a call has ended and its record is durable. */
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
