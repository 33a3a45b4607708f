import type { GuardedOperation } from '../../auth/authorise.ts';
import type { ReadBody } from '../body.ts';
import type { LoggedOperation } from '../state.ts';
import type { BodyCheck } from '../validation/body-check.ts';
import type { FixedCheck } from '../validation/fixed-fields.ts';
import type { QueryReader } from '../validation/query.ts';

/** A route compiled for serving. */
export interface Operation extends LoggedOperation, GuardedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly readQuery: QueryReader;
  /** Undefined for operations without a body. */
  readonly readBody: ReadBody | undefined;
  readonly checkBody: BodyCheck | undefined;
  /** Undefined for answers that are not JSON. */
  readonly serialize: ((value: unknown) => string) | undefined;
  readonly contentType: string;
  readonly isList: boolean;
  /** Throws for a sent field that the operation cannot change and that has another value. Undefined where there are none. */
  readonly refuseFixed: FixedCheck | undefined;
  readonly handle: (input: unknown) => unknown;
}
