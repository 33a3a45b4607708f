import type { Database } from '../../../core/index.ts';
import type { CallsOfDay, CallSums, RecordedCalls } from '../../catalogue/contract.ts';
import { ALL } from '../rollups/call-rollups.ts';
import { amongIds, listOfIds } from './id-lists.ts';
import type { CallLog, CallRecord, PayloadField } from '../contract.ts';

/** What the catalogue shows of calls. */
export function recordedCalls({
  calls,
  database,
}: {
  readonly calls: Pick<CallLog, 'find'>;
  readonly database: Database;
}): RecordedCalls {
  const { engine } = database;
  const among = `algorithm_id ${amongIds[engine]}`;
  const sums = database.read<CallSums>(
    `SELECT algorithm_id, SUM(calls) AS calls, SUM(CASE WHEN status = 'success' THEN calls ELSE 0 END) AS successes
     FROM invocation_algorithm_totals WHERE ${among} AND day = '${ALL}' GROUP BY algorithm_id`,
  );
  const days = database.read<CallsOfDay>(
    `SELECT algorithm_id, day, SUM(calls) AS calls FROM invocation_algorithm_totals
     WHERE ${among} AND day BETWEEN ? AND ? GROUP BY algorithm_id, day`,
  );
  return {
    sums: (ids) => sums.all(listOfIds(engine, ids)),
    days: (ids, from, to) => days.all(listOfIds(engine, ids), from, to),
    find: async (id, viewer) => {
      const call = await calls.find(id);
      const isTheirs = call?.user_id === viewer.userId || viewer.role === 'admin';
      if (!call || !isTheirs) return undefined;
      const { version_id } = call;
      const [input_data, params] = [whole(call, 'input_data'), whole(call, 'params')];
      return { version_id, input_data, params, output_data: whole(call, 'output_data') };
    },
  };
}

/** A field that the record holds as it was. */
function whole<F extends PayloadField>(call: CallRecord, field: F): CallRecord[F] | null {
  return call.payload?.[field] === undefined ? call[field] : null;
}
