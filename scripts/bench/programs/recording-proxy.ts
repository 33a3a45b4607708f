/**
 * A bare proxy whose answers wait until a record is durable, in batches of what came during the one before. It asks
 * nobody who calls, checks nothing and counts nothing: it shows what the record alone takes on a machine.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { newId } from '../../../core/index.ts';
import { bareProxy } from '../support/bare-proxy.ts';
import { openPlainRecords, type PlainRecord } from '../support/plain-records.ts';
import { listen } from '../support/told-port.ts';

interface Waiting {
  readonly row: PlainRecord;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const [, , upstreamPort, databaseUrl] = process.argv;
const write = await openPlainRecords(databaseUrl!);
let waiting: Waiting[] = [];
let writing: Promise<void> | undefined;

async function writeAll(): Promise<void> {
  await turn();
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    try {
      await write(batch.map(({ row }) => row));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  writing = undefined;
}

listen(
  bareProxy(upstreamPort!, (body, answer) => {
    const payload = body.toString() + answer.toString();
    return new Promise((resolve, reject) => {
      waiting.push({ row: [newId(), 'user', 'algorithm', payload], resolve, reject });
      writing ??= writeAll();
    });
  }),
);
