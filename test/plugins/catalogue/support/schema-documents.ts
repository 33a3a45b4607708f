import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../../core/support/package-root.ts';

/**
 * Schemas as tools write them, made for these tests: by the tools themselves (zod 4.6, valibot 1.5 with to-json-schema 1.8,
 * typebox 1.4, pydantic 2.13, FastAPI 0.142, ts-json-schema-generator 2.4), and by hand in the style of Cog and KServe.
 */
const TOOLS = [
  'zod',
  'valibot',
  'typebox',
  'pydantic',
  'ts-json-schema-generator',
  'fastapi',
  'cog',
  'kserve',
];

/** A document, with values that satisfy it and that do not. */
export interface SchemaDocument {
  readonly tool: string;
  readonly name: string;
  /** JSON text, because some bounds are integers that no double holds. */
  readonly schema: string;
  /** Whether it describes answers and not inputs. */
  readonly output?: boolean;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

function documentsOf(tool: string): SchemaDocument[] {
  const text = readFileSync(join(packageRoot, `test/fixtures/schemas/${tool}.json`), 'utf8');
  const schemas = [...text.matchAll(/^ {4}"schema": ([^]*?),\n {4}"valid"/gm)].map(([, schema]) => schema!);
  const documents = JSON.parse(text) as (Omit<SchemaDocument, 'schema' | 'tool'> & { schema: unknown })[];
  if (schemas.length !== documents.length) throw new Error(`${tool}.json is not formatted as expected.`);
  return documents.map((document, index) => ({ ...document, tool, schema: schemas[index]! }));
}

export const schemaDocuments: readonly SchemaDocument[] = TOOLS.flatMap(documentsOf);
