import type { Static, TSchema } from 'typebox';
import type { Readable } from 'node:stream';
import type { AccessRule } from '../../auth/access-rule.ts';
import type { Anonymous, Principal, UserPrincipal } from '../../auth/principal.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Dependencies, Resolved } from '../../di/token.ts';
import type { ProblemType } from '../../errors/problem.ts';
import { brand } from '../../support/brand.ts';
import type { TaggedBytes } from '../tagged-bytes.ts';

/** A file of a form (`multipart/form-data`), stored in the directory for temporary files. */
export interface UploadedFile {
  /** The name of its field in the form. */
  readonly field: string;
  /** The file name that the client sent, or empty. Never use it in a path. */
  readonly name: string;
  /** The media type that the client sent. */
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  readonly path: string;
}

/** How many files a route takes, and how large. */
export interface FileLimits {
  readonly maxCount: number;
  /** The limit of each file in bytes. */
  readonly maxBytes: number;
}

/** Methods of routes. GET answers HEAD too. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler may know of the request besides its validated input. */
export interface RequestInfo {
  /** Returned as `X-Request-Id` and contained in every log line and problem. */
  readonly id: string;
  /** The client's address; through trusted proxies when `TRUST_PROXY` says so. */
  readonly ip: string;
  /** As the client sent it, without the query. */
  readonly path: string;
  /**
   * The address of the service as this client reaches it, with a slash at its end: `PUBLIC_URL`, or else the scheme and
   * `Host` of the request, and then what the base path has before its `/api/v1`.
   */
  readonly publicUrl: URL;
  /** W3C trace context for outgoing requests. */
  readonly traceparent: string;
  /** Aborts when the client disconnects, and with a `Problem` as the reason when the service stops without further waiting. */
  readonly signal: AbortSignal;
  /** Aborts when the service begins to stop, for answers that would go on until the client leaves: they end then. */
  readonly stopping: AbortSignal;
  header(name: string): string | undefined;
}

type ParameterNames<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type ValueOf<S> = S extends TSchema ? Static<S> : undefined;
type PrincipalFor<A> = A extends 'anonymous' ? Anonymous : A extends 'public' ? Principal : UserPrincipal;

/** What a handler is called with. */
export interface RouteInput<A, P extends string, Q, B> {
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<ParameterNames<P>, string>>;
  readonly query: ValueOf<Q>;
  /** Validated; only the declared fields. */
  readonly body: ValueOf<B>;
  /** The uploaded files; empty on routes that declare no `files`. They are removed when the handler has finished. */
  readonly files: readonly UploadedFile[];
  readonly principal: PrincipalFor<A>;
  readonly request: RequestInfo;
  /**
   * Authenticates and authorises the request once more, for answers that go on for long: the session may have ended.
   * Throws as at the beginning.
   */
  readonly admitAgain: () => Promise<PrincipalFor<A>>;
}

/** What an answer has beside its content. */
interface ReplyOptions {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many entries a list has on all pages, unless its value says so. */
  readonly total?: number | undefined;
  /** The cursor of the next page of a list, unless its value says so. */
  readonly nextCursor?: string | undefined;
}

/** Bytes or text in the declared form, written unchanged. */
type ReplyContent = string | Buffer | Readable;

/** An answer with more than a value: another status (202), headers, or bytes that are already serialised. */
export class Reply<T = unknown> {
  static {
    brand(this, 'Reply');
  }

  readonly value: T | undefined;
  readonly bytes: ReplyContent | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly total: number | undefined;
  readonly nextCursor: string | undefined;

  constructor(content: { readonly value?: T; readonly bytes?: ReplyContent }, options: ReplyOptions) {
    this.value = content.value;
    this.bytes = content.bytes;
    this.status = options.status ?? 200;
    this.headers = options.headers ?? {};
    this.total = options.total;
    this.nextCursor = options.nextCursor;
  }
}

/** Answers a value with headers or another status, or one page of a list that has `total` entries. */
export function reply<T>(value: T, options: ReplyOptions = {}): Reply<T> {
  return new Reply({ value }, options);
}

/** As `reply`, for content that is already serialised: cached JSON, with or without its tag from `tagBytes`, a page, a download. */
export function replyBytes(content: ReplyContent | TaggedBytes, options: ReplyOptions = {}): Reply<never> {
  if (typeof content !== 'object' || !('etag' in content))
    return new Reply<never>({ bytes: content }, options);
  const { bytes, etag, total } = content;
  const headers = { 'Cache-Control': 'no-cache', ...options.headers, ETag: etag };
  return new Reply<never>({ bytes }, { total, ...options, headers });
}

/** An answer that is not JSON; the handler returns `replyBytes`. */
export interface RawContent {
  readonly kind: 'raw';
  readonly contentType: string;
  /** The types of other forms, which the handler sets. */
  readonly otherTypes: readonly string[];
}

/** Declares an answer of a type that is not JSON, or of one of several; the first one is sent unless the handler sets another. */
export function rawContent(contentType: string, ...otherTypes: readonly string[]): RawContent {
  return { kind: 'raw', contentType, otherTypes };
}

/** Whether a route answers something other than JSON. */
export function isRaw(answers: TSchema | RawContent): answers is RawContent {
  return (answers as { kind?: unknown }).kind === 'raw';
}

/** A parameter of a path, in words. */
export interface PathParameter {
  readonly description: string;
  /** An id that exists on a service that was just started; none where such an id cannot be known. */
  readonly example?: string;
}

type AnswerValue<R> = R extends TSchema ? Static<R> : string;
type AnswerOf<R> = R extends TSchema ? Static<R> | Reply<Static<R>> | Reply<never> : Reply<never>;

