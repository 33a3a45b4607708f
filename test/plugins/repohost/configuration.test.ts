import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { Stage, TOKEN } from './support.ts';

describe('repohost: the configuration', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();
    before(() => stage.open(engine));
    after(() => stage.close());
    beforeEach(() => stage.ask('DELETE', '/config'));

    const shown = async () => (await stage.ask('GET', '/config')).body;
    const whole = {
      server_url: 'https://git.example.org',
      access_token: TOKEN,
      default_owner: 'Vision',
      repo_prefix: 'algo-',
    };

    it('is empty at first', async () => {
      expect(await shown()).to.deep.equal({
        server_url: '',
        access_token: '',
        access_token_set: false,
        default_owner: '',
        repo_prefix: '',
      });
    });

    it('is saved and shown again, the token masked', async () => {
      const { status, body } = await stage.configure(whole);
      expect(status).to.equal(200);
      expect(body).to.include({ success: true });
      expect(body.message).to.be.a('string');
      expect(await shown()).to.deep.equal({ ...whole, access_token: '********', access_token_set: true });
    });

    it('asks no server when it is saved', async () => {
      await stage.configure({ ...whole, server_url: stage.gitea.url });
      expect(stage.gitea.requests).to.deep.equal([]);
    });

    for (const access_token of ['********', '', undefined]) {
      it(`keeps the token when ${JSON.stringify(access_token)} is sent for it`, async () => {
        await stage.reset();
        await stage.configure({ ...whole, server_url: stage.gitea.url, default_owner: '', access_token });
        expect((await stage.ask('POST', '/test')).body).to.include({ login: 'robot' });
      });
    }

    it('keeps what is not named', async () => {
      await stage.configure(whole);
      await stage.configure({ repo_prefix: 'other-' });
      expect(await shown()).to.include({
        server_url: whole.server_url,
        default_owner: 'Vision',
        repo_prefix: 'other-',
      });
    });

    it('keeps what others change at the same moment, from the first time on', async () => {
      const { server_url } = whole;
      for (let round = 0; round < 5; round++) {
        await stage.ask('DELETE', '/config');
        for (const more of [{ server_url }, {}]) {
          const [default_owner, repo_prefix] = [`o${round}${Object.keys(more).length}`, `p${round}-`];
          const changes = [{ default_owner }, { repo_prefix }, { access_token: TOKEN }];
          await Promise.all(changes.map((change) => stage.configure({ ...more, ...change })));
          expect(await shown()).to.include({
            server_url,
            default_owner,
            repo_prefix,
            access_token_set: true,
          });
        }
      }
    });

    it('takes back what was shown', async () => {
      await stage.configure(whole);
      expect((await stage.configure(await shown())).status).to.equal(200);
    });

    for (const [end, kept] of [
      ['/', ''],
      ['//', ''],
      ['/api/v1', ''],
      ['/api/v1/', ''],
      ['/api/swagger', ''],
      ['/git', '/git'],
      ['/git/', '/git'],
      ['/git/api/v1', '/git'],
      ['/api', '/api'],
      ['/api/v1/git', '/api/v1/git'],
    ] as const) {
      it(`takes https://git.example.org${end} for a server that starts at https://git.example.org${kept}`, async () => {
        const { body } = await stage.configure({ ...whole, server_url: `${whole.server_url}${end}` });
        expect(body.message).to.include(`https://git.example.org${kept}.`);
        expect((await shown()).server_url).to.equal(`https://git.example.org${kept}`);
      });
    }

    it('keeps a host that is named as a part of the API', async () => {
      await stage.configure({ ...whole, server_url: 'https://api/v1' });
      expect((await shown()).server_url).to.equal('https://api/v1');
    });

    it('reaches the server when the address of its API was given', async () => {
      await stage.reset({ server_url: `${stage.gitea.url}/api/v1/` });
      expect((await stage.ask('POST', '/test')).body).to.include({ login: 'robot' });
    });

    it('stores the token sealed', async () => {
      await stage.configure(whole);
      const rows = await stage.vitrine.get(DATABASE).read('SELECT * FROM repohost_configurations').all();
      expect(rows).to.have.length(1);
      for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('hex')]) {
        expect(JSON.stringify(rows)).to.not.include(form);
      }
    });

    it('is forgotten with its token when it is deleted', async () => {
      await stage.configure(whole);
      expect((await stage.ask('DELETE', '/config')).body).to.include({ success: true });
      expect(await shown()).to.include({ server_url: '', access_token_set: false });
    });

    const refused: [string, unknown][] = [
      ['server_url', ''],
      ['server_url', 'git.example.org'],
      ['server_url', 'ftp://git.example.org'],
      ['server_url', 'file:///etc/passwd'],
      ['server_url', 'javascript:alert(1)'],
      ['server_url', 'https://ann:secret@git.example.org'],
      ['server_url', 'https://git.example.org/?a=b'],
      ['server_url', 'https://git.example.org/#a'],
      ['server_url', 'http://169.254.169.254/latest'],
      ['server_url', 'http://[fd00:ec2::254]/'],
      ['server_url', 'http://metadata.google.internal/'],
      ['server_url', 7],
      ['access_token', 'with space'],
      ['access_token', 'line\nbreak'],
      ['default_owner', 'a/b'],
      ['default_owner', '../x'],
      ['repo_prefix', 'a b'],
      ['repo_prefix', '../'],
      ['repo_prefix', 'x'.repeat(61)],
    ];
    for (const [field, value] of refused) {
      it(`refuses ${field} ${JSON.stringify(value).slice(0, 40)} with 422 and changes nothing`, async () => {
        await stage.configure(whole);
        const { status, body } = await stage.configure({ ...whole, default_owner: 'Other', [field]: value });
        expect(status).to.equal(422);
        expect(body.errors[0].pointer).to.equal(`/body/${field}`);
        expect(JSON.stringify(body)).to.not.include('secret');
        expect(await shown()).to.include({ server_url: whole.server_url, default_owner: 'Vision' });
      });
    }

    const calls: [string, string, object?][] = [
      ['GET', '/config'],
      ['POST', '/config', {}],
      ['DELETE', '/config'],
      ['POST', '/test', {}],
      ['POST', '/repos/create', { algorithm_id: 'x' }],
      ['PATCH', '/repos/update', { algorithm_id: 'x' }],
    ];
    for (const [method, path, body] of calls) {
      it(`${method} ${path} is for administrators`, async () => {
        const anonymous = await stage.vitrine.request(method, `/repohost${path}`, body ? { body } : {});
        expect(anonymous.status).to.equal(401);
        expect((await stage.ask(method, path, body, stage.user)).status).to.equal(403);
      });
    }
  });
});
