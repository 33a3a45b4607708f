import { brand } from '../support/brand.ts';

/** The violated constraint, as far as the driver reports it. */
export interface ViolatedConstraint {
  readonly table?: string | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly constraint?: string | undefined;
}

/** A constraint of the database, such as a reference or a rule of a column, refused a change; the same on both engines. */
export class ConstraintViolation extends Error {
  static {
    brand(this, 'ConstraintViolation');
  }

  readonly table: string | undefined;
  /** Empty for a foreign key on SQLite and for an index on an expression, where `constraint` may help. */
  readonly columns: readonly string[];
  /** The name of the constraint or index, if the driver reports it. */
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

/** The database lacks what a statement needs, whatever its values: a table, a column, a partition or a right. */
export class UnfitDatabase extends Error {
  static {
    brand(this, 'UnfitDatabase');
  }

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
