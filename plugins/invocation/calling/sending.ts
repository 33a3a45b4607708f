import { Problem, type Logger } from '../../../core/index.ts';
import type { CallGuard, CallOutcome, PreparedCall, Transport, TransportLimits } from '../contract.ts';
import { withDeadline } from './deadline.ts';
import { loggable } from '../payload/loggable.ts';
import { schemeOf, transportsByScheme } from './transports.ts';

export interface SenderDeps {
  readonly transports: readonly Transport[];
  readonly guards: readonly CallGuard[];
  readonly logger: Logger;
  /** Awaited once, after the guards and before the endpoint is asked; what it throws refuses the call. */
  readonly begin?: ((call: PreparedCall) => Promise<void>) | undefined;
}

/** Asks the endpoint of a call, through the guards. */
export type Sender = (call: PreparedCall, limits: TransportLimits) => Promise<CallOutcome>;

/** Makes the way to the endpoint: guards around the transport of the URL's scheme, and the output's schema behind it. */
export function createSender({ transports, guards, logger, begin }: SenderDeps): Sender {
  const byScheme = transportsByScheme(transports.map((transport) => withDeadline(transport, logger)));
  const arounds = guards.filter((guard) => guard.around !== undefined);

  const ask = async (call: PreparedCall, limits: TransportLimits): Promise<CallOutcome> => {
    const { url } = call.callable.version;
    const transport = byScheme.get(schemeOf(url));
    if (!transport) return noTransport(url);
    try {
      const outcome = await transport.send(call, limits);
      return outcome.ok ? await checked(call, outcome) : outcome;
    } catch (error) {
      logger.error({ err: loggable(call, error), call_id: call.id }, 'A transport failed.');
      return {
        ok: false,
        code: 'upstream_error',
        message: 'The way to the endpoint failed here.',
        seconds: 0,
      };
    }
  };

  return (call, limits) => {
    if (arounds.length === 0) return begin ? begin(call).then(() => ask(call, limits)) : ask(call, limits);
    let asked: Promise<CallOutcome> | undefined;
    const sendNow = (): Promise<CallOutcome> => (asked = ask(call, limits));
    const send = begin ? afterOnce(() => begin(call), sendNow) : sendNow;
    const guarded = arounds.reduceRight((next, guard) => () => guard.around!(call, next), send);
    const recovered = (error: unknown): Promise<CallOutcome> => {
      // What was asked must be recorded; a guard that refuses before that, refuses the call.
      if (!asked) throw error;
      logger.error(
        { err: loggable(call, error), call_id: call.id },
        'A guard failed after the endpoint was asked.',
      );
      return asked;
    };
    try {
      return guarded().catch(recovered);
    } catch (error) {
      return recovered(error);
    }
  };
}

/** Does the second each time, and the first before the first time. */
function afterOnce<T>(first: () => Promise<void>, second: () => Promise<T>): () => Promise<T> {
  let done: Promise<void> | undefined;
  return async () => {
    await (done ??= first());
    return second();
  };
}

function noTransport(url: string): CallOutcome {
  const message = `No enabled plugin reaches addresses that begin with "${schemeOf(url)}:". Ask whoever manages the version.`;
  return { ok: false, code: 'upstream_unreachable', message, seconds: 0 };
}

/** A version may say what its outputs look like; one that does not is a failed call. */
async function checked(call: PreparedCall, outcome: CallOutcome & { ok: true }): Promise<CallOutcome> {
  const { seconds } = outcome;
  try {
    const findings = await call.callable.checkOutput(outcome.output);
    if (findings.length === 0) return outcome;
    const places = findings.slice(0, 3).map(({ pointer, message }) => `${pointer || '/'} ${message}`);
    const message = `The endpoint answered what the output schema of the version does not allow: ${places.join('; ')}`;
    return { ok: false, code: 'output_invalid', message, seconds };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ok: false,
      code: 'output_invalid',
      message: `The output could not be checked. ${error.message}`,
      seconds,
    };
  }
}
