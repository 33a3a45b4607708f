import { createServer } from 'node:net';
import { StartupError } from '../errors/startup-error.ts';
import type { ServerOptions } from './server-settings.ts';

/** Throws `StartupError` when the server could not listen on its address now. */
export function refuseTakenPort({ host, port }: Pick<ServerOptions, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', (error) => reject(cannotListen(error, host, port)));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

/** The error of a server that cannot listen, in words for the operator. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): StartupError {
  const reason =
    error.code === 'EADDRINUSE'
      ? 'the port is in use; stop what uses it, or set PORT'
      : `${error.message}; check HOST and PORT`;
  return new StartupError(`The server cannot listen on ${host} port ${port}: ${reason}.`, [], {
    cause: error,
  });
}
