import { expect } from 'chai';
import { conformance, ID, UNKNOWN_ID } from './support/api.ts';

const KINDS = ['read', 'execute', 'manage'] as const;

conformance('permissions', (api) => {
  const check = (as: string, algorithm_id: string, permission_type: string) =>
    api.ok('POST', '/permissions/check', { as, body: { algorithm_id, permission_type } });
  const rightsOf = async (as: string, id: string) => {
    const answers = await Promise.all(KINDS.map((kind) => check(as, id, kind)));
    return KINDS.filter((_, index) => answers[index].has_permission);
  };
  const grant = async (as: string, algorithm_id: string, to: string, permission_type: string) =>
    api.ok('POST', '/permissions/grants', {
      as,
      body: { algorithm_id, user_id: (await api.person(to)).id, permission_type },
    });

  describe('POST /permissions/check', () => {
    it('answers about the caller', async () => {
      const { id } = await api.algorithm();
      expect(await check('ann', id, 'execute')).to.deep.equal({
        has_permission: true,
        user_id: (await api.person('ann')).id,
        algorithm_id: id,
        permission_type: 'execute',
      });
    });

    it('answers about the caller, whomever they name', async () => {
      const { id } = await api.algorithm();
      const { id: admin } = await api.person('admin');
      const body = { algorithm_id: id, permission_type: 'manage', user_id: admin };
      const answer = await api.ok('POST', '/permissions/check', { as: 'ann', body });
      expect(answer).to.include({ has_permission: false, user_id: (await api.person('ann')).id });
    });

    it('lets every account execute an open algorithm', async () => {
      expect(await rightsOf('ann', (await api.algorithm()).id)).to.deep.equal(['read', 'execute']);
    });

    it('lets only administrators execute a restricted one', async () => {
      const { id } = await api.algorithm({ access: 'restricted' });
      expect(await rightsOf('ann', id)).to.not.include.members(['execute']);
      expect(await rightsOf('ann', id)).to.not.include.members(['manage']);
      expect(await rightsOf('admin', id)).to.deep.equal([...KINDS]);
    });

    for (const permission_type of ['write', 'Execute', '', 1]) {
      it(`refuses the permission ${JSON.stringify(permission_type)}`, async () => {
        const ask = { as: 'ann', body: { algorithm_id: (await api.algorithm()).id, permission_type } };
        expect(await api.pointers('POST', '/permissions/check', ask)).to.deep.equal([
          '/body/permission_type',
        ]);
      });
    }

    it('does not know an unknown algorithm', async () => {
      for (const algorithm_id of [UNKNOWN_ID, 'nonsense']) {
        const ask = { as: 'ann', body: { algorithm_id, permission_type: 'read' } };
        await api.refused(404, 'POST', '/permissions/check', ask);
      }
    });

    it('needs a token and both fields', async () => {
      await api.refused(401, 'POST', '/permissions/check', { body: {} });
      const pointers = await api.pointers('POST', '/permissions/check', { as: 'ann', body: {} });
      expect(pointers).to.have.members(['/body/algorithm_id', '/body/permission_type']);
    });
  });

  describe('grants', () => {
    it('give a right, and what it includes, until they are deleted', async () => {
      const callable = await api.callable({}, { access: 'restricted' });
      const { algorithm_id } = callable;
      await api.refused(403, 'POST', '/algorithms/call', { as: 'cid', body: callable });
      const made = await grant('admin', algorithm_id, 'cid', 'execute');
      expect(made).to.include({ algorithm_id, permission_type: 'execute' });
      expect(made.id).to.match(ID);
      expect(await rightsOf('cid', algorithm_id)).to.deep.equal(['read', 'execute']);
      await api.call('cid', callable);
      const gone = await api.ok('DELETE', `/permissions/grants/${made.id}`, { as: 'admin' });
      expect(gone).to.have.keys('message');
      await api.refused(403, 'POST', '/algorithms/call', { as: 'cid', body: callable });
    });

    it('of manage include everything, and may be handed on', async () => {
      const { id } = await api.algorithm({ access: 'restricted' });
      await grant('admin', id, 'dan', 'manage');
      expect(await rightsOf('dan', id)).to.deep.equal([...KINDS]);
      await grant('dan', id, 'eva', 'read');
      const { grants, total } = await api.ok('GET', `/permissions/grants?algorithm_id=${id}`, { as: 'dan' });
      expect(grants.map((one: { permission_type: string }) => one.permission_type)).to.deep.equal([
        'read',
        'manage',
      ]);
      expect(total).to.equal(2);
    });

    it('are for administrators and holders of manage', async () => {
      const { id } = await api.algorithm();
      const made = await grant('admin', id, 'fay', 'execute');
      const body = { algorithm_id: id, user_id: (await api.person('fay')).id, permission_type: 'manage' };
      await api.refused(403, 'POST', '/permissions/grants', { as: 'fay', body });
      await api.refused(403, 'GET', `/permissions/grants?algorithm_id=${id}`, { as: 'fay' });
      const foreign = await api.ask('DELETE', `/permissions/grants/${made.id}`, { as: 'fay' });
      expect(foreign.status).to.be.oneOf([403, 404]);
      await api.refused(401, 'POST', '/permissions/grants', { body });
    });

    it('are refused when they exist, and for unknown algorithms and users', async () => {
      const { id } = await api.algorithm();
      await grant('admin', id, 'gus', 'execute');
      const user_id = (await api.person('gus')).id;
      const refused = (status: number, fields: object) => {
        const body = { algorithm_id: id, user_id, permission_type: 'execute', ...fields };
        return api.refused(status, 'POST', '/permissions/grants', { as: 'admin', body });
      };
      await refused(409, {});
      await refused(404, { algorithm_id: UNKNOWN_ID });
      await refused(404, { user_id: UNKNOWN_ID });
      await refused(422, { permission_type: 'own' });
    });

    it('go with their algorithm', async () => {
      const { id } = await api.algorithm();
      const made = await grant('admin', id, 'hal', 'execute');
      await api.ok('DELETE', `/algorithms/${id}`, { as: 'admin' });
      await api.refused(404, 'DELETE', `/permissions/grants/${made.id}`, { as: 'admin' });
    });
  });
});
