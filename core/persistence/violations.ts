/** A constraint of the database refused a change; the same on both engines. */
export class ConstraintViolation extends Error {
  readonly table: string | undefined;
  readonly columns: readonly string[];

  constructor(message: string, where: { table?: string; columns?: readonly string[] }, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.table = where.table;
    this.columns = where.columns ?? [];
  }
}

export class UniqueViolation extends ConstraintViolation {}
export class ForeignKeyViolation extends ConstraintViolation {}
export class NotNullViolation extends ConstraintViolation {}
export class CheckViolation extends ConstraintViolation {}
