import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { authorise } from '../../../core/auth/authorise.ts';
import { definePermission, type PermissionDecider } from '../../../core/auth/permission.ts';
import type { Scope } from '../../../core/auth/scope.ts';
import { anonymous, type Principal, type UserPrincipal } from '../../../core/auth/principal.ts';

const manage = definePermission('bakery:manage', 'Change cakes');
const sell = definePermission('bakery:sell', 'Sell cakes');

const user: UserPrincipal = {
  kind: 'user',
  userId: 'u',
  username: 'ada',
  role: 'user',
  via: 'token',
  credentialId: 'c',
};
const userInSession: UserPrincipal = { ...user, via: 'session' };
const userByKey: UserPrincipal = { ...user, via: 'api-key' };
const admin: UserPrincipal = { ...user, role: 'admin' };
const adminByKey: UserPrincipal = { ...admin, via: 'api-key' };

const somebody = {
  anonymous,
  user,
  'user in session': userInSession,
  'user by key': userByKey,
  admin,
  'admin by key': adminByKey,
};
type Who = keyof typeof somebody;

const guarded = (access: AccessRule, scope: Scope = 'read') => ({ access, scope });

const table: Readonly<Record<string, { rule: AccessRule; passes: readonly Who[] }>> = {
  anonymous: {
    rule: 'anonymous',
    passes: ['anonymous', 'user', 'user in session', 'user by key', 'admin', 'admin by key'],
  },
  public: {
    rule: 'public',
    passes: ['anonymous', 'user', 'user in session', 'user by key', 'admin', 'admin by key'],
  },
  user: { rule: 'user', passes: ['user', 'user in session', 'user by key', 'admin', 'admin by key'] },
  account: { rule: 'account', passes: ['user', 'user in session', 'admin'] },
  admin: { rule: 'admin', passes: ['admin', 'admin by key'] },
  'a permission': { rule: manage, passes: ['admin', 'admin by key'] },
};

