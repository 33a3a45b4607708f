import { expect } from 'chai';
import { definePlugin, listen } from '../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import {
  userDeleted,
  userDisabled,
  userRegistered,
  type AccountFact,
} from '../../../plugins/users/contract.ts';

onEveryEngine((engine) => {
  describe('the events of accounts', () => {
    let kernel: TestKernel;
    let heard: [string, AccountFact][];

    beforeEach(async () => {
      heard = [];
      const hear = (what: string) => (fact: AccountFact) => void heard.push([what, fact]);
      const listener = definePlugin({
        id: 'listener',
        version: '1.0.0',
        api: '^1.0',
        summary: 'Hears',
        requires: ['users'],
        events: {
          listens: [
            listen(userRegistered, { deps: {}, handle: hear('registered') }),
            listen(userDisabled, { deps: {}, handle: hear('disabled') }),
            listen(userDeleted, { deps: {}, handle: hear('deleted') }),
          ],
        },
      });
      const plugins = [...(await builtInPlugins(['users'])), listener];
      kernel = await startTestKernel({ engine, plugins });
    });

    afterEach(() => kernel.stop());

    async function register(username: string): Promise<string> {
      const body = { username, email: `${username}@example.org`, password: 'correct horse' };
      return (await kernel.request('POST', '/users/register', { body })).body.id;
    }

    async function told(count: number): Promise<typeof heard> {
      while (heard.length < count) await new Promise((resolve) => setImmediate(resolve));
      return heard;
    }

    it('tell of a registration', async () => {
      const id = await register('ada');
      expect(await told(1)).to.deep.equal([['registered', { user_id: id, username: 'ada' }]]);
    });

    it('tell that an account was disabled, once', async () => {
      await register('ada');
      const id = await register('grace');
      const login = { username: 'ada', password: 'correct horse' };
      const token: string = (await kernel.request('POST', '/users/login', { body: login })).body.access_token;
      for (const body of [{ status: 'disabled' }, { status: 'disabled' }, { status: 'active' }]) {
        await kernel.request('PATCH', `/users/${id}`, { token, body });
      }
      expect((await told(3)).slice(2)).to.deep.equal([['disabled', { user_id: id, username: 'grace' }]]);
    });

    it('tell that an account was deleted, by the name that it had', async () => {
      await register('ada');
      const id = await register('grace');
      const login = { username: 'ada', password: 'correct horse' };
      const token: string = (await kernel.request('POST', '/users/login', { body: login })).body.access_token;
      await kernel.request('DELETE', `/users/${id}`, { token });
      await kernel.request('DELETE', `/users/${id}?records=delete`, { token });
      await kernel.settled();
      expect(heard.slice(2)).to.deep.equal([['deleted', { user_id: id, username: 'grace' }]]);
    });
  });
});
