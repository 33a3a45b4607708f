import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
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

/** Makes the compiler for the schemas of routes. It throws the error of ajv for a schema that ajv refuses. */
export function schemaCompiler(): Compiler {
  const ajv = new Ajv2020({
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
  ajv.addVocabulary(['x-component', 'example', 'discriminator']);
  addFormats.default(ajv);
  ajv.addFormat('date-time', (text) => timeIn(text) !== undefined);
  ajv.addFormat('name', isName);
  return ajv;
}

/** Compiles a schema for its first value: compiling all of them takes a fifth of the start and much memory. */
export function lateCompiler(compiler: Compiler): Compiler {
  return {
    compile: (schema) => {
      let compiled: Validator | undefined;
      const validate: Validator = (value) => {
        compiled ??= compiler.compile(schema);
        const isValid = compiled(value);
        validate.errors = compiled.errors ?? null;
        return isValid;
      };
      return validate;
    },
  };
}
