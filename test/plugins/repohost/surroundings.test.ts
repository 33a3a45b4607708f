import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { FakeGitea } from '../../support/fake-gitea.ts';
import { startVitrine, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';
import { TOKEN } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const ANOTHER_KEY = 'another key of at least 32 bytes, random';
const withRepohost = ['users', 'repositories', 'repohost'];

describe('repohost: with other plugins off, faults here, and another key', () => {
  onEveryEngine((engine) => {
    const gitea = new FakeGitea();
    let scratch: Scratch;
    let vitrine: Vitrine;
    let token: string;
    before(() => gitea.start());
    after(() => gitea.stop());
    beforeEach(async () => {
      gitea.reset();
      gitea.addUser('robot', TOKEN);
      scratch = await migratedScratch(engine);
      await start({ plugins: withRepohost });
      token = (await vitrine.admin()).token;
      await ask('POST', '/repohost/config', {
        server_url: gitea.url,
        access_token: TOKEN,
        repo_prefix: 'p-',
      });
    });
    afterEach(async () => {
      await vitrine.stop();
      await scratch.remove();
    });

    async function start(options: VitrineOptions): Promise<void> {
      vitrine = await startVitrine(engine, { ...options, scratch });
    }
    const restart = async (options: VitrineOptions): Promise<void> => {
      await vitrine.stop();
      await start(options);
    };
    const ask = (method: string, path: string, body?: object) =>
      vitrine.request(method, path, { token, ...(body ? { body } : {}) });
    const create = (algorithm_id: string) => ask('POST', '/repohost/repos/create', { algorithm_id });
    const entries = async () => (await ask('GET', '/repositories')).body.repositories;

    it('takes any algorithm id while the catalogue is off', async () => {
      const { status, body } = await create('my-algorithm');
      expect([status, body.full_name]).to.deep.equal([200, 'robot/p-my-algorithm']);
      expect((await entries())[0]).to.include({ name: 'p-my-algorithm', algorithm_id: 'my-algorithm' });
    });

    for (const id of ['a b', 'a/b', '../x', 'a..b', 'x.git', 'ü', 'x'.repeat(99)]) {
      it(`refuses the algorithm id "${id.slice(0, 10)}", which gives no name on the server, with 422`, async () => {
        const { status, body } = await create(id);
        expect(status).to.equal(422);
        expect(body.errors[0].pointer).to.equal('/body/algorithm_id');
        expect(gitea.requests).to.deep.equal([]);
      });
    }

    it('deletes a new repository again when its entry cannot be written', async () => {
      const { id } = (await create('first')).body;
      const { knex } = vitrine.get(DATABASE);
      const identityOfNext = `${id + 1}@2026-01-31T12:00:00.000Z`;
      await knex('repositories_repositories').update({ host_identity: identityOfNext });
      expect((await create('second')).status).to.equal(500);
      expect([...gitea.repositories.keys()]).to.deep.equal(['robot/p-first']);
      expect(await entries()).to.have.length(1);
    });

    it('deletes no hosted entry while repohost is off, unless told to keep the repository', async () => {
      await create('first');
      await restart({ plugins: ['users', 'repositories'] });
      const path = `/repositories/${(await entries())[0].id}`;
      const { status, body } = await ask('DELETE', path);
      expect([status, body.code]).to.deep.equal([503, 'code_host_away']);
      expect(await entries()).to.have.length(1);
      const kept = await ask('DELETE', `${path}?hosted=keep`);
      expect(kept.body).to.include({ success: true, repohost_deleted: false });
    });

    it('answers 503 that names SECRET_KEY when the stored token was sealed under another key', async () => {
      await restart({ plugins: withRepohost, settings: { secrets: { key: ANOTHER_KEY } } });
      const { status, body } = await ask('POST', '/repohost/test');
      expect([status, body.code]).to.deep.equal([503, 'code_host_not_configured']);
      expect(body.detail).to.include('SECRET_KEY_FALLBACK');
    });

    it('keeps the token when the key is changed, and needs the key before for one start only', async () => {
      const before = readFileSync(join(scratch.dataDir, 'secret-key'), 'utf8').trim();
      const works = async () => (await ask('POST', '/repohost/test')).status;
      await restart({
        plugins: withRepohost,
        settings: { secrets: { key: ANOTHER_KEY, fallback_key: before } },
      });
      expect(await works()).to.equal(200);
      await restart({ plugins: withRepohost, settings: { secrets: { key: ANOTHER_KEY } } });
      expect(await works()).to.equal(200);
      await restart({ plugins: withRepohost });
      expect(await works()).to.equal(503);
    });
  });
});
