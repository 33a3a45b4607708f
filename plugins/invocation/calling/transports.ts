import { withDeadline, type Logger } from '../../../core/index.ts';
import type { EndpointScheme } from '../../catalogue/contract.ts';
import type { CallOutcome, PreparedCall, Transport, TransportLimits } from '../contract.ts';

/** How long a transport may exceed its deadline. */
const GRACE_MS = 1000;

/** Maps each URL scheme to its transport; the first transport that names a scheme gets it. */
export function transportsByScheme(transports: readonly Transport[]): ReadonlyMap<string, Transport> {
  const byScheme = new Map<string, Transport>();
  for (const transport of transports) {
    for (const scheme of transport.schemes) if (!byScheme.has(scheme)) byScheme.set(scheme, transport);
  }
  return byScheme;
}

/** The scheme of an absolute URL, without the colon. */
export function schemeOf(url: string): string {
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
export function sendInTime(
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
