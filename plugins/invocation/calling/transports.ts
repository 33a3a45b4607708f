import type { EndpointScheme } from '../../catalogue/contract.ts';
import type { Transport } from '../contract.ts';

/** The transport for each URL scheme; the first that knows a scheme has it. */
export function transportsByScheme(transports: readonly Transport[]): ReadonlyMap<string, Transport> {
  const byScheme = new Map<string, Transport>();
  for (const transport of transports) {
    for (const scheme of transport.schemes) if (!byScheme.has(scheme)) byScheme.set(scheme, transport);
  }
  return byScheme;
}

/** The scheme of an absolute URL, without colon. */
export function schemeOf(url: string): string {
  return url.slice(0, url.indexOf(':')).toLowerCase();
}

/** Tells the catalogue which schemes can be called besides http and https, and has their transports check URLs. */
export function endpointSchemes(transports: readonly Transport[]): EndpointScheme {
  const byScheme = transportsByScheme(transports);
  return {
    schemes: [...byScheme.keys()].filter((scheme) => scheme !== 'http' && scheme !== 'https'),
    check: (url) => byScheme.get(schemeOf(url.href))?.check(url),
  };
}
