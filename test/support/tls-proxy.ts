import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate, privateKey } from '../core/egress/self-signed.ts';

/** A proxy that ends TLS, and hands on what is below a prefix. */
export interface TlsProxy {
  /** `https://127.0.0.1:…`, without the prefix. */
  readonly url: string;
  /** The service, as `http://127.0.0.1:…`. */
  target: string;
  stop(): Promise<void>;
}

/** Starts one on a free port; with `isStripped` the service sees paths without the prefix. */
export async function startTlsProxy(prefix: string, { isStripped }: { readonly isStripped: boolean }) {
  const proxy = { url: '', target: '', stop: async () => {} };
  const server = createServer({ cert: certificate, key: privateKey }, (incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end('Not of this service.');
    const { method, headers } = incoming;
    const url = new URL(isStripped ? path.slice(prefix.length) : path, proxy.target);
    const passed = request(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.writeHead(502).end());
    return incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return proxy satisfies TlsProxy;
}
