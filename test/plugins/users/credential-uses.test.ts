import { expect } from 'chai';
import type { BatchInsert, Database, Logger } from '../../../core/index.ts';
import { KeptUses } from '../../../plugins/users/credential-uses.ts';
import { manualClock } from './manual-clock.ts';

describe('the last uses of credentials', () => {
  let written: BatchInsert[];
  let warnings: string[];
  let away: boolean;
  let uses: KeptUses;

  beforeEach(() => {
    written = [];
    warnings = [];
    away = false;
    const write = async (batch: readonly BatchInsert[]) => {
      if (away) throw new Error('The database is away.');
      written.push(...batch);
    };
    uses = new KeptUses({
      database: { write } as unknown as Database,
      clock: manualClock(),
      logger: { warn: (_fields: object, message: string) => warnings.push(message) } as unknown as Logger,
    });
  });

  it('are written together, one row for each', async () => {
    for (const id of ['k1', 'k2', 'k1']) uses.note(id);
    await uses.flush();
    expect(written.map(({ rows }) => rows.map(([id]) => id))).to.deep.equal([['k1', 'k2']]);
  });

  it('are not written when there are none', async () => {
    await uses.flush();
    expect(written).to.deep.equal([]);
  });

  it('are written once', async () => {
    uses.note('k1');
    await uses.flush();
    await uses.flush();
    expect(written).to.have.length(1);
  });

  it('are written at the stop', async () => {
    uses.start();
    uses.note('k1');
    await uses.stop();
    expect(written).to.have.length(1);
  });

  it('wait in bounds', async () => {
    for (let n = 0; n < 10_001; n++) uses.note(`k${n}`);
    await uses.flush();
    expect(written[0]?.rows).to.have.length(10_000);
  });

  it('are logged, and hurt nobody, when the database is away', async () => {
    away = true;
    uses.note('k1');
    await uses.flush();
    expect(warnings).to.have.length(1);
  });
});
