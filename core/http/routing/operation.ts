import type { AccessRule } from '../../auth/access-rule.ts';
import type { Scope } from '../../auth/scope.ts';
import type { BodyCheck } from '../validation/body-check.ts';
import type { QueryReader } from '../validation/query.ts';

/** A route compiled for serving. */
export interface Operation {
  readonly plugin: string;
  readonly operationId: string;
  /** The path template with the base path: the `route` of metrics and logs. */
  readonly template: string;
  readonly access: AccessRule;
  readonly scope: Scope;
  /** Answered under overload, without authentication, and logged at debug level. */
  readonly probe: boolean;
  /** Waits in a bounded queue of its handler, and holds no place there. */
  readonly queues: boolean;
  readonly bodyLimit: number;
  /** How long a body may take to arrive, in milliseconds; undefined where the deadline of all requests is enough. */
  readonly bodyTimeoutMs: number | undefined;
  readonly readQuery: QueryReader;
  readonly checkBody: BodyCheck | undefined;
  /** Undefined for answers that are not JSON. */
  readonly serialize: ((value: unknown) => string) | undefined;
  readonly contentType: string;
  readonly handle: (input: unknown) => unknown;
}
