import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { checkPermissionsDeclared } from '../../../core/auth/declared-permissions.ts';
import { definePermission } from '../../../core/auth/permission.ts';
import { StartupError } from '../../../core/errors/startup-error.ts';

const manage = definePermission('bakery:manage', 'Change cakes');
const route = (access: unknown) => ({ method: 'GET', path: '/cakes', access: access as AccessRule });

describe('the check of access rules at boot', () => {
  for (const rule of ['anonymous', 'public', 'user', 'account', 'admin', manage]) {
    it(`accepts ${typeof rule === 'string' ? rule : 'a declared permission'}`, () => {
      expect(() => checkPermissionsDeclared([route(rule)], [manage])).to.not.throw();
    });
  }

  it('refuses a permission that no plugin declares', () => {
    expect(() => checkPermissionsDeclared([route(manage)], [])).to.throw(StartupError, '"bakery:manage"');
  });

  for (const rule of [undefined, null, 'everyone', {}]) {
    it(`refuses the rule ${JSON.stringify(rule)}, which is none`, () => {
      expect(() => checkPermissionsDeclared([route(rule)], [manage])).to.throw(StartupError, 'GET /cakes');
    });
  }

  it('lists every bad route at once', () => {
    const check = () => checkPermissionsDeclared([route(undefined), route('public'), route(manage)], []);
    expect(check)
      .to.throw(StartupError)
      .that.satisfies((error: StartupError) => error.findings.length === 2);
  });
});
