import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { accessFaults } from '../../../core/auth/declared-permissions.ts';
import { definePermission } from '../../../core/auth/permission.ts';

const manage = definePermission('bakery:manage', 'Change cakes');
const route = (access: unknown) => ({ method: 'GET', path: '/cakes', access: access as AccessRule });

describe('the check of access rules at boot', () => {
  for (const rule of ['anonymous', 'public', 'user', 'account', 'admin', manage]) {
    it(`accepts ${typeof rule === 'string' ? rule : 'a declared permission'}`, () => {
      expect(accessFaults([route(rule)], [manage])).to.deep.equal([]);
    });
  }

  it('refuses a permission that no plugin declares', () => {
    expect(accessFaults([route(manage)], [])[0]).to.include('"bakery:manage"');
  });

  for (const rule of [undefined, null, 'everyone', {}]) {
    it(`refuses the rule ${JSON.stringify(rule)}, which is none`, () => {
      expect(accessFaults([route(rule)], [manage])[0]).to.include('GET /cakes');
    });
  }

  it('lists every bad route at once', () => {
    expect(accessFaults([route(undefined), route('public'), route(manage)], [])).to.have.length(2);
  });
});
