import { OutboundError, Problem, type Clock, type Egress } from '../../../../core/index.ts';
import type { CallErrorCode, CallOutcome, PreparedCall, Transport } from '../../contract.ts';
import { outcomeOf } from './outcome.ts';

const CODES: Readonly<Record<Exclude<OutboundError['failure'], 'aborted'>, CallErrorCode>> = {
  egress_denied: 'egress_denied',
  unreachable: 'upstream_unreachable',
  timeout: 'upstream_timeout',
  bad_response: 'upstream_bad_response',
};

const CANCELED = 'The client went away before the endpoint answered.';
const STOPPED = 'The service stopped before the endpoint answered; it may have done its work all the same.';

/** Makes the transport for http and https. It sends through the egress guard, without the caller's credentials. */
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
      const began = clock.elapsed();
      const seconds = (): number => (clock.elapsed() - began) / 1000;
      const asked = egress.request({
        url: call.callable.version.url,
        purpose: 'endpoint',
        method: 'POST',
        headers: headersOf(call),
        body: `{"input_data":${call.json.input},"params":${call.json.params}}`,
        timeoutMs: limits.timeoutMs,
        maxBytes: limits.maxOutputBytes,
        signal: limits.signal,
      });
      return asked.then(
        (response) => outcomeOf(response, limits.maxOutputBytes, seconds()),
        (error: unknown) => failureOf(error, limits.signal, seconds()),
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

function failureOf(error: unknown, signal: AbortSignal, seconds: number): CallOutcome {
  if (!(error instanceof OutboundError)) throw error;
  if (error.failure !== 'aborted')
    return {
      ok: false,
      code: CODES[error.failure],
      message: `The call to the endpoint failed. ${error.message}`,
      seconds,
      reasonForManagers: error.tlsReason,
    };
  return signal.reason instanceof Problem
    ? { ok: false, code: 'interrupted', message: STOPPED, seconds }
    : { ok: false, code: 'canceled', message: CANCELED, seconds };
}