/** One operation: everything about it but the handler is data. */
export interface RouteDefinition<
  A extends AccessRule,
  P extends string,
  Q extends TSchema | undefined,
  B extends TSchema | undefined,
  R extends TSchema | RawContent,
  D extends Dependencies,
> {
  readonly method: Method;
  /** Relative to `{base_url}`, parameters in braces: `/algorithms/{algorithm_id}`. */
  readonly path: P;
  /** `true` for a path beside the `/api/v1` of `{base_url}`: `/docs`. */
  readonly atRoot?: boolean;
  /** Stable name for clients, camelCase: `listAlgorithms`. */
  readonly operationId: string;
  /** One line. */
  readonly summary: string;
  /** What the summary leaves out: conditions, effects, limits. */
  readonly description?: string;
  /** What each parameter of the path is, for the OpenAPI document. */
  readonly parameters?: Readonly<Partial<Record<ParameterNames<P>, PathParameter>>>;
  /**
   * Examples for the OpenAPI document where those of the schemas (their keyword `examples`) do not fit this operation.
   * What an example asks for should work on a service that was just started.
   */
  readonly example?: { readonly body?: ValueOf<B>; readonly answer?: AnswerValue<R> };
  /** Which users may call the operation; there is no default. */
  readonly access: A;
  /** The scope that an API key restricted to scopes needs; by default `read` for GET and `manage` for other methods. */
  readonly scope?: Scope;
  /**
   * Whether the operation keeps to the `resources` of a principal, so that credentials that are restricted to some may use
   * it. By default it is refused to them, unless its access is `public`, where the handler must keep to them as well.
   */
  readonly heedsResources?: boolean;
  /** An object schema; values are coerced, blank ones are not given; unknown names are refused, but for `_` and `utm_…`. */
  readonly query?: Q;
  /**
   * Checked strictly; unknown top-level fields are dropped. An optional field that is null is not given, unless its schema
   * has null. A text with `format: 'name'` is trimmed, in one line, and has no invisible characters.
   */
  readonly body?: B;
  /** The limit of the body: by default `standard` is 1 MiB and `large` 8 MiB. */
  readonly bodyLimit?: 'standard' | 'large';
  /**
   * Fields of the body that hold JSON Schemas or parameters. Their bounds (`maximum`, `min`, …) may be whole numbers that
   * no double holds, such as those of 64 bits, and are rounded outward; such numbers are refused anywhere else.
   */
  readonly boundsIn?: readonly string[];
  /**
   * Accepts a form (`multipart/form-data`) instead of JSON, with at most these files. Its text fields are the `body`: a
   * string each, or a list of strings where a field is repeated.
   */
  readonly files?: FileLimits;
  /** The schema of the answer; fields that it does not declare are not sent. */
  readonly answers: R;
  /** When the same content is answered with other statuses than 200, for the OpenAPI document. */
  readonly otherStatuses?: Readonly<Record<number, string>>;
  /** Answers bytes made by `tagBytes`, so that the OpenAPI document describes their tag. */
  readonly isTagged?: boolean;
  /** Additional headers of the answer with a description each, for the OpenAPI document. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Where the answer has ids that paths of other operations take: `{ key_id: '/id' }`, the name of the parameter and a JSON
   * pointer. They are the links of the OpenAPI document, and the API pages fill in what an answer told.
   */
  readonly links?: Readonly<Record<string, string>>;
  /** The plugin's own problems that this operation may answer, for the OpenAPI document. */
  readonly problems?: readonly ProblemType[];
  /** Leaves the operation out of the OpenAPI document: pages and probes. */
  readonly hidden?: boolean;
  /** Answered under overload and logged at debug level only; its access is `anonymous`. */
  readonly probe?: boolean;
  /**
   * For an operation that changes a resource: those fields of it that the operation cannot change, as they are stored. A
   * request that sends another value of one is answered 422 instead of 200 without effect. Leave out what changes by itself.
   */
  readonly fixed?: (input: RouteInput<A, P, Q, B>, deps: Resolved<D>) => object | Promise<object>;
  readonly handle: (input: RouteInput<A, P, Q, B>, deps: Resolved<D>) => AnswerOf<R> | Promise<AnswerOf<R>>;
}

/** Members whose types follow from those of one operation. */
type Typed = 'parameters' | 'example' | 'fixed' | 'handle';

/** A declared operation, as the kernel sees it. */
export interface Route extends Omit<
  RouteDefinition<
    AccessRule,
    string,
    TSchema | undefined,
    TSchema | undefined,
    TSchema | RawContent,
    Dependencies
  >,
  Typed
> {
  readonly parameters?: Readonly<Record<string, PathParameter | undefined>>;
  readonly example?: { readonly body?: unknown; readonly answer?: unknown };
  readonly deps: Dependencies;
  readonly fixed?: (input: never, deps: never) => object | Promise<object>;
  readonly handle: (input: never, deps: never) => unknown;
}

/**
 * Starts a list of routes that share dependencies:
 * `const route = routesWith({ catalogue: CATALOGUE }); export const routes = [route({ … }), …]`.
 */
export function routesWith<D extends Dependencies>(deps: D) {
  return <
    const A extends AccessRule,
    const P extends string,
    R extends TSchema | RawContent,
    Q extends TSchema | undefined = undefined,
    B extends TSchema | undefined = undefined,
  >(
    definition: RouteDefinition<A, P, Q, B, R, D>,
  ): Route => ({ ...definition, deps }) as unknown as Route;
}
