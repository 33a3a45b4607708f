/** The disk behind every record, without anything in front of it. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DiskOrder } from '../support/disk.ts';
import type { Times } from '../support/load.ts';
import { withStore } from '../support/service.ts';
import { timesOf } from '../support/tally.ts';
import { tellPort } from '../support/told-port.ts';

/** Then it begins at the start of the file again, as a write-ahead log does. */
const FILE_BYTES = 16 * 2 ** 20;

const clock = new Int32Array(new SharedArrayBuffer(4));

tellPort(0);
process.on('message', (order: DiskOrder) => void measure(order).then((times) => process.send?.(times)));

function measure(order: DiskOrder): Promise<Times> {
  return withStore('sqlite', async ({ dataDir }) => {
    const file = openSync(join(dataDir, 'written'), 'w');
    try {
      return write(file, order);
    } finally {
      closeSync(file);
    }
  });
}

function write(file: number, { seconds, perSecond, size }: DiskOrder): Times {
  const bytes = Buffer.alloc(size, 1);
  const took: number[] = [];
  const began = performance.now();
  for (let count = 0; count < seconds * perSecond; count += 1) {
    const due = began + (count * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) Atomics.wait(clock, 0, 0, early);
    writeSync(file, bytes, 0, size, (count * size) % FILE_BYTES);
    fdatasyncSync(file);
    took.push(performance.now() - due);
  }
  return timesOf(took);
}
