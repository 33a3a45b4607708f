/** `npm run lock:migrations`: locks the steps of the built-in plugins to what they say to the database now. */
import { writeFileSync } from 'node:fs';
import { lockFaults, migrationLock } from '../../core/testing.ts';
import { builtInTables, lockPath, readLock } from './migration-lock.ts';

const before = readLock();
const now = await migrationLock(await builtInTables());
for (const fault of lockFaults(before, now)) console.log(fault);
writeFileSync(lockPath, `${JSON.stringify(now, undefined, 2)}\n`);
console.log(`${lockPath} written. A step that was released must be locked as it was.`);
