import { expect } from 'chai';
import { DestinationRefused, guardedConnector } from '../../../core/egress/guard/connector.ts';
import type { Guard } from '../../../core/egress/guard/guard.ts';
import { resolverFor, startRawServer } from './servers.ts';

describe('the guarded connector', () => {
  it('checks the address of the peer, whatever was checked before', async () => {
    const server = await startRawServer(() => undefined);
    const to = { host: '127.0.0.1', port: server.port };
    const guard: Guard = { allowsHost: () => true, allowsAddress: () => false };
    const options = { hostname: to.host, protocol: 'http:', port: String(to.port) };
    const connect = guardedConnector(to, guard, resolverFor([]));
    const error = await new Promise<unknown>((done) => connect(options, (...outcome) => done(outcome[0])));
    await server.stop();
    expect(error).to.be.instanceOf(DestinationRefused);
  });
});
