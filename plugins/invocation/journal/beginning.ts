import type { PreparedCall } from '../contract.ts';
import type { PayloadKeeper } from '../payload/keeper.ts';
import { runningRowOf } from '../recording/call-row.ts';
import type { Recorder } from '../recording/recorder.ts';

/** Writes down that a call begins, with no more of it than the payload policy keeps. */
export function beginning({
  recorder,
  payloads,
}: {
  readonly recorder: Recorder;
  readonly payloads: PayloadKeeper;
}): (call: PreparedCall) => Promise<void> {
  return (call) => {
    const row = runningRowOf(call);
    const { payloadPolicy } = call;
    return recorder.begin(payloadPolicy === null ? row : payloads.reduced(row, payloadPolicy));
  };
}
