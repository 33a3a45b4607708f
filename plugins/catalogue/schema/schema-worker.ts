import { parentPort } from 'node:worker_threads';
import type { SchemaFinding } from '../contract.ts';
import { schemaFaults, warmUp } from './accept.ts';
import { compileCheck } from './compile.ts';
import type { JsonObject } from './json.ts';
import type { SchemaAnswer, SchemaRequest } from './protocol.ts';

const checks = new Map<string, (value: unknown) => SchemaFinding[]>();

function say(message: SchemaAnswer): void {
  parentPort?.postMessage(message);
}

function checkOf(key: string, schema: string | undefined): (value: unknown) => SchemaFinding[] {
  const known = checks.get(key);
  if (known !== undefined) return known;
  if (schema === undefined) throw new Error('The schema was never sent to this worker.');
  const check = compileCheck(JSON.parse(schema) as JsonObject);
  say({ kind: 'compiled' });
  checks.set(key, check);
  return check;
}

function findings(request: SchemaRequest): readonly SchemaFinding[] {
  if (request.kind === 'check') return checkOf(request.key, request.schema)(JSON.parse(request.value));
  return schemaFaults(JSON.parse(request.schema) as JsonObject, () => say({ kind: 'compiled' }));
}

warmUp();
parentPort?.on('message', (request: SchemaRequest) => say({ kind: 'done', findings: findings(request) }));
say({ kind: 'ready' });
