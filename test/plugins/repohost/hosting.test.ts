import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { Stage, TOKEN } from './support.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('repohost: repositories of algorithms', () => {
  onEveryEngine((engine) => {
    const stage = new Stage();
    before(() => stage.open(engine));
    after(() => stage.close());
    beforeEach(() => stage.reset());

    describe('creating', () => {
      it('makes a repository for the user of the token and answers its six fields', async () => {
        const id = await stage.algorithm();
        const { status, body } = await stage.create(id);
        expect(status).to.equal(200);
        const name = `algo-${id}`;
        expect(body).to.deep.equal({
          id: stage.gitea.repository(`robot/${name}`)?.id,
          name,
          full_name: `robot/${name}`,
          description: 'Finds edges.',
          private: true,
          html_url: `${stage.gitea.url}/robot/${name}`,
        });
      });

      it('asks with the token in the header alone, for JSON, and begins the repository with a README', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        const request = stage.gitea.requests.at(-1);
        expect(request).to.deep.include({ method: 'POST', path: '/user/repos' });
        expect(request?.headers).to.include({ authorization: `token ${TOKEN}`, accept: 'application/json' });
        expect(request?.body).to.deep.equal({
          name: `algo-${id}`,
          description: 'Finds edges.',
          private: true,
          auto_init: true,
          default_branch: 'main',
        });
      });

      it('makes a public one when the request says so', async () => {
        const { body } = await stage.create(await stage.algorithm(), { private: false });
        expect(body.private).to.equal(false);
      });

      it('needs no more than the algorithm, whose name the entry takes', async () => {
        const id = await stage.algorithm('Shortest tour');
        const { status, body } = await stage.ask('POST', '/repos/create', { algorithm_id: id });
        expect([status, body.description]).to.deep.equal([200, '']);
        expect((await stage.entries(id))[0].name).to.equal('Shortest tour');
      });

      it('adds a linked entry to the list of repositories', async () => {
        const id = await stage.algorithm();
        const { body } = await stage.create(id);
        expect(await stage.entries(id)).to.have.length(1);
        expect((await stage.entries(id))[0]).to.include({
          name: 'Edges',
          description: 'Finds edges.',
          type: 'code',
          repo_url: `${body.html_url}.git`,
          branch: 'main',
          algorithm_id: id,
          status: 'active',
        });
      });

      for (const owner of ['robot', 'Robot']) {
        it(`takes default_owner "${owner}" for the user of the token`, async () => {
          await stage.configure({ default_owner: owner });
          expect((await stage.create(await stage.algorithm())).body.full_name).to.match(/^robot\//);
        });
      }

      it('makes it for the organisation named by default_owner', async () => {
        stage.gitea.organisations.set('Vision', new Map([['robot', true]]));
        await stage.configure({ default_owner: 'Vision' });
        const { body } = await stage.create(await stage.algorithm());
        expect(body.full_name).to.match(/^Vision\/algo-/);
      });

      it('answers 502 that names a default_owner who is nobody', async () => {
        await stage.configure({ default_owner: 'Nobody' });
        const { status, body } = await stage.create(await stage.algorithm());
        expect([status, body.code]).to.deep.equal([502, 'code_host_failed']);
        expect(body.detail).to.include('"Nobody"').and.include('"robot"');
      });

      it('answers 404 for an algorithm that does not exist, and asks no server', async () => {
        const { status, body } = await stage.create(UNKNOWN);
        expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
        expect(stage.gitea.requests).to.deep.equal([]);
      });

      it('answers 409 for an algorithm that has one', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        const { status, body } = await stage.create(id);
        expect([status, body.code]).to.deep.equal([409, 'hosted_repository_exists']);
      });

      it('answers 409 when the name is taken there, and adds no entry', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        await stage.deleteEntry((await stage.entries(id))[0].id, '?hosted=keep');
        const { status, body } = await stage.create(id);
        expect([status, body.code]).to.deep.equal([409, 'hosted_repository_exists']);
        expect(await stage.entries(id)).to.deep.equal([]);
      });

      it('makes one repository and one entry when it is asked twice at once', async () => {
        const id = await stage.algorithm();
        const answers = await Promise.all([stage.create(id), stage.create(id)]);
        expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
        expect(await stage.entries(id)).to.have.length(1);
        expect(stage.gitea.repositories.size).to.equal(1);
      });

      for (const body of [{}, { algorithm_id: 7 }, { algorithm_id: '' }]) {
        it(`refuses ${JSON.stringify(body)} with 422`, async () => {
          const answer = await stage.ask('POST', '/repos/create', body);
          expect(answer.status).to.equal(422);
          expect(answer.body.errors[0].pointer).to.equal('/body/algorithm_id');
        });
      }
    });

    describe('changing', () => {
      it('changes description and visibility there, and the description in the list', async () => {
        const id = await stage.algorithm();
        const { body: made } = await stage.create(id);
        const { status, body } = await stage.ask('PATCH', '/repos/update', {
          algorithm_id: id,
          description: 'New words.',
          private: false,
        });
        expect(status).to.equal(200);
        expect(body).to.include({ success: true });
        expect(stage.gitea.repository(made.full_name)).to.include({
          description: 'New words.',
          private: false,
        });
        expect((await stage.entries(id))[0].description).to.equal('New words.');
      });

      it('sends only what is named', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        await stage.ask('PATCH', '/repos/update', { algorithm_id: id, private: false });
        expect(stage.gitea.requests.at(-1)?.body).to.deep.equal({ private: false });
        expect((await stage.entries(id))[0].description).to.equal('Finds edges.');
      });

      it('leaves the entry as it is when it says so already', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        const before = await stage.entries(id);
        const same = { algorithm_id: id, description: 'Finds edges.' };
        expect((await stage.ask('PATCH', '/repos/update', same)).status).to.equal(200);
        expect(await stage.entries(id)).to.deep.equal(before);
      });

      it('follows a repository that was renamed on the same server, and enters its new address', async () => {
        const id = await stage.algorithm();
        const { body: made } = await stage.create(id);
        stage.gitea.rename(made.full_name, 'new-name');
        const { status } = await stage.ask('PATCH', '/repos/update', { algorithm_id: id, description: 'x' });
        expect(status).to.equal(200);
        expect(stage.gitea.repository('robot/new-name')?.description).to.equal('x');
        expect((await stage.entries(id))[0]).to.include({
          description: 'x',
          repo_url: `${stage.gitea.url}/robot/new-name.git`,
        });
      });

      it('follows it when another one has taken its name, which stays as it is', async () => {
        const id = await stage.algorithm();
        const { body: made } = await stage.create(id);
        stage.gitea.rename(made.full_name, 'new-name');
        stage.gitea.take(made.full_name);
        const changes = { algorithm_id: id, description: 'x', private: false };
        expect((await stage.ask('PATCH', '/repos/update', changes)).status).to.equal(200);
        expect(stage.gitea.repository('robot/new-name')).to.include({ description: 'x', private: false });
        expect(stage.gitea.repository(made.full_name)).to.include({ description: 'theirs', private: true });
      });

      for (const taken of ['with another id', 'with the same id, on a server that was set up anew']) {
        it(`answers 404 when it was deleted there and its name taken ${taken}`, async () => {
          const id = await stage.algorithm();
          const { body: made } = await stage.create(id);
          stage.gitea.repositories.clear();
          stage.gitea.take(made.full_name, taken.includes('same') ? made.id : made.id + 1);
          const changes = { algorithm_id: id, description: 'x' };
          const { status, body } = await stage.ask('PATCH', '/repos/update', changes);
          expect([status, body.code]).to.deep.equal([404, 'hosted_repository_not_found']);
          expect(stage.gitea.repository(made.full_name)?.description).to.equal('theirs');
        });
      }

      it('finds one again whose server does not tell when it was made', async () => {
        const id = await stage.algorithm();
        stage.gitea.faults.set('POST /user/repos', { kind: 'lacks', field: 'created_at' });
        await stage.create(id);
        const { status } = await stage.ask('PATCH', '/repos/update', { algorithm_id: id, description: 'x' });
        expect(status).to.equal(200);
      });

      it('refuses another name, and takes the one that it has', async () => {
        const id = await stage.algorithm();
        const { body: made } = await stage.create(id);
        const rename = (name: string) =>
          stage.ask('PATCH', '/repos/update', { algorithm_id: id, description: 'x', name });
        const { status, body } = await rename('other');
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/name']);
        expect((await rename(made.name)).status).to.equal(200);
      });

      it('answers 404 for an algorithm without one', async () => {
        const { status, body } = await stage.ask('PATCH', '/repos/update', {
          algorithm_id: await stage.algorithm(),
        });
        expect([status, body.code]).to.deep.equal([404, 'hosted_repository_not_found']);
      });

      it('answers 404 when it was deleted there', async () => {
        const id = await stage.algorithm();
        await stage.create(id);
        stage.gitea.repositories.clear();
        const { status, body } = await stage.ask('PATCH', '/repos/update', {
          algorithm_id: id,
          description: 'x',
        });
        expect([status, body.code]).to.deep.equal([404, 'hosted_repository_not_found']);
        expect((await stage.entries(id))[0].description).to.equal('Finds edges.');
      });
    });

    describe('deleting the entry', () => {
      const made = async () => {
        const id = await stage.algorithm();
        const { body } = await stage.create(id);
        return { id, fullName: body.full_name as string, entry: (await stage.entries(id))[0] };
      };

      it('deletes the repository there, and says so', async () => {
        const { entry, fullName } = await made();
        const { status, body } = await stage.deleteEntry(entry.id);
        expect(status).to.equal(200);
        expect(body).to.include({ success: true, repohost_deleted: true });
        expect(stage.gitea.repository(fullName)).to.equal(undefined);
      });

      it('says that it deleted nothing there when it was gone already', async () => {
        const { entry } = await made();
        stage.gitea.repositories.clear();
        expect((await stage.deleteEntry(entry.id)).body).to.include({
          success: true,
          repohost_deleted: false,
        });
      });

      it('deletes a renamed one under its new name, and not the one that has taken its old name', async () => {
        const { entry, fullName } = await made();
        stage.gitea.rename(fullName, 'new-name');
        stage.gitea.take(fullName);
        expect((await stage.deleteEntry(entry.id)).body).to.include({ repohost_deleted: true });
        expect([...stage.gitea.repositories.keys()]).to.deep.equal([fullName.toLowerCase()]);
      });

      it('deletes the entry alone when another one has taken the name of one that is gone', async () => {
        const { entry, fullName } = await made();
        stage.gitea.repositories.clear();
        stage.gitea.take(fullName);
        expect((await stage.deleteEntry(entry.id)).body).to.include({ repohost_deleted: false });
        expect(stage.gitea.repository(fullName)?.description).to.equal('theirs');
      });

      it('leaves the repository there when asked to keep it', async () => {
        const { entry, fullName } = await made();
        expect((await stage.deleteEntry(entry.id, '?hosted=keep')).body).to.include({
          repohost_deleted: false,
        });
        expect(stage.gitea.repository(fullName)).to.not.equal(undefined);
      });

      it('deletes nothing when the server fails', async () => {
        const { id, entry, fullName } = await made();
        stage.gitea.faults.set('*', { kind: 'status', status: 500 });
        expect((await stage.deleteEntry(entry.id)).status).to.equal(502);
        expect(await stage.entries(id)).to.deep.equal([entry]);
        stage.gitea.faults.clear();
        expect(stage.gitea.repository(fullName)).to.not.equal(undefined);
        expect((await stage.deleteEntry(entry.id)).body.repohost_deleted).to.equal(true);
      });

      it('does not ask a server on which it was not made', async () => {
        const { id, entry } = await made();
        await stage.configure({ server_url: 'http://127.0.0.2:1' });
        const { status, body } = await stage.deleteEntry(entry.id);
        expect([status, body.code]).to.deep.equal([503, 'code_host_not_configured']);
        expect(body.detail).to.include(stage.gitea.url);
        expect(await stage.entries(id)).to.have.length(1);
      });

      it('refuses to move the entry to another address or algorithm', async () => {
        const { entry } = await made();
        for (const change of [{ repo_url: 'https://elsewhere.example/x' }, { algorithm_id: null }]) {
          const path = `/repositories/${entry.id}`;
          const { status, body } = await stage.vitrine.request('PUT', path, {
            token: stage.admin,
            body: change,
          });
          expect([status, body.code]).to.deep.equal([409, 'repository_hosted']);
        }
      });
    });
  });
});
