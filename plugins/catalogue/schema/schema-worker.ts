/** The code of the threads of `SchemaPool`; each runs one task at a time. */
import { parentPort } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { SchemaFinding } from '../contract.ts';
import { schemaFaults, warmUp } from './accept.ts';
import { compileCheck } from './compile.ts';
import type { JsonObject } from './json.ts';
import type { SchemaFindings, SchemaProgress, SchemaTask } from './protocol.ts';

const MAX_CHECKS = 500;

const checks = new LRUCache<string, (value: unknown) => SchemaFinding[]>({ max: MAX_CHECKS });
warmUp();

/** Runs a task. `SchemaPool` treats an exception as a schema that is too costly. */
export default function findings(task: SchemaTask): SchemaFindings {
  const report = (step: SchemaProgress['step']): void => {
    const progress: SchemaProgress = { id: task.id, step };
    parentPort?.postMessage(progress);
  };
  if (task.value === undefined) {
    report('compile');
    return schemaFaults(JSON.parse(task.schema) as JsonObject, () => report('check'));
  }
  const check = checks.get(task.key) ?? compiled(task, () => report('compile'));
  report('check');
  return check(JSON.parse(task.value));
}

function compiled({ key, schema }: SchemaTask, begin: () => void): (value: unknown) => SchemaFinding[] {
  begin();
  const check = compileCheck(JSON.parse(schema) as JsonObject);
  checks.set(key, check);
  return check;
}
