import type { TLSSocket } from 'node:tls';
import { EgressDenied } from '../errors/core-problems.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Connected } from './egress.ts';
import { ConnectionFailed, guardedConnector, type Lookup } from './guard/connector.ts';
import type { Guard } from './guard/guard.ts';
import type { Target } from './guard/target.ts';
import { tlsReasonOf } from './tls-reason.ts';

export interface ProbeOptions {
  readonly guard: Guard;
  readonly lookup: Lookup;
  /** The message when the guard refuses the destination. */
  readonly denied: string;
}

/**
 * Connects to a server within `timeoutMs`, sends it nothing, and disconnects. Throws `EgressDenied` for a destination that
 * is refused and otherwise an error whose message, which is for operators, says why.
 */
export function probe(target: Target, timeoutMs: number, options: ProbeOptions): Promise<Connected> {
  const { guard, lookup, denied } = options;
  const { protocol, hostname, host, port } = new URL(target.origin);
  const connected = new Promise<Connected>((resolve, reject) => {
    const connect = guardedConnector(target, guard, lookup);
    connect({ protocol, hostname, host, port } as Parameters<typeof connect>[0], (error, socket) => {
      if (error !== null || socket === null) return reject(reasonOf(error, denied));
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

function reasonOf(error: Error | null, denied: string): Error {
  if (!(error instanceof ConnectionFailed)) return EgressDenied(denied);
  const cause =
    error.cause instanceof AggregateError ? (error.cause.errors[0] as Error) : (error.cause as Error);
  return new Error(tlsReasonOf(cause) ?? `${cause.message}.`, { cause });
}
