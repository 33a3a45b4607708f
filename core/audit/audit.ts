import { extensionPoint, token } from '../di/token.ts';
import type { Transaction } from '../persistence/database.ts';
import type { Author } from './author.ts';

/** What a change is about. */
export interface AuditTarget {
  /** `algorithm`, `account`, …: the part of `action` before the point, in most cases. */
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** A change as its service describes it. */
export interface AuditRecord {
  /** `<kind>.<verb>`, such as `algorithm.update`; that of a third party begins with the id of its plugin. */
  readonly action: string;
  readonly target?: AuditTarget | undefined;
  /** The whole as it was; nothing where it is created. Values under secret names are masked; pass no other secret. */
  readonly before?: object | undefined;
  /** The whole as it is now; nothing where it is deleted. */
  readonly after?: object | undefined;
  /** `success` by default. Of refused requests, only wrong passwords and requests for a link to set a new one are recorded. */
  readonly outcome?: 'success' | 'failure' | undefined;
}

/** A change as sinks get it: `before` and `after` have only what changed, masked. */
export interface AuditEntry extends AuditRecord {
  readonly author: Author;
  readonly outcome: 'success' | 'failure';
}

/** Keeps entries of the audit trail. */
export interface AuditSink {
  /** Writes in the transaction of the change where there is one; when it throws, the change is undone. */
  record(trx: Transaction | undefined, entry: AuditEntry): Promise<void>;
}

/** Filled by `audit`; without a sink nothing is recorded. */
export const AUDIT_SINKS = extensionPoint<AuditSink>('core:audit-sinks', { methods: ['record'] });

/** Records who changed what. */
export interface Audit {
  /**
   * Records a change in its transaction, so that either both are committed or neither is. Without one, for what is no change of
   * the database, a sink that fails is logged. A change without a difference is not recorded.
   */
  record(trx: Transaction | undefined, author: Author, change: AuditRecord): Promise<void>;
}

/** Records who changed what, in the audit trail. */
export const AUDIT = token<Audit>('core:audit');
