import { expect } from 'chai';
import { lowestIdAt } from '../../../../core/index.ts';
import { coreMigrations } from '../../../../core/persistence/migrations/core-migrations.ts';
import { migrations } from '../../../../plugins/invocation/migrations.ts';
import { makeRoom } from '../../../../plugins/invocation/partitions/make-room.ts';
import { partitionsOf } from '../../../../plugins/invocation/partitions/partition.ts';
import { TestDatabase } from '../../../core/persistence/support.ts';

const PREFIX = 'invocation_calls_';

describe('Room for call records that are loaded', () => {
  const on = new TestDatabase();
  beforeEach(() => on.open('postgres', [coreMigrations, { id: 'invocation', migrations }]));
  afterEach(() => on.close());

  const roomFor = (first: string, last: string, table = 'invocation_calls') =>
    on.database.alone((trx) =>
      makeRoom(trx, { table, first: lowestIdAt(Date.parse(first)), last: lowestIdAt(Date.parse(last)) }),
    );
  const names = async (): Promise<string[]> =>
    (await partitionsOf(on.database.knex)).map(({ name }) => name.slice(PREFIX.length));

  it('is a partition for each month from the first record to the one after the last', async () => {
    await roomFor('2025-11-30T23:59:59.999Z', '2026-01-01T00:00:00.000Z');
    expect(await names()).to.deep.equal(['first', '2025_11', '2025_12', '2026_01', '2026_02']);
  });

  it('stays when it is made again, for more', async () => {
    await roomFor('2026-01-15T00:00:00Z', '2026-01-16T00:00:00Z');
    await roomFor('2026-01-15T00:00:00Z', '2026-02-16T00:00:00Z');
    expect(await names()).to.deep.equal(['first', '2026_01', '2026_02', '2026_03']);
  });

  it('is of ten years at most, whatever a clock said', async () => {
    await roomFor('1970-01-01T00:00:00Z', '2026-01-16T00:00:00Z');
    const made = await names();
    expect(made.slice(0, 2)).to.deep.equal(['first', '2016_01']);
    expect(made).to.have.length(123);
    expect(made.at(-1)).to.equal('2026_02');
  });

  it('is not made for other tables', async () => {
    await roomFor('2026-01-15T00:00:00Z', '2026-01-16T00:00:00Z', 'invocation_open_calls');
    expect(await names()).to.deep.equal(['first']);
  });
});
