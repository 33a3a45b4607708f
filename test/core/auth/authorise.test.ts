import { expect } from 'chai';
import type { AccessRule } from '../../../core/auth/access-rule.ts';
import { authorise } from '../../../core/auth/authorise.ts';
import { definePermission, type PermissionDecider } from '../../../core/auth/permission.ts';
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
const userByKey: UserPrincipal = { ...user, via: 'api-key' };
const admin: UserPrincipal = { ...user, role: 'admin' };
const adminByKey: UserPrincipal = { ...admin, via: 'api-key' };

const somebody = { anonymous, user, 'user by key': userByKey, admin, 'admin by key': adminByKey };
type Who = keyof typeof somebody;

const table: Readonly<Record<string, { rule: AccessRule; passes: readonly Who[] }>> = {
  anonymous: { rule: 'anonymous', passes: ['anonymous', 'user', 'user by key', 'admin', 'admin by key'] },
  public: { rule: 'public', passes: ['anonymous', 'user', 'user by key', 'admin', 'admin by key'] },
  user: { rule: 'user', passes: ['user', 'user by key', 'admin', 'admin by key'] },
  account: { rule: 'account', passes: ['user', 'admin'] },
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

  it('tells the holder of a key what to do instead', () => {
    expect(() => authorise('account', userByKey, {}, [])).to.throw(
      'An API key may not manage keys or passwords',
    );
  });

  it('needs no promise where nobody must look anything up', () => {
    expect(authorise(manage, user, {}, [decider(manage, true)])).to.equal(undefined);
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

  it('asks only the deciders of that permission', async () => {
    expect(await outcomeOf(manage, user, [decider(sell, true)])).to.equal('forbidden');
  });

  it('tells deciders what the path names', async () => {
    const asked: unknown[] = [];
    const nosy: PermissionDecider = { permission: manage, decide: (_, path) => asked.push(path) > 0 };
    await authorise(manage, user, { cake_id: '7' }, [nosy]);
    expect(asked).to.deep.equal([{ cake_id: '7' }]);
  });

  it('does not ask deciders about nobody in particular', async () => {
    expect(await outcomeOf(manage, anonymous, [decider(manage, true)])).to.equal('unauthenticated');
  });

  it('lets nobody pass under a rule that it does not know', async () => {
    expect(await outcomeOf('everyone' as AccessRule, admin)).to.equal('forbidden');
  });

  it('lets nobody pass under a rule that is missing', async () => {
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
      await authorise(rule, who, {}, deciders);
      return 'passes';
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
});
