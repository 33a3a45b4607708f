import type { AddressInfo, Server } from 'node:net';

/** Tells the benchmark that this process is ready, and ends with it. */
export function tellPort(port: number): void {
  process.on('disconnect', () => process.exit(0));
  process.send?.({ port });
}

/** Listens on a free port of this machine and tells it. */
export function listenAndTell(server: Server): void {
  server.listen(0, '127.0.0.1', () => tellPort((server.address() as AddressInfo).port));
}
