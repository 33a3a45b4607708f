import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { timeIn } from '../../support/date-time.ts';
import { isName } from './names.ts';

export type { ErrorObject };

/** Whether a value satisfies a schema; `errors` describes the last value until the next one is checked. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** Makes validators of schemas. */
export interface Compiler {
  compile(schema: TSchema): Validator;
}

/** Compiles the schemas of routes. */
export class SchemaCompiler implements Compiler {
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
      // Compiling already refuses a broken schema; compiling the meta-schema as well would double the time of the start.
      validateSchema: false,
    });
    this.#ajv.addVocabulary(['x-component', 'example', 'discriminator']);
    addFormats.default(this.#ajv);
    this.#ajv.addFormat('date-time', (text) => timeIn(text) !== undefined);
    this.#ajv.addFormat('name', isName);
  }

  /** Throws the error of ajv for a schema that it refuses. */
  compile(schema: TSchema): ValidateFunction {
    return this.#ajv.compile(schema);
  }
}

/** Compiles a schema for its first value: compiling all of them takes a fifth of the start and much memory. */
export class LateCompiler implements Compiler {
  readonly #compiler: Compiler;

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  compile(schema: TSchema): Validator {
    let compiled: Validator | undefined;
    const validate: Validator = (value) => {
      compiled ??= this.#compiler.compile(schema);
      const isValid = compiled(value);
      validate.errors = compiled.errors ?? null;
      return isValid;
    };
    return validate;
  }
}
