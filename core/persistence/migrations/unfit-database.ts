import { brand } from '../../support/brand.ts';

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
