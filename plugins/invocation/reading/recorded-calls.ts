import type { RecordedCalls } from '../../catalogue/contract.ts';
import type { CallLog, CallRecord, PayloadField } from '../contract.ts';

/** What the catalogue shows of calls. */
export function recordedCalls(calls: Pick<CallLog, 'find'>): RecordedCalls {
  return {
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
