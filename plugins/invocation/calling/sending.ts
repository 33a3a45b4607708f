import { Problem, type Logger } from '../../../core/index.ts';
import type { CallGuard, CallOutcome, PreparedCall, Transport, TransportLimits } from '../contract.ts';
import { loggable } from '../payload/loggable.ts';
import { schemeOf, sendInTime, transportsByScheme } from './transports.ts';

export interface SenderDeps {
  readonly transports: readonly Transport[];
  readonly guards: readonly CallGuard[];
  readonly logger: Logger;
  /** Awaited after the guards and before the endpoint is called. What it throws refuses the call. */
  readonly begin?: ((call: PreparedCall) => Promise<void>) | undefined;
}

/** Sends a call to its endpoint, through the guards. */
export type Sender = (call: PreparedCall, limits: TransportLimits) => Promise<CallOutcome>;

/** Makes a sender from the guards, the transport for the scheme of the URL, and the check of the output. */
export function createSender({ transports, guards, logger, begin }: SenderDeps): Sender {
  const byScheme = transportsByScheme(transports);
  const arounds = guards.flatMap((guard) => (guard.around ? [guard.around.bind(guard)] : []));

  const ask = async (call: PreparedCall, limits: TransportLimits): Promise<CallOutcome> => {
    const { url } = call.callable.version;
    const transport = byScheme.get(schemeOf(url));
    if (!transport) return noTransport(url);
    try {
      const outcome = await sendInTime(transport, call, limits, logger);
      return outcome.ok ? await checked(call, outcome) : outcome;
    } catch (error) {
      logger.error({ err: loggable(call, error), call_id: call.id }, 'A transport failed.');
      const message = 'The way to the endpoint failed here.';
      return { ok: false, code: 'upstream_error', message, seconds: 0 };
    }
  };

  return async (call, limits) => {
    let begun: Promise<void> | undefined;
    let asked: Promise<CallOutcome> | undefined;
    const send = async (): Promise<CallOutcome> => {
      if (begin) await (begun ??= begin(call));
      return (asked = ask(call, limits));
    };
    try {
      return await arounds.reduceRight<() => Promise<CallOutcome>>(
        (next, around) => () => around(call, next),
        send,
      )();
    } catch (error) {
      // A guard may refuse a call only before the endpoint is called; after that the call must be recorded.
      if (!asked) throw error;
      logger.error(
        { err: loggable(call, error), call_id: call.id },
        'A guard failed after the endpoint was called.',
      );
      return asked;
    }
  };
}

function noTransport(url: string): CallOutcome {
  const message = `No enabled plugin reaches addresses that begin with "${schemeOf(url)}:". Ask a manager of the version.`;
  return { ok: false, code: 'upstream_unreachable', message, seconds: 0 };
}

/** Checks the output against the output schema of the version. */
async function checked(call: PreparedCall, outcome: CallOutcome & { ok: true }): Promise<CallOutcome> {
  const invalid = (message: string): CallOutcome => {
    return { ok: false, code: 'output_invalid', message, seconds: outcome.seconds };
  };
  try {
    const { checkOutput, checksAnswer } = call.callable;
    const isAsGiven = checksAnswer && 'answer' in outcome;
    const findings = await checkOutput(isAsGiven ? outcome.answer : outcome.output);
    if (findings.length === 0) return outcome;
    const places = findings.slice(0, 3).map(({ pointer, message }) => `${pointer || '/'} ${message}`);
    return invalid(
      `The endpoint answered what the output schema of the version does not allow: ${places.join('; ')}`,
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return invalid(`The output could not be checked. ${error.message}`);
  }
}
