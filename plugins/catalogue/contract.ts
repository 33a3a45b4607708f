import {
  defineEvent,
  extensionPoint,
  problem,
  token,
  Type,
  type Principal,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';

/** `inactive`: visible, but a call is refused; `deprecated`: callable, and answers say so. */
export type AlgorithmStatus = 'active' | 'inactive' | 'deprecated';
/** Who may call it: every active user, or only those to whom it was granted. */
export type AlgorithmAccess = 'open' | 'restricted';
/** What may be done with an algorithm; each includes those before it. */
export type AccessKind = 'read' | 'execute' | 'manage';

/** One parameter of a version: its type by JSON Schema's name, default and bounds. */
export interface ParameterSpec {
  readonly type?: string;
  readonly default?: unknown;
  readonly min?: number;
  readonly max?: number;
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
  /** When a check against a schema as it is now first ran past its deadline; null while none did. */
  readonly schema_too_costly_since: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** One broken rule of a JSON Schema; `pointer` is relative to the value: `/image`. */
export interface SchemaFinding {
  readonly pointer: string;
  readonly message: string;
}

/** Synchronous for schemas that are certain to be cheap, otherwise checked off the main thread under a deadline. */
export type ValueCheck = (value: unknown) => readonly SchemaFinding[] | Promise<readonly SchemaFinding[]>;

/** What a call needs of a version, compiled once and cached. */
export interface CallableVersion {
  readonly algorithm: Algorithm;
  readonly version: AlgorithmVersion;
  /** Empty when the value satisfies the schema, or there is none. Throws `SchemaTooCostly` past its deadline. */
  readonly checkInput: ValueCheck;
  readonly checkOutput: ValueCheck;
  /** Fills defaults in and checks types and bounds; pointers are relative to `params`. */
  readonly completeParams: (params: Readonly<Record<string, unknown>>) => {
    readonly params: Readonly<Record<string, unknown>>;
    readonly findings: readonly SchemaFinding[];
  };
}

/** What an algorithm is made of. */
export interface NewAlgorithm {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly status?: AlgorithmStatus;
  readonly access?: AlgorithmAccess;
}

/** What a version is made of. */
export interface NewVersion {
  readonly version: string;
  readonly url: string;
  readonly params?: Readonly<Record<string, ParameterSpec>>;
  readonly input_schema?: Readonly<Record<string, unknown>>;
  readonly output_schema?: Readonly<Record<string, unknown>>;
  readonly is_default?: boolean;
}

/** Reads and fills the catalogue, without regard to the rights of the caller. */
export interface Catalogue {
  /** Throws `AlgorithmNotFound`. */
  algorithm(id: string): Promise<Algorithm>;
  /** Throws `AlgorithmNotFound` or `VersionNotFound`. */
  version(algorithmId: string, versionId: string): Promise<AlgorithmVersion>;
  /**
   * A version ready to call, from memory where possible (then not a promise). Throws `AlgorithmNotFound` or
   * `VersionNotFound`; the state is the caller's to judge.
   */
  callable(algorithmId: string, versionId: string): CallableVersion | Promise<CallableVersion>;
  /**
   * The default version, ready to call; as `callable`. Throws `AlgorithmNotFound`, or `VersionNotFound` when the
   * algorithm has no versions.
   */
  defaultCallable(algorithmId: string): CallableVersion | Promise<CallableVersion>;
  /** Finds a version by its id alone. Throws `VersionNotFound`. */
  callableByVersion(versionId: string): Promise<CallableVersion>;
  /** How many algorithms there are. */
  count(): Promise<number>;
  create(algorithm: NewAlgorithm): Promise<Algorithm>;
  createVersion(algorithmId: string, version: NewVersion): Promise<AlgorithmVersion>;
}

export const CATALOGUE = token<Catalogue>('catalogue:catalogue');

/** Gives people other than administrators rights on an algorithm. */
export interface AccessPolicy {
  readonly name: string;
  /** `true` when this policy allows it; synchronous when cached, for it is on the path of a call. */
  allows(principal: UserPrincipal, algorithmId: string, kind: AccessKind): boolean | Promise<boolean>;
  /** Gives up what it allows on an algorithm, in the transaction that deletes it. */
  takeBack?(trx: Transaction, algorithmId: string): Promise<void>;
}

/** Filled by `permissions` with its grants. Without any, restricted algorithms are the administrators' alone. */
export const ACCESS_POLICIES = extensionPoint<AccessPolicy>('catalogue:access-policies');

/** Answers who may do what with an algorithm. */
export interface AlgorithmRights {
  /**
   * Administrators may everything. `read`: every one, signed in or not. `execute`: every active user on `open`
   * algorithms, those whom a policy allows on `restricted` ones. `manage`: those whom a policy allows.
   */
  may(principal: Principal, algorithm: Algorithm, kind: AccessKind): boolean | Promise<boolean>;
}

export const ALGORITHM_RIGHTS = token<AlgorithmRights>('catalogue:rights');

/** Knows URL schemes other than http and https, and checks such a URL when a version is saved. */
export interface EndpointScheme {
  /** Without colon: `plugin`. */
  readonly schemes: readonly string[];
  /** Throws `ValidationFailed` with pointer `/body/url` when the URL names nothing that can be called. */
  check(url: URL): void;
}

/** Filled by `invocation` from its transports. */
export const ENDPOINT_SCHEMES = extensionPoint<EndpointScheme>('catalogue:endpoint-schemes');

/** Checks values against schemas that users wrote, in bounds and under deadlines. */
export interface SchemaValidator {
  /** Throws `ValidationFailed` (pointers below `pointer`) when the schema is not acceptable. */
  accept(schema: unknown, pointer: string): Promise<void>;
  /**
   * A check for an accepted schema; compiled once per distinct schema. `tooCostly` is called before the check throws
   * `SchemaTooCostly`.
   */
  checkFor(schema: Readonly<Record<string, unknown>> | null, tooCostly?: () => Promise<void>): ValueCheck;
}

export const SCHEMA_VALIDATOR = token<SchemaValidator>('catalogue:schema-validator');

export const AlgorithmNotFound = problem({
  code: 'algorithm_not_found',
  status: 404,
  title: 'No such algorithm',
  description: 'No algorithm has this id, or it was deleted.',
});

export const VersionNotFound = problem({
  code: 'version_not_found',
  status: 404,
  title: 'No such version',
  description: 'The algorithm has no version with this id.',
});

export const VersionLabelTaken = problem({
  code: 'version_label_taken',
  status: 409,
  title: 'The algorithm has a version with this label',
  description: 'Labels are unique within an algorithm. Choose another, or update the version that has it.',
});

export const DefaultVersionNeeded = problem({
  code: 'default_version_needed',
  status: 409,
  title: 'An algorithm with versions has a default version',
  description:
    '`is_default` cannot be taken from the default version. Set it on another version; the old one loses it then.',
});

export const TooManyVersions = problem({
  code: 'too_many_versions',
  status: 409,
  title: 'The algorithm has as many versions as it may have',
  description:
    'Delete versions that nobody calls any more, or ask the operator about `catalogue.max_versions`.',
});

export const SchemaTooCostly = problem({
  code: 'schema_too_costly',
  status: 422,
  title: 'The schema takes too long to check',
  description:
    'Checking the value against the schema of the version ran past its deadline. Whoever manages the version must simplify the schema.',
});

/**
 * For what was just written about an algorithm, which may have been deleted since it was looked at: what clears up after
 * it then ran before there was anything to clear. Calls `undo` in that case, and throws `AlgorithmNotFound`.
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

/** Topic of `Invalidation` on which the id of an algorithm is published when it, or one of its versions, changed or went. */
export const ALGORITHM_CHANGED_TOPIC = 'catalogue:algorithm';

export const algorithmDeleted = defineEvent(
  'catalogue:algorithm-deleted',
  AlgorithmFact,
  'An algorithm and its versions were deleted.',
);
export const algorithmChanged = defineEvent(
  'catalogue:algorithm-changed',
  AlgorithmFact,
  'An algorithm or one of its versions was created or changed.',
);
