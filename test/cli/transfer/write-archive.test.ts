import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { writeArchive } from '../../../cli/transfer/archive/write-archive.ts';

/** More waits for the stream than Node allows listeners for one event. */
const BATCHES = 40;

describe('the archive of a large installation', () => {
  it('is written without listeners that add up', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-archive-'));
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    const rows = async function* (): AsyncGenerator<readonly [string][]> {
      for (let n = 0; n < BATCHES; n += 1) yield [['x'.repeat(64 * 1024)]];
    };
    const table = { name: 'large', columns: [{ name: 'text', kind: 'text' as const }], key: [] };
    try {
      await writeArchive(join(folder, 'archive'), 0, async (archive) => {
        await archive.table(table, undefined, rows());
      });
      await nextTurn();
    } finally {
      process.off('warning', note);
      rmSync(folder, { recursive: true });
    }
    expect(warnings).to.deep.equal([]);
  });
});
