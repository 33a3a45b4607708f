import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import type { Fault } from '../../support/fake-gitea.ts';
import { certificate, privateKey } from '../../core/egress/self-signed.ts';
import { TIMEOUT_MS } from './timeout.ts';
import { Stage, TOKEN } from './support.ts';

interface Case {
  readonly what: string;
  readonly fault: Fault;
  readonly status: number;
  readonly code: string;
  readonly description?: RegExp;
}

const status = (code: number, message?: string): Fault => ({
  kind: 'status',
  status: code,
  ...(message === undefined ? {} : { body: JSON.stringify({ message }) }),
});

const cases: Case[] = [
  {
    what: 'answers 500',
    fault: status(500, 'oh dear'),
    status: 502,
    code: 'code_host_failed',
    description: /500.*oh dear/,
  },
  {
    what: 'answers 422',
    fault: status(422, 'no room'),
    status: 502,
    code: 'code_host_failed',
    description: /no room/,
  },
  { what: 'answers 200 where 201 is due', fault: status(203), status: 502, code: 'code_host_failed' },
  { what: 'does not know the token', fault: status(401), status: 502, code: 'code_host_token_refused' },
  {
    what: 'misses a scope',
    fault: status(403, 'required scope(s): [write:repository]'),
    status: 502,
    code: 'code_host_token_refused',
    description: /write:repository/,
  },
  { what: 'never answers', fault: { kind: 'hang' }, status: 504, code: 'code_host_timeout' },
  {
    what: 'answers too late',
    fault: { kind: 'slow', ms: 2 * TIMEOUT_MS },
    status: 504,
    code: 'code_host_timeout',
  },
  { what: 'breaks the connection', fault: { kind: 'drop' }, status: 502, code: 'code_host_failed' },
  {
    what: 'sends us to another server',
    fault: { kind: 'status', status: 302, headers: { location: 'http://127.0.0.2:9/api/v1/user' } },
    status: 502,
    code: 'code_host_failed',
    description: /elsewhere/,
  },
  {
    what: 'sends us out of its API',
    fault: { kind: 'status', status: 307, headers: { location: '/login' } },
    status: 502,
    code: 'code_host_failed',
  },
  ...(['utf8', 'base64', 'hex'] as const).map((form) => ({
    what: `repeats the token in its words, as ${form}`,
    fault: status(500, `bad ${Buffer.from(TOKEN).toString(form)}`),
    status: 502,
    code: 'code_host_failed',
    description: /bad \*\*\*/,
  })),
];

const malformed: Record<string, string> = {
  'no JSON': '<html>Welcome</html>',
  'half of it': '{"login": "rob',
  'a list': '[]',
  null: 'null',
  nothing: '',
  'something else': '{"hello": "world"}',
  'a login that is no text': '{"login": 7}',
  'more than is read': `{"login": "robot", "padding": "${'x'.repeat(1_048_576)}"}`,
};

