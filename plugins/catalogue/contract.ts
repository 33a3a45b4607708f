import {
  defineEvent,
  extensionPoint,
  Forbidden,
  problem,
  token,
  Type,
  type Author,
  type Principal,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';

/** `inactive`: visible, but a call is refused; `deprecated`: callable, and answers say so. */
export type AlgorithmStatus = 'active' | 'inactive' | 'deprecated';
/**
 * `open`: everyone sees it and every active user may call it. `restricted`: everyone sees it, and users with the right may
 * call it. `private`: it exists only for administrators and users with a right on it.
 */
export type AlgorithmAccess = 'open' | 'restricted' | 'private';
/** A right on an algorithm; each includes those before it. */
export type AccessKind = 'read' | 'execute' | 'manage';

/** A parameter of a version: its type, named as in JSON Schema, its default and its bounds. */
export interface ParameterSpec {
  readonly type?: string;
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
  readonly enum?: readonly unknown[];
  readonly [more: string]: unknown;
}

/** An algorithm as the API shows it, without its versions. */
export interface Algorithm {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly status: AlgorithmStatus;
  readonly access: AlgorithmAccess;
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** A version as the API shows it. */
export interface AlgorithmVersion {
  readonly id: string;
  readonly algorithm_id: string;
  readonly version: string;
  readonly url: string;
  readonly params: Readonly<Record<string, ParameterSpec>> | null;
  readonly input_schema: Readonly<Record<string, unknown>> | null;
  readonly output_schema: Readonly<Record<string, unknown>> | null;
  readonly is_default: boolean;
  /** When a check against the present schemas first exceeded its deadline; null while none has. */
  readonly schema_too_costly_since: string | null;
  /** When the last pause of checks against a present schema ends or ended; null while there was none. */
  readonly schema_paused_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A violation of a JSON Schema; `pointer` is relative to the value: `/image`. */
export interface SchemaFinding {
  readonly pointer: string;
  readonly message: string;
}

/** A check of values. Cheap schemas are checked synchronously, others off the main thread and with a deadline. */
export type ValueCheck = (value: unknown) => readonly SchemaFinding[] | Promise<readonly SchemaFinding[]>;

/** A version prepared for calls, compiled once and cached. */
export interface CallableVersion {
  readonly algorithm: Algorithm;
  readonly version: AlgorithmVersion;
  /** Returns no findings when the value satisfies the schema, or there is none. Throws `SchemaTooCostly`. */
  readonly checkInput: ValueCheck;
  readonly checkOutput: ValueCheck;
  /** Whether the output schema is not one of objects only: it then checks the answer as the endpoint gave it. */
  readonly checksAnswer: boolean;
  /** Fills defaults in and checks types and bounds; pointers are relative to `params`. */
  readonly completeParams: (params: Readonly<Record<string, unknown>>) => {
    readonly params: Readonly<Record<string, unknown>>;
    readonly findings: readonly SchemaFinding[];
  };
}

/**
 * Ids in the examples of the OpenAPI document. The plugin `samples` gives them to one of its algorithms and its version,
 * so that what the API pages prefill works.
 */
export const EXAMPLE_ALGORITHM_ID = '019b76da-a800-7000-8000-000000000001';
/** As `EXAMPLE_ALGORITHM_ID`, for its version. */
export const EXAMPLE_VERSION_ID = '019b76da-a800-7000-8000-000000000002';

/** What the OpenAPI document says of `{algorithm_id}` in a path. */
export const ALGORITHM_PARAMETER = {
  algorithm_id: { description: 'The `id` of an algorithm.', example: EXAMPLE_ALGORITHM_ID },
};

/** The fields of a new algorithm. */
export interface NewAlgorithm {
  /** A UUID of version 7; by default a new one. */
  readonly id?: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly status?: AlgorithmStatus;
  readonly access?: AlgorithmAccess;
  readonly tags?: readonly string[];
  /** Markdown. */
  readonly readme?: string;
}

/** The fields of a new version. */
export interface NewVersion {
  /** A UUID of version 7; by default a new one. */
  readonly id?: string;
  readonly version: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, ParameterSpec>>;
  readonly input_schema?: Readonly<Record<string, unknown>>;
  readonly output_schema?: Readonly<Record<string, unknown>>;
  readonly is_default?: boolean;
}

/** How far a number may be from the one that is expected. Of two bounds the wider one counts. */
export interface Tolerance {
  readonly absolute?: number;
  /** A share of the expected number: 0.01 is one percent of it. */
  readonly relative?: number;
}

/** What an example gives a version, and what the version answers. */
export interface ExampleContent {
  readonly input_data: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly output_data?: Readonly<Record<string, unknown>> | null | undefined;
  /** Of the numbers in `output_data`; null or nothing: they are equal. */
  readonly tolerance?: Tolerance | null | undefined;
}

/** The fields of a new example. */
export interface NewExample extends ExampleContent {
  readonly name: string;
  readonly description?: string | undefined;
  readonly is_default?: boolean | undefined;
}

/** An example of a version. */
export interface Example extends ExampleContent {
  readonly id: string;
  readonly name: string;
  /** Whether the version accepts it. */
  readonly fits: boolean;
}

/** A version that has examples. */
export interface ExampledVersion {
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly status: AlgorithmStatus;
  /** Another one whenever the version or its examples have changed. */
  readonly revision: string;
  /** How many of its examples it accepts, and how many of these have an expected output. */
  readonly fitting: number;
  readonly expecting: number;
}

const ANONYMOUS: Principal = { kind: 'anonymous' };

/** As whom a `public` operation reads: an API key without the scope `read` reads what everyone reads. */
export function readerOf(principal: Principal): Principal {
  if (principal.kind === 'anonymous' || principal.scopes === undefined) return principal;
  return principal.scopes.includes('read') ? principal : ANONYMOUS;
}

/**
 * Reads and fills the catalogue. Pass the principal as `viewer` whenever the id comes from a request: a private algorithm
 * that the viewer may not see is then unknown, with the same problem as an id that does not exist. Without a viewer the
 * service reads for itself and sees everything. An algorithm that the credential of the viewer does not cover is refused
 * with `AlgorithmNotCovered`. Neither checks the right to call or to manage.
 */
export interface Catalogue {
  /** Throws `AlgorithmNotFound`. */
  algorithm(id: string): Promise<Algorithm>;
  /** The same for a viewer, without a promise when it is cached. Throws `AlgorithmNotFound`. */
  algorithm(id: string, viewer: Principal): Algorithm | Promise<Algorithm>;
  /** Throws `AlgorithmNotFound` or `VersionNotFound`. */
  version(algorithmId: string, versionId: string): Promise<AlgorithmVersion>;
  /**
   * A version prepared for calls, without a promise when it is cached. Throws `AlgorithmNotFound` or `VersionNotFound`.
   * Does not check the status of the algorithm.
   */
  callable(
    algorithmId: string,
    versionId: string,
    viewer?: Principal,
  ): CallableVersion | Promise<CallableVersion>;
  /**
   * The default version, otherwise as `callable`. Throws `AlgorithmNotFound`, or `VersionNotFound` when the algorithm has
   * no versions.
   */
  defaultCallable(algorithmId: string, viewer?: Principal): CallableVersion | Promise<CallableVersion>;
  /** Finds a version by its id only. Throws `VersionNotFound`. */
  callableByVersion(versionId: string, viewer?: Principal): Promise<CallableVersion>;
  /**
   * The ids among these whose algorithms exist for the viewer. For lists of things that belong to algorithms: leave out
   * those that belong to any other.
   */
  visibleAmong(ids: readonly string[], viewer: Principal): Promise<readonly string[]>;
  /** The examples of a version, oldest first; none for a version that does not exist. */
  examples(versionId: string): Promise<readonly Example[]>;
  /** The versions that have examples: all of them, or those of one algorithm. */
  exampledVersions(algorithmId?: string): Promise<readonly ExampledVersion[]>;
  /** How many algorithms there are. */
  count(): Promise<number>;
  /** `by` is the author in the audit trail: `{ kind: 'plugin', name: 'samples' }`. */
  create(algorithm: NewAlgorithm, by?: Author): Promise<Algorithm>;
  createVersion(algorithmId: string, version: NewVersion, by?: Author): Promise<AlgorithmVersion>;
  /** Throws `ValidationFailed` when the version does not accept the example. */
  createExample(algorithmId: string, versionId: string, example: NewExample, by?: Author): Promise<void>;
}

export const CATALOGUE = token<Catalogue>('catalogue:catalogue');

/** Gives users who are not administrators rights on an algorithm. */
export interface AccessPolicy {
  readonly name: string;
  /** Whether this policy allows it. Return no promise when cached, since every call asks. */
  allows(principal: UserPrincipal, algorithmId: string, kind: AccessKind): boolean | Promise<boolean>;
  /**
   * The ids of all algorithms on which this policy gives the principal `read` or more: lists show the private ones among
   * them. Return no promise when cached, since every list asks.
   */
  algorithmsOf(principal: UserPrincipal): readonly string[] | Promise<readonly string[]>;
  /** Deletes the rights on an algorithm, in the transaction that deletes the algorithm. */
  takeBack?(trx: Transaction, algorithmId: string): Promise<void>;
}

/** Filled by `permissions`. Without a policy restricted and private algorithms are for administrators only. */
export const ACCESS_POLICIES = extensionPoint<AccessPolicy>('catalogue:access-policies', {
  methods: ['allows', 'algorithmsOf', 'takeBack?'],
});

/** Decides who may do what with an algorithm. */
export interface AlgorithmRights {
  /**
   * Administrators have all rights. `read`: everyone, signed in or not, except on `private` algorithms. `execute`: every
   * active user on `open` algorithms. Everything else: users with the right by a policy. A credential that is restricted to
   * other algorithms has none.
   */
  may(principal: Principal, algorithm: Algorithm, kind: AccessKind): boolean | Promise<boolean>;
}

/**
 * Refuses all but administrators, and those who manage the algorithm that they name, as the figures of the calls of
 * everybody do. Administrators may name one that was deleted. Throws `Forbidden` or `AlgorithmNotFound`.
 */
export async function demandManager(
  { catalogue, rights }: { readonly catalogue: Catalogue; readonly rights: AlgorithmRights },
  principal: UserPrincipal,
  algorithmId: string | undefined,
): Promise<void> {
  if (principal.role === 'admin') return;
  if (algorithmId === undefined) {
    throw Forbidden(
      'The figures of all algorithms are for administrators. Name an algorithm that you manage.',
    );
  }
  const algorithm = await catalogue.algorithm(algorithmId, principal);
  if (await rights.may(principal, algorithm, 'manage')) return;
  throw Forbidden(`The figures of the algorithm "${algorithm.id}" are for those who manage it.`);
}

export const ALGORITHM_RIGHTS = token<AlgorithmRights>('catalogue:rights');

/** Declares URL schemes other than http and https, and checks such URLs when a version is saved. */
export interface EndpointScheme {
  /** The schemes without the colon: `plugin`. */
  readonly schemes: readonly string[];
  /** Throws `ValidationFailed` with pointer `/body/url` when the URL cannot be called. */
  check(url: URL): void;
}

/** Filled by `invocation` from its transports. */
export const ENDPOINT_SCHEMES = extensionPoint<EndpointScheme>('catalogue:endpoint-schemes', {
  methods: ['check'],
});

/** What an example may take from a call. Null: the record does not hold it as it was. */
export interface RecordedCall {
  readonly version_id: string;
  readonly input_data: Readonly<Record<string, unknown>> | null;
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly output_data: Readonly<Record<string, unknown>> | null;
}

/** What the catalogue shows of calls, which it does not keep itself. */
export interface RecordedCalls {
  /** The record of a call that the viewer may see. */
  find(id: string, viewer: UserPrincipal): Promise<RecordedCall | undefined>;
  /** The calls of those of these algorithms that were ever called. */
  sums(ids: readonly string[]): Promise<readonly CallSums[]>;
  /** The calls of these algorithms on the UTC days `from` to `to`, both included; days without calls are left out. */
  days(ids: readonly string[], from: string, to: string): Promise<readonly CallsOfDay[]>;
}

/** How many calls of an algorithm ended, and how many of them well. */
export interface CallSums {
  readonly algorithm_id: string;
  readonly calls: number;
  readonly successes: number;
}

/** How many calls of an algorithm began on a UTC day, `YYYY-MM-DD`. */
export interface CallsOfDay {
  readonly algorithm_id: string;
  readonly day: string;
  readonly calls: number;
}

/** Filled by `invocation`; the first entry gives the figures of lists. */
export const RECORDED_CALLS = extensionPoint<RecordedCalls>('catalogue:recorded-calls', {
  methods: ['find', 'sums', 'days'],
});

/** Whether a version answers its examples as they expect; `unchecked` when it was not checked since it last changed. */
export type CheckState = 'working' | 'broken' | 'unchecked';

/** What the checks of a version say. */
export interface VersionCheck {
  readonly state: CheckState;
  /** Since when, in ISO 8601; null while it is unchecked. */
  readonly since: string | null;
}

/** Tells which versions answer their examples as these expect. Publish `ALGORITHM_CHANGED_TOPIC` when a state changes. */
export interface VersionChecks {
  /** What is known of these versions; the others are unchecked. */
  of(versionIds: readonly string[]): Promise<ReadonlyMap<string, VersionCheck>>;
  /** The ids of all versions in a state. */
  inState(state: 'working' | 'broken'): Promise<readonly string[]>;
}

/** Filled by `checks`; answers show what the first entry says, and nothing of checks without one. */
export const VERSION_CHECKS = extensionPoint<VersionChecks>('catalogue:version-checks', {
  methods: ['of', 'inState'],
});

/** A call of a version that is not saved; its params have their defaults. */
export interface TrialCall {
  readonly principal: UserPrincipal;
  readonly callable: CallableVersion;
  readonly input_data: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  /** The request that asks for it. */
  readonly request: {
    readonly id: string;
    readonly ip: string;
    readonly traceparent: string;
    readonly signal: AbortSignal;
  };
}

/** What came of a call of a version that is not saved. */
export type TrialOutcome =
  | {
      readonly ok: true;
      readonly seconds: number;
      readonly output: Readonly<Record<string, unknown>>;
      /** What `output` was made of, where that is no object. */
      readonly answer?: unknown;
    }
  | {
      readonly ok: false;
      readonly seconds: number;
      readonly code: string;
      readonly message: string;
      /** What the endpoint answered, if it did: its status, and how its text begins. */
      readonly answered?: { readonly status: number; readonly text: string } | undefined;
    };

/** Calls versions that are not saved. Such a call is in no call record, no statistics and no limit. */
export interface VersionTrials {
  /** Leaves the output unchecked. Throws `Overloaded` when too many are under way, and what refuses the calls of the caller. */
  call(trial: TrialCall): Promise<TrialOutcome>;
}

/** Filled by `invocation`; without an entry versions are checked before they are saved, and not called. */
export const VERSION_TRIALS = extensionPoint<VersionTrials>('catalogue:version-trials', {
  methods: ['call'],
});

/** Called when a check exceeded its deadline or the schema is paused, with the end of the pause in milliseconds. */
export type MarkTooCostly = (pausedUntil: number | undefined) => Promise<void>;

/** Checks values against schemas of users, within bounds and deadlines. */
export interface SchemaValidator {
  /** What is wrong with a schema, with pointers relative to it; empty when it is acceptable. */
  faultsOf(schema: unknown): Promise<readonly SchemaFinding[]>;
  /**
   * Makes the check for an accepted schema; equal schemas are compiled once. The check calls `tooCostly` before it
   * throws `SchemaTooCostly`.
   */
  checkFor(schema: Readonly<Record<string, unknown>> | null, tooCostly?: MarkTooCostly): ValueCheck;
}

export const SCHEMA_VALIDATOR = token<SchemaValidator>('catalogue:schema-validator');

/** One thing that an import creates, changes or deletes: `update`, `version "1.0.0" of "Edge detection"`. */
export interface ImportChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly what: string;
  /** The fields that an update changes. */
  readonly fields?: readonly string[];
}

/** How a section is imported. */
export interface SectionImport {
  /** The ids of the algorithms by name; a dry run has no id for those that it would create. */
  readonly ids: ReadonlyMap<string, string | undefined>;
  /** Nothing may be changed, only told. */
  readonly dryRun: boolean;
  /** What the section does not name is deleted. */
  readonly prune: boolean;
  /** Who imports, for the audit trail. */
  readonly by: Author;
}

/** What a plugin keeps about algorithms and hands on with `vitrine export` and `import`, by names instead of ids. */
export interface PortableSection {
  /** Its key in the file: the id of the plugin. */
  readonly name: string;
  /** A JSON Schema of what `collect` answers, by which a file is checked before anything is changed. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What to write; `undefined` for nothing. */
  collect(names: ReadonlyMap<string, string>): Promise<unknown>;
  /** Makes this installation like the section, and says what changed. */
  bring(section: unknown, how: SectionImport): Promise<readonly ImportChange[]>;
}

export const PORTABLE_SECTIONS = extensionPoint<PortableSection>('catalogue:portable-sections', {
  methods: ['collect', 'bring'],
  keysOf: ({ name }) => [name],
});

export const AlgorithmNotFound = problem({
  code: 'algorithm_not_found',
  status: 404,
  title: 'No such algorithm',
  description: 'No algorithm has this id, it was deleted, or it is private and you have no right on it.',
});

export const AlgorithmNotCovered = problem({
  code: 'algorithm_not_covered',
  status: 403,
  title: 'The API key does not cover the algorithm',
  description:
    'The key is restricted to other algorithms than this one. Its owner can add it to the `algorithms` of the key.',
});

/**
 * Throws `AlgorithmNotCovered` when an algorithm is not among those to which a credential is restricted, which are the
 * `resources` of its principal. `what` names it for the caller, who must be allowed to know it: `algorithm "Edge detection"`.
 */
export function demandCovered(covered: ReadonlySet<string> | undefined, id: string, what: string): void {
  if (covered === undefined || covered.has(id)) return;
  throw AlgorithmNotCovered(
    `The API key is restricted to other algorithms and does not cover the ${what}. Its owner can add it to the \`algorithms\` of the key.`,
  );
}

export const VersionNotFound = problem({
  code: 'version_not_found',
  status: 404,
  title: 'No such version',
  description: 'The algorithm has no version with this id.',
});

/** What the catalogue finds; `undefined` where the algorithm or the version does not exist. */
export async function unlessMissing<T>(finding: T | Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (AlgorithmNotFound.is(error) || VersionNotFound.is(error)) return undefined;
    throw error;
  }
}

export const VersionLabelTaken = problem({
  code: 'version_label_taken',
  status: 409,
  title: 'The algorithm has a version with this label',
  description: 'Labels are unique within an algorithm. Choose another, or update the version that has it.',
});

export const TooManyVersions = problem({
  code: 'too_many_versions',
  status: 409,
  title: 'The algorithm has as many versions as it may have',
  description: 'Delete versions that are no longer called.',
});

export const ExampleNotFound = problem({
  code: 'example_not_found',
  status: 404,
  title: 'No such example',
  description: 'The version has no example with this id.',
});

export const TooManyExamples = problem({
  code: 'too_many_examples',
  status: 409,
  title: 'The version has as many examples as it may have',
  description: 'Delete examples that show little.',
});

export const SchemaTooCostly = problem({
  code: 'schema_too_costly',
  status: 422,
  title: 'The schema takes too long to check',
  description:
    'Checking the value against the schema of the version ran past its deadline. After three times in a row checks are paused for a minute, which `Retry-After` says. A user who manages the version must simplify the schema.',
});

export const ImportRunning = problem({
  code: 'import_running',
  status: 409,
  title: 'Another import is running',
  description:
    'Catalogues are imported one at a time. Nothing was changed; try again when the other one has ended.',
});

/**
 * Call this after writing a row that belongs to an algorithm. When the algorithm was deleted meanwhile, its cleanup ran
 * before the row existed; this then calls `undo` and throws `AlgorithmNotFound`.
 */
export async function undoIfAlgorithmWent(
  catalogue: Catalogue,
  algorithmId: string,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await catalogue.algorithm(algorithmId);
  } catch (error) {
    if (AlgorithmNotFound.is(error)) await undo();
    throw error;
  }
}

const AlgorithmFact = Type.Object({ algorithm_id: Type.String() });

/**
 * The `Invalidation` topic with the id of an algorithm that changed or was deleted, or a version of which did, or of which
 * `VERSION_CHECKS` says something else.
 */
export const ALGORITHM_CHANGED_TOPIC = 'catalogue:algorithm';

export const algorithmDeleted = defineEvent(
  'catalogue:algorithm-deleted',
  Type.Object({
    algorithm_id: Type.String(),
    access: Type.Enum(['open', 'restricted', 'private'], {
      description: 'What it was: what is left of a private algorithm must not be shown to everyone.',
    }),
  }),
  'An algorithm and its versions were deleted.',
);
export const algorithmChanged = defineEvent(
  'catalogue:algorithm-changed',
  AlgorithmFact,
  'An algorithm or one of its versions was created or changed.',
);
