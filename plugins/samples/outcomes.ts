import { outcomeOfAnswer, type CallErrorCode, type CallOutcome } from '../invocation/contract.ts';
import type { Verdict } from './running/protocol.ts';

/** What a sentence about a failure may name. */
export interface RunFacts {
  readonly seconds: number;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly maxOutputBytes: number;
}

/** Puts what came of a job into the words of a call record. */
export function outcomeOf(verdict: Verdict, facts: RunFacts): CallOutcome {
  if (verdict.kind === 'done') return outcomeOfAnswer(JSON.parse(verdict.json), facts.seconds);
  const [code, message] = failureOf(verdict, facts);
  return { ok: false, code, message, seconds: facts.seconds };
}

function failureOf(
  verdict: Exclude<Verdict, { kind: 'done' }>,
  facts: RunFacts,
): readonly [code: CallErrorCode, message: string] {
  switch (verdict.kind) {
    case 'rejected':
      return ['upstream_rejected', verdict.message];
    case 'too-large':
      return [
        'upstream_bad_response',
        `The algorithm answered ${verdict.bytes} bytes; at most ${facts.maxOutputBytes} are accepted. Send less data.`,
      ];
    case 'timeout':
      return [
        'upstream_timeout',
        `The algorithm did not finish within ${facts.timeoutMs / 1000} s and was ended. Send less data or ask for less.`,
      ];
    case 'out-of-memory':
      return [
        'upstream_error',
        `The algorithm needed more than ${facts.memoryMb} MiB of memory and was ended. Send less data.`,
      ];
    case 'busy':
      return [
        'upstream_error',
        `All workers for embedded algorithms are busy and ${verdict.waiting} calls wait already. Try again in a while.`,
      ];
    case 'aborted':
      return ['canceled', 'The call was given up before the algorithm finished.'];
    case 'stopped':
      return ['interrupted', 'The service was stopped before the algorithm finished. Call again.'];
    case 'failed':
    case 'crashed':
      return [
        'upstream_error',
        'The algorithm failed unexpectedly. The log has the details under the id of the call.',
      ];
  }
}
