import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { refuseTakenPort } from '../../../core/http/taken-port.ts';
import { freePort } from '../../support/free-port.ts';

describe('the port before the start', () => {
  let other: Server | undefined;
  afterEach(() => other?.close());

  const failureOf = (work: Promise<void>): Promise<Error | undefined> =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('is refused when something listens on it', async () => {
    other = createServer();
    await new Promise<void>((resolve) => other!.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await failureOf(refuseTakenPort({ host: '127.0.0.1', port }));
    expect(error).to.have.property('name', 'StartupError');
    expect(error!.message).to.equal(
      `The server cannot listen on 127.0.0.1 port ${port}: the port is in use; stop what uses it, or set PORT.`,
    );
  });

  it('is refused when the host is no address of this machine', async () => {
    const error = await failureOf(refuseTakenPort({ host: '192.0.2.1', port: 0 }));
    expect(error!.message).to.contain('check HOST and PORT');
  });

  it('is free again after the check', async () => {
    const at = { host: '127.0.0.1', port: await freePort() };
    await refuseTakenPort(at);
    await refuseTakenPort(at);
  });
});