describe('repohost: a server that fails', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();
    before(() => stage.open(engine));
    after(() => stage.close());
    beforeEach(() => stage.reset());

    for (const { what, fault, status: expected, code, description } of cases) {
      it(`that ${what}: ${expected} ${code}, and nothing is entered`, async () => {
        const id = await stage.algorithm();
        stage.gitea.faults.set('*', fault);
        const { status: answered, body, headers } = await stage.create(id);
        expect([answered, body.code]).to.deep.equal([expected, code]);
        expect(headers['content-type']).to.include('application/problem+json');
        if (description) expect(body.detail).to.match(description);
        expect(JSON.stringify(body)).to.not.include(TOKEN);
        expect(await stage.entries(id)).to.deep.equal([]);
      });
    }

    for (const [what, body] of Object.entries(malformed)) {
      it(`that answers ${what} for a user: 502`, async () => {
        stage.gitea.faults.set('GET /user', { kind: 'body', body });
        const { status: answered, body: problem } = await stage.create(await stage.algorithm());
        expect([answered, problem.code]).to.deep.equal([502, 'code_host_failed']);
      });
    }

    it('that is not there: 502', async () => {
      await stage.configure({ server_url: 'http://127.0.0.1:1' });
      const { status: answered, body } = await stage.create(await stage.algorithm());
      expect([answered, body.code]).to.deep.equal([502, 'code_host_failed']);
    });

    it('that describes the new repository wrongly: 502', async () => {
      const fault: Fault = { kind: 'status', status: 201, body: '{"id": "one", "name": "x"}' };
      stage.gitea.faults.set('POST /user/repos', fault);
      const { status: answered } = await stage.create(await stage.algorithm());
      expect(answered).to.equal(502);
    });

    for (const field of ['id', 'full_name', 'private', 'clone_url', 'default_branch']) {
      it(`that describes the new repository without ${field} is asked again`, async () => {
        stage.gitea.faults.set('POST /user/repos', { kind: 'lacks', field });
        const id = await stage.algorithm();
        const { status: answered, body } = await stage.create(id);
        expect([answered, body.full_name]).to.deep.equal([200, `robot/algo-${id}`]);
        expect(await stage.entries(id)).to.have.length(1);
      });

      it(`that never tells ${field}: 502, the new repository is deleted again, and the next attempt succeeds`, async () => {
        const id = await stage.algorithm();
        for (const call of ['POST /user/repos', `GET /repos/robot/algo-${id}`]) {
          stage.gitea.faults.set(call, { kind: 'lacks', field });
        }
        const { status: answered, body } = await stage.create(id);
        expect([answered, body.code]).to.deep.equal([502, 'code_host_failed']);
        expect(body.detail).to.include(`robot/algo-${id} was deleted there again`);
        stage.gitea.faults.clear();
        expect((await stage.create(id)).status).to.equal(200);
      });
    }

    it('that tells nothing of the new repository and keeps it: 502 that says so', async () => {
      const id = await stage.algorithm();
      const path = `/repos/robot/algo-${id}`;
      stage.gitea.faults.set('POST /user/repos', { kind: 'lacks', field: 'id' });
      stage.gitea.faults.set(`GET ${path}`, { kind: 'status', status: 500 });
      stage.gitea.faults.set(`DELETE ${path}`, { kind: 'status', status: 500 });
      const { status: answered, body } = await stage.create(id);
      expect(answered).to.equal(502);
      expect(body.detail).to.include(`delete it there`).and.include(`robot/algo-${id}`);
    });

    it('that tells of a new repository and has none: 502, and the one that had the name before stays', async () => {
      const id = await stage.algorithm();
      stage.gitea.take('robot/older');
      stage.gitea.renamed.set(`robot/algo-${id}`, 'robot/older');
      stage.gitea.faults.set('POST /user/repos', { kind: 'status', status: 201, body: '{}' });
      expect((await stage.create(id)).status).to.equal(502);
      expect(stage.gitea.repository('robot/older')).to.not.equal(undefined);
    });

    it('that starts elsewhere: 502 that names where its API is expected', async () => {
      await stage.configure({ server_url: `${stage.gitea.url}/team` });
      const { status: answered, body } = await stage.ask('POST', '/test');
      expect([answered, body.code]).to.deep.equal([502, 'code_host_failed']);
      expect(body.detail).to.include('404').and.include(`${stage.gitea.url}/team/api/v1`);
    });

    for (const name of ['html_url', 'clone_url']) {
      it(`that gives the new repository the ${name} of a script: 502, and nothing is entered`, async () => {
        const addresses = { html_url: 'https://a.example/x', clone_url: 'https://a.example/x.git' };
        const whole = {
          id: 1,
          name: 'x',
          full_name: 'robot/x',
          description: '',
          private: true,
          ...addresses,
        };
        const body = JSON.stringify({ ...whole, default_branch: 'main', [name]: 'javascript:alert(1)' });
        stage.gitea.faults.set('POST /user/repos', { kind: 'status', status: 201, body });
        const id = await stage.algorithm();
        expect([(await stage.create(id)).status, await stage.entries(id)]).to.deep.equal([502, []]);
      });
    }

    it('that hands out a token without scopes: 502 that names the scope', async () => {
      stage.gitea.addUser('robot', TOKEN, ['read:user']);
      const { status: answered, body } = await stage.create(await stage.algorithm());
      expect([answered, body.code]).to.deep.equal([502, 'code_host_token_refused']);
      expect(body.detail).to.match(/scope.*write:user/);
    });

    it('that is not configured: 503', async () => {
      await stage.ask('DELETE', '/config');
      for (const [method, path] of [
        ['POST', '/repos/create'],
        ['POST', '/test'],
      ] as const) {
        const { status: answered, body } = await stage.ask(method, path, {
          algorithm_id: await stage.algorithm(),
        });
        expect([answered, body.code]).to.deep.equal([503, 'code_host_not_configured']);
      }
    });

    describe('the test of the connection', () => {
      it('tells version, login and owner', async () => {
        const { status: answered, body } = await stage.ask('POST', '/test');
        expect(answered).to.equal(200);
        expect(body).to.include({ success: true, version: '1.23.4', login: 'robot', owner: 'robot' });
      });

      it('knows an organisation from nobody', async () => {
        stage.gitea.organisations.set('Vision', new Map([['robot', true]]));
        await stage.configure({ default_owner: 'Vision' });
        expect((await stage.ask('POST', '/test')).body).to.include({ owner: 'Vision' });
        await stage.configure({ default_owner: 'Nobody' });
        const { status: answered, body } = await stage.ask('POST', '/test');
        expect(answered).to.equal(502);
        expect(body.detail).to.include('Nobody');
      });

      it('says when the token is refused', async () => {
        await stage.configure({ access_token: 'another' });
        const { status: answered, body } = await stage.ask('POST', '/test');
        expect([answered, body.code]).to.deep.equal([502, 'code_host_token_refused']);
      });

      it('names a self-signed certificate, and what to do about it', async () => {
        const server = createServer({ cert: certificate, key: privateKey });
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        await stage.configure({ server_url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
        const { status: answered, body } = await stage.ask('POST', '/test');
        server.close();
        expect([answered, body.code]).to.deep.equal([502, 'code_host_failed']);
        expect(body.detail).to.match(/self-signed.*NODE_EXTRA_CA_CERTS/);
      });

      it('changes nothing there', async () => {
        await stage.ask('POST', '/test');
        expect(stage.gitea.requests.map(({ method }) => method)).to.not.include.members([
          'POST',
          'PATCH',
          'DELETE',
        ]);
      });
    });
  });
});
