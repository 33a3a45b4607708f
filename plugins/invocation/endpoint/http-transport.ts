import { OutboundError, type Clock, type Egress, type OutboundFailure } from '../../../core/index.ts';
import type { CallErrorCode, CallOutcome, PreparedCall, Transport } from '../contract.ts';
import { outcomeOf } from './outcome.ts';

const CODES: Readonly<Record<OutboundFailure, CallErrorCode>> = {
  egress_denied: 'egress_denied',
  unreachable: 'upstream_unreachable',
  timeout: 'upstream_timeout',
  bad_response: 'upstream_bad_response',
  aborted: 'canceled',
};

/** Reaches endpoints over http and https, through the egress guard, with nothing of the caller's credentials. */
export function createHttpTransport({
  egress,
  clock,
}: {
  readonly egress: Egress;
  readonly clock: Clock;
}): Transport {
  return {
    schemes: ['http', 'https'],
    check: (url) => egress.check(url.href, 'endpoint'),
    send: (call, limits) => {
      let began: number | undefined;
      const seconds = (): number => (began === undefined ? 0 : (clock.elapsed() - began) / 1000);
      const asked = egress.request({
        url: call.callable.version.url,
        purpose: 'endpoint',
        method: 'POST',
        headers: headersOf(call),
        body: `{"input_data":${call.json.input},"params":${call.json.params}}`,
        timeoutMs: limits.timeoutMs,
        maxBytes: limits.maxOutputBytes,
        signal: limits.signal,
        onBegin: () => (began = clock.elapsed()),
      });
      return asked.then(
        (response) => outcomeOf(response, seconds()),
        (error: unknown) => failureOf(error, seconds()),
      );
    },
  };
}

function headersOf({ id, context }: PreparedCall): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, */*;q=0.5',
    'x-call-id': id,
    'x-request-id': context.requestId,
    traceparent: context.traceparent,
  };
}

function failureOf(error: unknown, seconds: number): CallOutcome {
  if (!(error instanceof OutboundError)) throw error;
  const isGone = error.failure === 'aborted';
  const message = isGone ? 'The client went away before the endpoint answered.' : error.message;
  return { ok: false, code: CODES[error.failure], message, seconds };
}
