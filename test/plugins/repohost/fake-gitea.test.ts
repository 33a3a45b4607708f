import { expect } from 'chai';
import { giteaApi } from 'gitea-js';
import type { Scope } from '../../support/fake-gitea-rules.ts';
import { FakeGitea } from '../../support/fake-gitea.ts';

describe('the fake Gitea, asked by the client that is made from the description of the real one', () => {
  const gitea = new FakeGitea();
  before(() => gitea.start());
  after(() => gitea.stop());
  beforeEach(() => {
    gitea.reset();
    gitea.addUser('ann', 'T1');
    gitea.organisations.set('Vision', new Map([['ann', true]]));
  });

  const client = (token = 'T1') => giteaApi(gitea.url, { token });
  const statusOf = async (answer: Promise<{ status: number }>): Promise<number> =>
    answer.then(
      ({ status }) => status,
      ({ status }: { status: number }) => status,
    );
  const withScopes = (...scopes: Scope[]) => {
    gitea.addUser('ann', 'T2', scopes);
    return client('T2');
  };

  it('tells its version and the user of the token', async () => {
    expect((await client().version.getVersion()).data).to.have.property('version', '1.23.4');
    expect((await client().user.userGetCurrent()).data).to.have.property('login', 'ann');
  });

  it('makes a repository for the user, and shows it', async () => {
    const wanted = {
      name: 'code',
      description: 'd',
      private: true,
      auto_init: true,
      default_branch: 'trunk',
    };
    const { status, data } = await client().user.createCurrentUserRepo(wanted);
    expect(status).to.equal(201);
    expect(data).to.include({
      name: 'code',
      full_name: 'ann/code',
      private: true,
      default_branch: 'trunk',
      empty: false,
    });
    expect((await client().repos.repoGet('ann', 'code')).data).to.deep.equal(data);
  });

  it('shows a repository by its id, and leads from its old name to the new one', async () => {
    const { data: made } = await client().user.createCurrentUserRepo({ name: 'code' });
    gitea.rename('ann/code', 'moved');
    const { data } = await client().repositories.repoGetById(made.id!);
    expect(data).to.include({ id: made.id, full_name: 'ann/moved' });
    expect((await client().repos.repoGet('ann', 'code')).data).to.deep.equal(data);
    expect(await statusOf(client().repositories.repoGetById(made.id! + 1))).to.equal(404);
  });

  it('makes a repository for an organisation', async () => {
    const { data } = await client().orgs.createOrgRepo('vision', { name: 'code' });
    expect(data).to.include({ full_name: 'Vision/code', private: false });
  });

  it('changes only what is sent', async () => {
    await client().user.createCurrentUserRepo({ name: 'code', description: 'kept' });
    const { data } = await client().repos.repoEdit('ann', 'code', { private: true });
    expect(data).to.include({ description: 'kept', private: true });
  });

  it('deletes once: 204, then 404', async () => {
    await client().user.createCurrentUserRepo({ name: 'code' });
    expect(await statusOf(client().repos.repoDelete('ann', 'code'))).to.equal(204);
    expect(await statusOf(client().repos.repoDelete('ann', 'code'))).to.equal(404);
  });

  it('refuses a second repository of the name in any case with 409', async () => {
    await client().user.createCurrentUserRepo({ name: 'code' });
    expect(await statusOf(client().user.createCurrentUserRepo({ name: 'CODE' }))).to.equal(409);
  });

  for (const name of ['', 'a b', 'a..b', '.', '-', 'x.git', 'x.wiki', 'x'.repeat(101)]) {
    it(`refuses the name "${name.slice(0, 10)}" with 422`, async () => {
      expect(await statusOf(client().user.createCurrentUserRepo({ name }))).to.equal(422);
    });
  }

  it('refuses an unknown token with 401', async () => {
    expect(await statusOf(client('wrong').user.userGetCurrent())).to.equal(401);
  });

  it('refuses a token without the scope with 403', async () => {
    expect(await statusOf(withScopes('read:user').user.createCurrentUserRepo({ name: 'x' }))).to.equal(403);
    expect(await statusOf(withScopes('write:user').user.createCurrentUserRepo({ name: 'x' }))).to.equal(403);
    expect(await statusOf(withScopes('write:repository').user.userGetCurrent())).to.equal(403);
  });

  it('hides an organisation from who is no member with 404, and refuses a member without the right with 403', async () => {
    gitea.organisations.set('Closed', new Map([['bob', true]]));
    gitea.organisations.set('Reading', new Map([['ann', false]]));
    expect(await statusOf(client().orgs.orgGet('Closed'))).to.equal(404);
    expect(await statusOf(client().orgs.createOrgRepo('Closed', { name: 'x' }))).to.equal(404);
    expect(await statusOf(client().orgs.createOrgRepo('Reading', { name: 'x' }))).to.equal(403);
  });

  it("hides other people's private repositories with 404 and refuses changes of public ones with 403", async () => {
    gitea.addUser('bob', 'T3');
    await client('T3').user.createCurrentUserRepo({ name: 'secret', private: true });
    await client('T3').user.createCurrentUserRepo({ name: 'open' });
    expect(await statusOf(client().repos.repoGet('bob', 'secret'))).to.equal(404);
    expect(await statusOf(client().repos.repoDelete('bob', 'open'))).to.equal(403);
  });

  it('refuses fields that there are not with 422', async () => {
    const wanted = { name: 'x', owner: 'bob' };
    expect(await statusOf(client().user.createCurrentUserRepo(wanted))).to.equal(422);
  });
});
