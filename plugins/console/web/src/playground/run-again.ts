/** The call that is run once more when the playground opens it. It is kept nowhere else, so that a reload runs nothing. */
let wanted: string | undefined;

export function runOnOpening(callId: string): void {
  wanted = callId;
}

export function isToRun(callId: string | undefined): boolean {
  return callId !== undefined && callId === wanted;
}

/** Whether the call is to be run, which is answered once. */
export function takeRun(callId: string | undefined): boolean {
  const isWanted = isToRun(callId);
  wanted = undefined;
  return isWanted;
}
