import type { PreparedCall } from '../contract.ts';
import type { PayloadKeeper } from '../payload/keeper.ts';
import { runningRowOf } from '../recording/call-row.ts';
import type { CallRecorder } from '../recording/recorder.ts';

/** Makes the function that records the beginning of a call, reduced by its payload policy. */
export function beginning({
  recorder,
  payloads,
}: {
  readonly recorder: CallRecorder;
  readonly payloads: PayloadKeeper;
}): (call: PreparedCall) => Promise<void> {
  return (call) => {
    const row = runningRowOf(call);
    const { payloadPolicy } = call;
    return recorder.begin(payloadPolicy === null ? row : payloads.reduced(row, payloadPolicy));
  };
}
