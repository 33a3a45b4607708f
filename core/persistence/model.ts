import objection from 'objection';

/**
 * The base of every table's model: columns are snake_case and equal the API's names. Name the columns that hold
 * booleans and JSON, and they have the same values on both engines. Models never leave their plugin.
 */
export class Model extends objection.Model {
  static booleans: readonly string[] = [];
  static json: readonly string[] = [];
}
