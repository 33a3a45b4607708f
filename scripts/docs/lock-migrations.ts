/**
 * `npm run lock:migrations`: locks the steps of the built-in plugins that are new, and forgets those that are gone. An edited
 * step stays locked as it was.
 */
import { writeFileSync } from 'node:fs';
import { lockFaults, migrationLock } from '../../core/testing.ts';
import { builtInTables, lockPath, readLock } from './migration-lock.ts';

const before = readLock();
const now = await migrationLock(await builtInTables());
const locked = Object.fromEntries(
  Object.entries(now).map(([plugin, steps]) => [plugin, { ...steps, ...lockedAlready(plugin, steps) }]),
);
writeFileSync(lockPath, `${JSON.stringify(locked, undefined, 2)}\n`);
console.log(`${lockPath} written.`);
const edited = lockFaults(locked, now);
for (const fault of edited) {
  console.error(
    `${fault} A step that no release has may get another name instead: databases that have the old one are refused.`,
  );
}
if (edited.length > 0) process.exitCode = 1;

function lockedAlready(plugin: string, steps: object): object {
  return Object.fromEntries(Object.entries(before[plugin] ?? {}).filter(([step]) => step in steps));
}
