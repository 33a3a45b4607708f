import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, newId, StoreUnavailable, type Database } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import type { CallRow } from '../../../plugins/invocation/recording/call-row.ts';
import { CALL_LOG } from '../../../plugins/invocation/contract.ts';
import { createJournal } from '../../../plugins/invocation/journal/journal.ts';
import { openInsert } from '../../../plugins/invocation/journal/open-calls.ts';
import { RECORDER } from '../../../plugins/invocation/recording/recorder.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { quiet } from '../../support/quiet.ts';
import { callRow } from './support/rows.ts';
import { startStage, type Stage } from './support/stage.ts';

const MIB = 1024 * 1024;
const LARGE = 30;
const ENOUGH_CHECKS = 7;

/** A call with an input of a mebibyte that is about to ask its endpoint. */
const largeCall = (): CallRow =>
  callRow({
    status: 'running',
    input_data: Buffer.from(`"${'x'.repeat(MIB - 2)}"`).toString(),
    output_data: null,
    response_time: 0,
  });

describe('What the journal holds of calls with large inputs', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(
      async () =>
        (stage = await startStage(engine, undefined, { settings: { invocation: { journal: 'intent' } } })),
    );
    after(() => stage.stop());

    it('has no inputs of refused calls while the store is away', async () => {
      const database = stage.get(DATABASE);
      const { write } = database;
      Object.assign(database, {
        write: async () => {
          throw StoreUnavailable('The database does not answer.');
        },
      });
      try {
        const before = heldBytes();
        const begun = Array.from({ length: LARGE }, () => stage.get(RECORDER).begin(largeCall()));
        const outcomes = await Promise.allSettled(begun.splice(0));
        expect(new Set(outcomes.map(({ status }) => status))).to.deep.equal(new Set(['rejected']));
        // V8 frees long strings a moment after it has collected them.
        heldBytes();
        await pause(200);
        expect(heldBytes() - before).to.be.below((LARGE * MIB) / 4);
      } finally {
        Object.assign(database, { write });
      }
    }).timeout(20_000);

    it('is bounded for calls of a dead instance', async () => {
      const [dead, own] = [newId(), newId()];
      const rows = Array.from({ length: LARGE }, largeCall);
      const database = stage.get(DATABASE);
      const known = {
        table: 'invocation_instances',
        columns: { id: 'text', beats: 'integer' },
        rows: [[dead, 9]],
      } as const;
      await database.write([known, openInsert(rows, dead)]);
      let most = 0;
      const measured: Database = {
        ...database,
        read: <Row>(sql: string) => {
          const read = database.read<Row>(sql);
          return {
            ...read,
            all: async (...values) => {
              const found = await read.all(...values);
              most = Math.max(most, JSON.stringify(found).length);
              return found;
            },
          };
        },
      };
      const journal = createJournal({
        database: measured,
        recorder: stage.get(RECORDER),
        settings: { journal: 'end' },
        clock: { now: Date.now, elapsed: () => performance.now() },
        logger: quiet,
        instance: own,
      });
      for (let n = 0; n < ENOUGH_CHECKS; n += 1) await journal.check();
      expect(await stage.get(CALL_LOG).count({ status: 'failed' })).to.equal(LARGE);
      expect(most).to.be.below(9 * MIB);
    }).timeout(20_000);
  });
});
