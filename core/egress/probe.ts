import type { TLSSocket } from 'node:tls';
import { EgressDenied } from '../errors/problems.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Connected } from './egress.ts';
import { DENIED } from './failures.ts';
import { parseAllowList } from './guard/allow-list.ts';
import { ConnectionFailed, guardedConnector, systemResolver } from './guard/connector.ts';
import { operatorGuard, userGuard, type Guard } from './guard/guard.ts';
import { targetOf } from './guard/target.ts';
import type { EgressValues } from './settings.ts';
import { tlsReasonOf } from './tls-reason.ts';

/** Connects to a server to see whether it can be reached, and sends it nothing. */
export interface EndpointProbe {
  /**
   * Connects within `timeoutMs` and disconnects. `owner`: who chose the URL; what a user chose passes the guard of endpoints.
   * Throws `EgressDenied` for a URL that is refused and otherwise an error whose message, which is for operators, says why.
   */
  connect(url: string, timeoutMs: number, owner: 'user' | 'operator'): Promise<Connected>;
}

/** Makes the probe. Its connections pass the same guard as calls. */
export function createEndpointProbe(settings: EgressValues): EndpointProbe {
  const allowed = parseAllowList(settings.allow);
  const guards = { user: userGuard(settings.policy, 'endpoint', allowed), operator: operatorGuard };
  return { connect: (url, timeoutMs, owner) => connect(url, timeoutMs, guards[owner]) };
}

function connect(url: string, timeoutMs: number, guard: Guard): Promise<Connected> {
  const target = targetOf(url);
  if (typeof target === 'string') return Promise.reject(EgressDenied(target));
  if (!guard.allowsHost(target)) return Promise.reject(EgressDenied(DENIED));
  const { protocol, hostname, host, port } = new URL(url);
  const connected = new Promise<Connected>((resolve, reject) => {
    const done = guardedConnector(target, guard, systemResolver);
    done({ protocol, hostname, host, port } as Parameters<typeof done>[0], (error, socket) => {
      if (error !== null || socket === null) return reject(reasonOf(error));
      resolve({ certificateEnds: protocol === 'https:' ? endOf(socket as TLSSocket) : undefined });
      socket.destroy();
    });
  });
  return withDeadline(timeoutMs, connected, () => {
    throw new Error(`It did not accept a connection within ${timeoutMs} ms.`);
  });
}

function endOf(socket: TLSSocket): number | undefined {
  const ends = Date.parse(socket.getPeerCertificate().valid_to);
  return Number.isNaN(ends) ? undefined : ends;
}

function reasonOf(error: Error | null): Error {
  if (!(error instanceof ConnectionFailed)) return EgressDenied(DENIED);
  const cause =
    error.cause instanceof AggregateError ? (error.cause.errors[0] as Error) : (error.cause as Error);
  return new Error(tlsReasonOf(cause) ?? `${cause.message}.`, { cause });
}
