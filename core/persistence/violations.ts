import { brand } from '../support/brand.ts';

/** Where a constraint stands; what the driver does not tell is left out. */
export interface ViolatedConstraint {
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly constraint?: string | undefined;
}

/** A constraint of the database refused a change; the same on both engines. */
export class ConstraintViolation extends Error {
  static {
    brand(this, 'ConstraintViolation');
  }

  readonly table: string | undefined;
  /** Empty for a foreign key on SQLite and for an index on an expression: there `constraint` may tell more. */
  readonly columns: readonly string[];
  /** The name of the constraint or index, where the driver tells it. */
  readonly constraint: string | undefined;

  constructor(message: string, where: ViolatedConstraint, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.table = where.table;
    this.columns = where.columns ?? [];
    this.constraint = where.constraint;
  }
}

/** A row with this key exists already. */
export class UniqueViolation extends ConstraintViolation {
  static {
    brand(this, 'UniqueViolation');
  }
}
/** A row points at one that does not exist, or is pointed at. */
export class ForeignKeyViolation extends ConstraintViolation {
  static {
    brand(this, 'ForeignKeyViolation');
  }
}
/** A column that must have a value got none. */
export class NotNullViolation extends ConstraintViolation {
  static {
    brand(this, 'NotNullViolation');
  }
}
/** A value breaks the rule of its column. */
export class CheckViolation extends ConstraintViolation {
  static {
    brand(this, 'CheckViolation');
  }
}
