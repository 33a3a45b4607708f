import { isDeepStrictEqual } from 'node:util';
import objection from 'objection';

/**
 * The base of every table's model: columns are snake_case and equal the API's names. Name the columns that hold
 * booleans and JSON, so that they have the same values on both engines. Models never leave their plugin.
 * Models do not validate schemas, because routes do.
 */
export class Model extends objection.Model {
  static booleans: readonly string[] = [];
  static json: readonly string[] = [];

  /** Whether any of these values differs from that of the row. A change without effect should write nothing. */
  differsFrom(values: Partial<this>): boolean {
    return Object.entries(values).some(
      ([name, value]) => !isDeepStrictEqual(value, this[name as keyof this]),
    );
  }

  override $parseDatabaseJson(row: objection.Pojo): objection.Pojo {
    const json = super.$parseDatabaseJson(row);
    const { booleans, json: texts } = this.constructor as typeof Model;
    for (const name of booleans) if (typeof json[name] === 'number') json[name] = json[name] !== 0;
    for (const name of texts) if (typeof json[name] === 'string') json[name] = JSON.parse(json[name]);
    return json;
  }

  override $formatDatabaseJson(json: objection.Pojo): objection.Pojo {
    const row = super.$formatDatabaseJson(json);
    for (const name of (this.constructor as typeof Model).json) {
      if (row[name] !== null && row[name] !== undefined) row[name] = JSON.stringify(row[name]);
    }
    return row;
  }
}
