import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';

export type { ErrorObject, ValidateFunction };

/** Compiles the schemas of routes once, when they are mounted. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020;

  constructor() {
    this.#ajv = new Ajv2020({
      allErrors: true,
      verbose: true,
      useDefaults: true,
      strict: true,
      strictRequired: false,
      strictTuples: false,
      allowUnionTypes: true,
      logger: false,
      // Compiling refuses a broken schema by itself; compiling the schema of schemas first would double the start.
      validateSchema: false,
    });
    this.#ajv.addVocabulary(['x-component', 'example']);
    addFormats.default(this.#ajv);
  }

  /** Throws what ajv says of a schema that it refuses. */
  compile(schema: TSchema): ValidateFunction {
    return this.#ajv.compile(schema);
  }
}
