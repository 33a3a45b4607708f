import type { TSchema } from 'typebox';
import { brand } from '../support/brand.ts';

/** One broken rule of a request; `pointer` is a JSON pointer such as `/body/name`, `/query/limit` or `/path/id`. */
export interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** Further data of a problem. */
export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  /** Response headers, for example `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The declaration of a kind of problem: what all its occurrences share. */
export interface ProblemDeclaration {
  /** Stable, snake_case, unique in the whole installation. */
  readonly code: string;
  readonly status: number;
  /** A short sentence that is the same for every occurrence. */
  readonly title: string;
  /** When it happens and what the caller can do: one line of the error reference. */
  readonly description: string;
  /** The schemas of the further members of its document, by name. */
  readonly members?: Readonly<Record<string, TSchema>>;
  /** What the headers of its answer say, by name, beside those that every answer with its status has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a verifier of credentials throws it, so that every operation that looks at credentials may answer it. */
  readonly isOfCredentials?: boolean;
}

/**
 * A declared kind of failure. Call it to make an error to throw:
 * `throw AlgorithmNotFound('No algorithm has the id "x".')`. RFC 9457 calls this a problem type.
 */
export interface ProblemType extends ProblemDeclaration {
  (detail: string, extras?: ProblemExtras): Problem;
  /** Whether an error is of this kind: `if (AlgorithmNotFound.is(error)) …`. */
  is(error: unknown): error is Problem;
}

/** An error that becomes a problem document (RFC 9457) on the wire. */
export class Problem extends Error {
  static {
    brand(this, 'Problem');
  }

  readonly type: ProblemDeclaration;
  readonly extras: ProblemExtras;

  constructor(type: ProblemDeclaration, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'Problem';
    this.type = type;
    this.extras = extras;
  }

  get code(): string {
    return this.type.code;
  }

  get status(): number {
    return this.type.status;
  }
}

/** Declares a kind of failure. Export the result, list it in the plugin's `problems`, and throw the errors it creates. */
export function problem(declaration: ProblemDeclaration): ProblemType {
  if (!/^[a-z][a-z0-9_]*$/.test(declaration.code)) {
    throw new Error(`The problem code "${declaration.code}" is not snake_case.`);
  }
  const make = (detail: string, extras?: ProblemExtras): Problem => new Problem(declaration, detail, extras);
  const is = (error: unknown): error is Problem =>
    error instanceof Problem && error.code === declaration.code;
  return Object.assign(make, declaration, { is });
}
