/** Asks servers over TLS and prints, as JSON, how each answered: its status, or what is wrong with its TLS. */
import { createServer as createHttpServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { createServer as createRawServer, type AddressInfo, type Server } from 'node:net';
import type { OutboundError } from '../../../core/egress/egress.ts';
import { certificate, expiredCertificate, privateKey } from './self-signed.ts';
import { egressWith, get, resolverFor } from './servers.ts';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const tls = (options: ServerOptions = {}): Server =>
  createServer({ cert: certificate, key: privateKey, ...options }, (_, response) => response.end('ok'));

const trusted = await portOf(tls());
const addresses = {
  own: `https://models.lan:${trusted}/`,
  otherName: `https://other.lan:${trusted}/`,
  expired: `https://models.lan:${await portOf(tls({ cert: expiredCertificate }))}/`,
  oldVersion: `https://models.lan:${await portOf(tls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }))}/`,
  noCipher: `https://models.lan:${await portOf(tls({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }))}/`,
  plain: `https://models.lan:${await portOf(createHttpServer((_, response) => response.end('ok')))}/`,
  hangsUp: `https://models.lan:${await portOf(createRawServer((socket) => socket.destroy()))}/`,
};

const egress = egressWith({}, resolverFor(['127.0.0.1']));
const found: Record<string, unknown> = {};
for (const [name, url] of Object.entries(addresses)) {
  found[name] = await egress.request(get(url, 'endpoint')).then(
    ({ status }) => status,
    ({ message, tlsReason }: OutboundError) => ({ message, tlsReason }),
  );
}
process.stdout.write(JSON.stringify(found), () => process.exit());
