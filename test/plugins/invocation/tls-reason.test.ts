import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { certificate, privateKey } from '../../core/egress/self-signed.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

const UNREACHABLE = 'The call to the endpoint failed. No usable connection could be made.';

describe('An endpoint with a self-signed certificate', () => {
  onEveryEngine((engine) => {
    let server: Server;
    let stage: Stage;
    let of: Playable;
    before(async () => {
      server = createServer({ cert: certificate, key: privateKey }, (_, response) => response.end('{}'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      stage = await startStage(engine);
      const { port } = server.address() as AddressInfo;
      of = await stage.play({ version: { url: `https://127.0.0.1:${port}/` } });
    });
    after(async () => {
      await stage.stop();
      server.close();
    });

    const messageFor = async (token: string): Promise<string> => {
      const { body } = await stage.call(of, {}, token);
      expect(body).to.include({ status: 'failed', error_code: 'upstream_unreachable' });
      return body.error_message;
    };

    it('reads like a closed port to a caller', async () => {
      expect(await messageFor(stage.alice)).to.equal(UNREACHABLE);
    });

    it('is named to an administrator, with what to do about it', async () => {
      const message = await messageFor(stage.admin);
      expect(message).to.match(/^The call to the endpoint failed\..*self-signed.*NODE_EXTRA_CA_CERTS/);
    });

    it('is named to a user who manages the algorithm', async () => {
      const bob = await stage.signUp('bob');
      const { id: user_id } = (await stage.request('GET', '/users/me', { token: bob })).body;
      const body = { algorithm_id: of.algorithm_id, user_id, permission_type: 'manage' };
      await stage.request('POST', '/permissions/grants', { token: stage.admin, body });
      expect(await messageFor(bob)).to.contain('self-signed');
    });

    it('does not make a closed port tell more, to an administrator either', async () => {
      const closed = await stage.play({ version: { url: 'http://127.0.0.1:9/' } });
      const { body } = await stage.call(closed, {}, stage.admin);
      expect(body.error_message).to.equal(UNREACHABLE);
    });
  });
});
