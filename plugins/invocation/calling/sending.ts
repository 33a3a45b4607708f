import { Problem, type Logger, withDeadline } from '../../../core/index.ts';
import type { EndpointScheme } from '../../catalogue/contract.ts';
import type { InvocationSettings } from '../config.ts';
import type {
  CallGuard,
  CallOutcome,
  PreparedCall,
  ReceivedCall,
  Transport,
  TransportLimits,
} from '../contract.ts';
import { checkedOutcome } from './outcome-check.ts';

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
      const sent = await sendInTime(transport, call, limits, logger);
      const outcome = checkedOutcome(sent, `The transport for "${schemeOf(url)}:"`);
      return outcome.ok ? await checked(call, outcome) : outcome;
    } catch (error) {
      logger.error({ err: loggable(call, error), call_id: call.id }, 'A transport failed.');
      const message =
        'The service failed while it called the endpoint; the log has the details under the id of the call.';
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
      const outcome = await arounds.reduceRight<() => Promise<CallOutcome>>(
        (next, around) => () => around(call, next),
        send,
      )();
      return checkedOutcome(outcome, 'A guard');
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

/** The limits within which a call is sent. */
export function limitsOf(
  settings: Pick<InvocationSettings, 'timeout_ms' | 'max_output_bytes'>,
  { context }: ReceivedCall,
): TransportLimits {
  return {
    timeoutMs: settings.timeout_ms,
    maxOutputBytes: settings.max_output_bytes,
    signal: context.signal,
  };
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

/** How long a transport may exceed its deadline. */
const GRACE_MS = 1000;

function transportsByScheme(transports: readonly Transport[]): ReadonlyMap<string, Transport> {
  return new Map(
    transports.flatMap((transport) => transport.schemes.map((scheme) => [scheme, transport] as const)),
  );
}

/** The scheme of an absolute URL, without the colon. */
function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':')).toLowerCase();
}

/** The schemes that the catalogue accepts besides http and https; their transports check the URLs. */
export function endpointSchemes(transports: readonly Transport[]): EndpointScheme {
  const byScheme = transportsByScheme(transports);
  return {
    schemes: [...byScheme.keys()].filter((scheme) => scheme !== 'http' && scheme !== 'https'),
    check: (url) => byScheme.get(schemeOf(url.href))?.check(url),
  };
}

/** Sends a call, and fails it when the transport has not answered a second after its deadline. */
function sendInTime(
  transport: Transport,
  call: PreparedCall,
  limits: TransportLimits,
  logger: Logger,
): Promise<CallOutcome> {
  const latestMs = limits.timeoutMs + GRACE_MS;
  return withDeadline(latestMs, transport.send(call, limits), () => {
    const scheme = schemeOf(call.callable.version.url);
    logger.error({ call_id: call.id, scheme }, 'A transport did not answer within its deadline.');
    const seconds = latestMs / 1000;
    const message = `The transport for "${scheme}:" did not answer within ${seconds} s. Tell the operator of its plugin.`;
    return { ok: false, code: 'upstream_timeout', message, seconds };
  });
}

/** The part of an error that may be logged: under a payload policy only its kind, as a message may quote payload. */
function loggable({ payloadPolicy }: PreparedCall, error: unknown): unknown {
  if (!payloadPolicy) return error;
  return error instanceof Error ? error.name : typeof error;
}