describe('authorisation', () => {
  for (const [name, { rule, passes }] of Object.entries(table)) {
    for (const who of Object.keys(somebody) as Who[]) {
      const outcome = passes.includes(who) ? 'passes' : who === 'anonymous' ? 'unauthenticated' : 'forbidden';
      it(`under the rule ${name}: ${who} ${outcome === 'passes' ? 'passes' : `is ${outcome}`}`, async () => {
        expect(await outcomeOf(rule, somebody[who])).to.equal(outcome);
      });
    }
  }

  it('names the alternative when it refuses an API key', () => {
    expect(() => authorise(guarded('account'), userByKey, {}, [])).to.throw(
      'An API key may not manage keys or passwords',
    );
  });

  it('keeps the ways of plugins to sign in from managing keys and passwords', () => {
    const user = { ...userByKey, via: 'single-sign-on:session' } as const;
    expect(authorise(guarded('user'), user, {}, [])).to.equal(undefined);
    expect(() => authorise(guarded('account'), user, {}, [])).to.throw(
      'A sign-in by "single-sign-on:session" may not manage keys or passwords',
    );
  });

  it('returns no promise when no decider returns one', () => {
    expect(authorise(guarded(manage), user, {}, [decider(manage, true)])).to.equal(undefined);
  });

  it('lets a decider give a permission', async () => {
    expect(await outcomeOf(manage, user, [decider(manage, Promise.resolve(true))])).to.equal('passes');
  });

  it('lets any one of several deciders give it', async () => {
    const deciders = [decider(manage, false), decider(manage, Promise.resolve(false)), decider(manage, true)];
    expect(await outcomeOf(manage, user, deciders)).to.equal('passes');
  });

  it('refuses when all deciders refuse', async () => {
    const deciders = [decider(manage, false), decider(manage, Promise.resolve(false))];
    expect(await outcomeOf(manage, user, deciders)).to.equal('forbidden');
  });

  it('calls only the deciders of that permission', async () => {
    expect(await outcomeOf(manage, user, [decider(sell, true)])).to.equal('forbidden');
  });

  it('passes the path parameters to deciders', async () => {
    const asked: unknown[] = [];
    const nosy: PermissionDecider = { permission: manage, decide: (_, path) => asked.push(path) > 0 };
    await authorise(guarded(manage), user, { cake_id: '7' }, [nosy]);
    expect(asked).to.deep.equal([{ cake_id: '7' }]);
  });

  it('calls no decider for an anonymous request', async () => {
    expect(await outcomeOf(manage, anonymous, [decider(manage, true)])).to.equal('unauthenticated');
  });

  it('lets a key that is kept to nothing do anything', () => {
    expect(() => authorise(guarded('admin', 'manage'), adminByKey, {}, [])).to.not.throw();
  });

  it('lets a key do what its scopes say, and names the scope that is missing', () => {
    const reader: UserPrincipal = { ...adminByKey, scopes: ['read', 'call'] };
    expect(() => authorise(guarded('admin', 'call'), reader, {}, [])).to.not.throw();
    expect(() => authorise(guarded('admin', 'manage'), reader, {}, [])).to.throw(
      'This needs the scope "manage", and the API key has only read, call.',
    );
  });

  it('calls no decider for a key without the scope', () => {
    const reader: UserPrincipal = { ...userByKey, scopes: ['read'] };
    expect(() => authorise(guarded(manage, 'manage'), reader, {}, [decider(manage, true)])).to.throw('scope');
  });

  it('does not speak of scopes where the holder of the key may not at all', () => {
    const reader: UserPrincipal = { ...userByKey, scopes: ['read'] };
    expect(() => authorise(guarded('admin', 'manage'), reader, {}, [])).to.throw('Only administrators');
    expect(() => authorise(guarded('account', 'manage'), reader, {}, [])).to.throw('may not manage keys');
  });

  describe('with a key that is restricted to resources', () => {
    const restricted: UserPrincipal = { ...adminByKey, resources: new Set(['cake']) };
    const heeding = (access: AccessRule) => ({ ...guarded(access), heedsResources: true });

    it('refuses operations that do not heed them', () => {
      for (const rule of ['user', 'admin', manage] as const) {
        expect(() => authorise(guarded(rule), restricted, {}, [decider(manage, true)])).to.throw(
          'restricted',
        );
        expect(() => authorise(guarded(rule), adminByKey, {}, [])).to.not.throw();
      }
    });

    it('passes where they are heeded, and on public routes', () => {
      for (const operation of [heeding('user'), heeding('admin'), guarded('public')]) {
        expect(() => authorise(operation, restricted, {}, [])).to.not.throw();
      }
    });

    it('leaves permissions to the deciders, even those of administrators', () => {
      expect(() => authorise(heeding(manage), restricted, {}, [decider(manage, true)])).to.not.throw();
      expect(() => authorise(heeding(manage), restricted, {}, [decider(manage, false)])).to.throw(
        'permission',
      );
    });
  });

  it('accepts any key on public routes', () => {
    const caller: UserPrincipal = { ...userByKey, scopes: ['call'] };
    expect(() => authorise(guarded('public', 'read'), caller, {}, [])).to.not.throw();
  });

  it('refuses every request under an unknown rule', async () => {
    expect(await outcomeOf('everyone' as AccessRule, admin)).to.equal('forbidden');
  });

  it('refuses every request without a rule', async () => {
    expect(await outcomeOf(undefined as unknown as AccessRule, admin)).to.equal('forbidden');
  });

  function decider(
    permission: PermissionDecider['permission'],
    answer: boolean | Promise<boolean>,
  ): PermissionDecider {
    return { permission, decide: () => answer };
  }

  async function outcomeOf(
    rule: AccessRule,
    who: Principal,
    deciders: PermissionDecider[] = [],
  ): Promise<string> {
    try {
      await authorise(guarded(rule), who, {}, deciders);
      return 'passes';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
});
