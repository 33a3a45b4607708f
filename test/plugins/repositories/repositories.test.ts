import { expect } from 'chai';
import type { Problem } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE, type Catalogue } from '../../../plugins/catalogue/contract.ts';
import { ENTRIES } from '../../../plugins/repositories/entries.ts';
import { Linking } from '../../../plugins/repositories/linking.ts';
import { startVitrine, type Vitrine } from '../../support/vitrine.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe('repositories', () => {
  onEveryEngine((engine) => {
    let vitrine: Vitrine;
    let admin: string;
    let user: string;
    before(async () => {
      vitrine = await startVitrine(engine, { plugins: ['users', 'catalogue', 'repositories'] });
      admin = (await vitrine.admin()).token;
      user = (await vitrine.user('ann')).token;
    });
    after(() => vitrine.stop());

    const ask = (method: string, path = '', body?: unknown, token = admin) =>
      vitrine.request(method, `/repositories${path}`, { token, ...(body === undefined ? {} : { body }) });
    const create = async (body: object = { name: 'a repository' }) =>
      (await ask('POST', '', body)).body.repository;
    const algorithm = async (access = 'open'): Promise<string> => {
      const body = { name: 'edges', description: 'finds edges', type: 'computer_vision', access };
      return (await vitrine.request('POST', '/algorithms', { token: admin, body })).body.id as string;
    };

    describe('creating', () => {
      it('answers success, a message and the entry with every field', async () => {
        const body = {
          name: 'edge detector',
          description: 'Finds edges.',
          type: 'code',
          repo_url: 'https://git.example.org/vision/edges.git',
          branch: 'stable',
          local_path: '/srv/edges',
        };
        const { status, body: answer } = await ask('POST', '', body);
        expect(status).to.equal(200);
        expect(answer.success).to.equal(true);
        expect(answer.message).to.be.a('string').that.includes('edge detector');
        expect(answer.repository).to.deep.include({ ...body, status: 'active', algorithm_id: null });
        expect(answer.repository).to.have.all.keys(
          'id name description type repo_url branch local_path algorithm_id status host_full_name created_at updated_at'.split(
            ' ',
          ),
        );
      });

      it('needs no more than a name', async () => {
        expect(await create({ name: 'bare' })).to.deep.include({
          description: '',
          type: 'code',
          repo_url: '',
          branch: 'main',
          local_path: '',
        });
      });

      it('takes empty type and branch for not given', async () => {
        expect(await create({ name: 'form', type: '', branch: '' })).to.include({
          type: 'code',
          branch: 'main',
        });
      });

      it('ignores fields that the service decides', async () => {
        const sent = {
          name: 'x',
          id: UNKNOWN,
          status: 'archived',
          algorithm_id: UNKNOWN,
          created_at: 'long ago',
        };
        const made = await create(sent);
        expect(made).to.include({ status: 'active', algorithm_id: null });
        expect([made.id, made.created_at]).to.not.include.members([UNKNOWN, 'long ago']);
      });

      for (const body of [{}, { name: '' }, { name: '  ' }, { name: 7 }, { name: 'x'.repeat(201) }]) {
        it(`refuses ${JSON.stringify(body).slice(0, 30)} with 422 at the name`, async () => {
          const { status, body: problem } = await ask('POST', '', body);
          expect(status).to.equal(422);
          expect(problem.errors[0].pointer).to.equal('/body/name');
        });
      }
    });

    describe('the address of the code', () => {
      const accepted = [
        'https://git.example.org/team/code.git',
        'http://10.0.0.5:3000/team/code',
        'ssh://git@git.example.org:2222/team/code.git',
        'git@git.example.org:team/code.git',
      ];
      for (const repo_url of accepted) {
        it(`may be ${repo_url}`, async () => {
          expect(await create({ name: 'x', repo_url })).to.include({ repo_url });
        });
      }

      const refused = [
        'file:///etc/passwd',
        'javascript:alert(1)',
        'data:text/plain,x',
        'git+ssh://git@host/x',
        'ext::sh -c id',
        'a@ext::sh',
        'git@host:-oProxyCommand=x',
        'https://ann:secret@git.example.org/x',
        'https://token@git.example.org/x',
        'https:///x',
        'https://',
        'ssh://-oProxyCommand=id/x',
        '/srv/code',
        'https://git.example.org/a b',
        'https://git.example.org\\@evil/x',
      ];
      for (const repo_url of refused) {
        it(`is refused with 422 when it is ${repo_url}`, async () => {
          const { status, body } = await ask('POST', '', { name: 'x', repo_url });
          expect(status).to.equal(422);
          expect(body.errors[0].pointer).to.equal('/body/repo_url');
        });
      }
    });

    for (const local_path of ['../up', 'a/../b', 'a\\..\\b', '..']) {
      it(`refuses the local path ${local_path} with 422`, async () => {
        const { status, body } = await ask('POST', '', { name: 'x', local_path });
        expect(status).to.equal(422);
        expect(body.errors[0].pointer).to.equal('/body/local_path');
      });
    }

    for (const branch of ['--upload-pack=x', 'a..b', 'a b', 'a:b', 'x.lock', '/x']) {
      it(`refuses the branch ${branch} with 422`, async () => {
        const { status, body } = await ask('PUT', `/${(await create()).id}`, { branch });
        expect(status).to.equal(422);
        expect(body.errors[0].pointer).to.equal('/body/branch');
      });
    }

    describe('reading', () => {
      it('shows an entry to any account', async () => {
        const made = await create();
        const { status, body } = await ask('GET', `/${made.id}`, undefined, user);
        expect(status).to.equal(200);
        expect(body).to.deep.equal({ success: true, repository: made });
      });

      it('lists them newest first, with paging and the total', async () => {
        const label = `paging ${engine}`;
        const made = [];
        for (const n of [1, 2, 3]) made.push(await create({ name: `${label} ${n}` }));
        const { body } = await ask('GET', `?q=${encodeURIComponent(label)}&skip=1&limit=1`, undefined, user);
        expect(body).to.deep.equal({ success: true, repositories: [made[1]], total: 3 });
      });

      it('finds by a part of name or description in any case, and takes % for itself', async () => {
        const made = await create({ name: '100% Überwachung', description: 'x' });
        const found = async (q: string) =>
          (await ask('GET', `?q=${encodeURIComponent(q)}`)).body.repositories.map(
            ({ id }: { id: string }) => id,
          );
        expect(await found('0% über')).to.deep.equal([made.id]);
        expect(await found('1%rw')).to.deep.equal([]);
      });

      it('finds a name in whatever form it is typed', async () => {
        const made = await create({ name: `Mu\u0308ller ﾐｭｰﾗｰ ΟΔΟΣ ${engine}` });
        for (const q of ['MÜLLER', 'ミューラー', 'οδος']) {
          const { body } = await ask('GET', `?q=${encodeURIComponent(q)}`);
          expect(body.repositories).to.deep.equal([made]);
        }
      });

      it('lists all of them unless a limit is given', async () => {
        const type = `many ${engine}`;
        for (let n = 0; n < 105; n += 1) await create({ name: `${n}`, type });
        const query = `?type=${encodeURIComponent(type)}`;
        const lengths = [];
        for (const more of ['', '&limit=', '&limit=100', '&skip=100']) {
          lengths.push((await ask('GET', query + more)).body.repositories.length);
        }
        expect(lengths).to.deep.equal([105, 105, 100, 5]);
      });

      it('filters by type and status', async () => {
        const made = await create({ name: 'x', type: `data ${engine}` });
        const query = `?type=${encodeURIComponent(made.type)}&status=active`;
        expect((await ask('GET', query)).body.repositories).to.deep.equal([made]);
        expect((await ask('GET', query.replace('active', 'archived'))).body.total).to.equal(0);
      });

      for (const query of ['?skip=-1', '?limit=0', '?limit=1001', '?sort=name', '?status=gone']) {
        it(`refuses ${query} with 422`, async () => {
          expect((await ask('GET', query)).status).to.equal(422);
        });
      }

      for (const id of [UNKNOWN, 'nonsense', '..%2f']) {
        it(`answers 404 for ${id}`, async () => {
          const { status, body } = await ask('GET', `/${id}`);
          expect([status, body.code]).to.deep.equal([404, 'repository_not_found']);
        });
      }
    });

    describe('changing', () => {
      it('changes what is named, keeps the rest and moves updated_at', async () => {
        const made = await create({ name: 'before', description: 'kept', repo_url: 'https://a.example/x' });
        const { status, body } = await ask('PUT', `/${made.id}`, { name: 'after', status: 'archived' });
        expect(status).to.equal(200);
        expect(body.success).to.equal(true);
        const { updated_at, ...rest } = made;
        expect(body.repository).to.deep.include({ ...rest, name: 'after', status: 'archived' });
        expect(body.repository.updated_at >= updated_at).to.equal(true);
        expect((await ask('GET', `/${made.id}`)).body.repository).to.deep.equal(body.repository);
      });

      it('takes back what was read, and changes nothing by that', async () => {
        const made = await create();
        const { status, body } = await ask('PUT', `/${made.id}`, made);
        expect([status, body.repository]).to.deep.equal([200, made]);
      });

      it('takes null for what is not given', async () => {
        const made = await create({ name: 'null', description: null, type: null, branch: null });
        const { body } = await ask('PUT', `/${made.id}`, { name: null, branch: null, status: null });
        expect([made.branch, body.repository]).to.deep.equal(['main', made]);
      });

      for (const fixed of [
        { id: UNKNOWN },
        { host_full_name: 'team/other' },
        { created_at: '2000-01-01T00:00:00.000Z' },
      ]) {
        it(`refuses another ${Object.keys(fixed)[0]}, and changes nothing then`, async () => {
          const made = await create();
          const { status } = await ask('PUT', `/${made.id}`, { name: 'other', ...fixed });
          expect(status).to.equal(422);
          expect((await ask('GET', `/${made.id}`)).body.repository).to.deep.equal(made);
        });
      }

      it('links to an algorithm and takes the link away', async () => {
        const made = await create();
        const algorithm_id = await algorithm();
        const linked = await ask('PUT', `/${made.id}`, { algorithm_id });
        expect(linked.body.repository.algorithm_id).to.equal(algorithm_id);
        expect((await ask('GET', `?algorithm_id=${algorithm_id}`)).body.total).to.equal(1);
        const unlinked = await ask('PUT', `/${made.id}`, { algorithm_id: null });
        expect(unlinked.body.repository.algorithm_id).to.equal(null);
      });

      it('does not link to an algorithm that does not exist', async () => {
        const made = await create();
        const { status, body } = await ask('PUT', `/${made.id}`, { algorithm_id: UNKNOWN });
        expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
        expect((await ask('GET', `/${made.id}`)).body.repository).to.deep.equal(made);
      });

      it('loses the link, and nothing else, when the algorithm is deleted', async () => {
        const algorithm_id = await algorithm();
        const made = await create();
        await ask('PUT', `/${made.id}`, { algorithm_id });
        await vitrine.request('DELETE', `/algorithms/${algorithm_id}`, { token: admin });
        let entry = made;
        for (let tries = 0; tries < 100; tries++) {
          entry = (await ask('GET', `/${made.id}`)).body.repository;
          if (entry.algorithm_id === null) break;
        }
        expect(entry).to.include({ id: made.id, algorithm_id: null });
      });

      it('keeps what others change at the same moment', async () => {
        const { id } = await create();
        for (let round = 0; round < 10; round++) {
          const [name, description, type] = ['name', 'description', 'type'].map((what) => `${what} ${round}`);
          const changes = [{ name }, { description }, { type }];
          await Promise.all(changes.map((change) => ask('PUT', `/${id}`, change)));
          expect((await ask('GET', `/${id}`)).body.repository).to.include({ name, description, type });
        }
      });

      it('does not link to an algorithm without an id', async () => {
        const { status, body } = await ask('PUT', `/${(await create()).id}`, { algorithm_id: '' });
        expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/algorithm_id']);
      });

      describe('the link, when the algorithm is deleted meanwhile', () => {
        /** A catalogue that knows an algorithm when it is asked for the first time, and not any more. */
        const linkingTo = (algorithm_id: string, questions: number): Linking => {
          const catalogue = vitrine.get(CATALOGUE);
          let left = questions;
          const forgetful = {
            algorithm: async () => catalogue.algorithm(left-- > 0 ? algorithm_id : UNKNOWN),
          } as unknown as Catalogue;
          return new Linking({ entries: vitrine.get(ENTRIES), catalogue: forgetful });
        };
        const codeOf = (work: Promise<unknown>) =>
          work.then(
            () => 'done',
            (error: Problem) => error.type.code,
          );

        it('is taken back', async () => {
          const [{ id }, algorithm_id] = [await create(), await algorithm()];
          const code = await codeOf(
            linkingTo(algorithm_id, 1).update(id, { algorithm_id }, { kind: 'plugin' }),
          );
          expect([code, (await ask('GET', `/${id}`)).body.repository.algorithm_id]).to.deep.equal([
            'algorithm_not_found',
            null,
          ]);
        });

        it('is not made for a hosted repository, which is not entered then', async () => {
          const algorithm_id = await algorithm();
          const hosted = {
            host: 'gitea',
            server: 'https://git.example.org',
            fullName: `a/${algorithm_id}`,
            identity: algorithm_id,
          };
          const repository = {
            name: 'x',
            description: '',
            repo_url: '',
            branch: 'main',
            algorithm_id,
            hosted,
          };
          const code = await codeOf(linkingTo(algorithm_id, 0).createHosted(repository, { kind: 'plugin' }));
          expect([code, (await ask('GET', `?algorithm_id=${algorithm_id}`)).body.total]).to.deep.equal([
            'algorithm_not_found',
            0,
          ]);
        });
      });

      it('answers 404 for one that is not there', async () => {
        expect((await ask('PUT', `/${UNKNOWN}`, { name: 'x' })).status).to.equal(404);
      });
    });

    describe('deleting', () => {
      it('says that nothing was deleted on a code-hosting server for one that was never hosted', async () => {
        const made = await create();
        const { status, body } = await ask('DELETE', `/${made.id}`);
        expect(status).to.equal(200);
        expect(body).to.include({ success: true, repohost_deleted: false });
        expect(body.message).to.be.a('string');
        expect((await ask('GET', `/${made.id}`)).status).to.equal(404);
      });

      it('answers 404 the second time', async () => {
        const made = await create();
        await ask('DELETE', `/${made.id}`);
        expect((await ask('DELETE', `/${made.id}`)).status).to.equal(404);
      });
    });

    describe('of an algorithm', () => {
      const linked = async (access: string): Promise<{ id: string; algorithm_id: string }> => {
        const [{ id }, algorithm_id] = [await create(), await algorithm(access)];
        await ask('PUT', `/${id}`, { algorithm_id });
        return { id, algorithm_id };
      };
      /** Whether a caller sees an entry: by its id, in the list, and in the total of the list. */
      const seen = async ({ id, algorithm_id }: { id: string; algorithm_id: string }, token: string) => {
        const list = (await ask('GET', `?algorithm_id=${algorithm_id}`, undefined, token)).body;
        const { status } = await ask('GET', `/${id}`, undefined, token);
        return [status, list.repositories.length, list.total];
      };

      for (const access of ['open', 'restricted']) {
        it(`that is ${access}: are for every account`, async () => {
          expect(await seen(await linked(access), user)).to.deep.equal([200, 1, 1]);
        });
      }

      it('that is private: do not exist for those for whom it does not exist', async () => {
        const entry = await linked('private');
        expect(await seen(entry, user)).to.deep.equal([404, 0, 0]);
        expect(await seen(entry, admin)).to.deep.equal([200, 1, 1]);
      });

      it('that was private and is deleted: keep the link, and stay with the administrators', async () => {
        const entry = await linked('private');
        await vitrine.request('DELETE', `/algorithms/${entry.algorithm_id}`, { token: admin });
        await vitrine.settled();
        expect(await seen(entry, user)).to.deep.equal([404, 0, 0]);
        expect(await seen(entry, admin)).to.deep.equal([200, 1, 1]);
      });

      it('that was private and is deleted: are for every account once the link is taken away', async () => {
        const { id, algorithm_id } = await linked('private');
        await vitrine.request('DELETE', `/algorithms/${algorithm_id}`, { token: admin });
        await vitrine.settled();
        const { repository } = (await ask('GET', `/${id}`)).body;
        const sentBack = await ask('PUT', `/${id}`, repository);
        const hidden = await ask('GET', `/${id}`, undefined, user);
        await ask('PUT', `/${id}`, { algorithm_id: null });
        const shown = await ask('GET', `/${id}`, undefined, user);
        expect([sentBack.status, hidden.status, shown.status]).to.deep.equal([200, 404, 200]);
      });
    });

    describe('access', () => {
      const calls = [
        ['GET', ''],
        ['GET', `/${UNKNOWN}`],
        ['POST', ''],
        ['PUT', `/${UNKNOWN}`],
        ['DELETE', `/${UNKNOWN}`],
      ] as const;
      for (const [method, path] of calls) {
        it(`${method} ${path && '/{repo_id}'} needs a token`, async () => {
          const { status } = await vitrine.request(
            method,
            `/repositories${path}`,
            method === 'GET' ? {} : { body: { name: 'x' } },
          );
          expect(status).to.equal(401);
        });
      }
      for (const [method, path] of calls.slice(2)) {
        it(`${method} ${path && '/{repo_id}'} is for administrators`, async () => {
          expect((await ask(method, path, { name: 'x' }, user)).status).to.equal(403);
        });
      }
    });
  });

  onEveryEngine((engine) => {
    it('that are linked are for administrators where no catalogue tells which algorithms are private', async () => {
      const vitrine = await startVitrine(engine, { plugins: ['users', 'repositories'] });
      const [{ token: admin }, { token: user }] = [await vitrine.admin(), await vitrine.user('ann')];
      const made = await vitrine.request('POST', '/repositories', { token: admin, body: { name: 'x' } });
      const path = `/repositories/${made.body.repository.id}`;
      const seen = async (token: string) => (await vitrine.request('GET', path, { token })).status;
      const before = await seen(user);
      await vitrine.request('PUT', path, { token: admin, body: { algorithm_id: UNKNOWN } });
      const after = [await seen(user), await seen(admin)];
      await vitrine.stop();
      expect([before, ...after]).to.deep.equal([200, 404, 200]);
    });
  });
});
