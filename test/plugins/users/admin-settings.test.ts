import { expect } from 'chai';
import { StartupError, type Logger } from '../../../core/index.ts';
import type { NewAccount } from '../../../plugins/users/account-rules.ts';
import type { Administration } from '../../../plugins/users/administration.ts';
import { UsersSettings } from '../../../plugins/users/config.ts';
import { FirstAdmin } from '../../../plugins/users/first-admin.ts';
import { EmailTaken, UsernameTaken } from '../../../plugins/users/problems.ts';
import type { Registration } from '../../../plugins/users/registration.ts';
import { complaintsOf } from '../../support/complaints.ts';

const defaults = Object.fromEntries(
  Object.entries(UsersSettings.settings).map(([key, setting]) => [key, setting.default]),
) as unknown as UsersSettings;
const admin = { admin_username: 'root', admin_email: 'root@example.org', admin_password: 'correct horse' };

describe('the administrator of the settings', () => {
  let created: NewAccount[];
  let refusal: Error | undefined;

  beforeEach(() => {
    created = [];
    refusal = undefined;
  });

  async function ensure(settings: Partial<UsersSettings>): Promise<void> {
    const createAdmin = async (account: NewAccount) => {
      if (refusal) throw refusal;
      created.push(account);
    };
    await new FirstAdmin({
      settings: { ...defaults, ...settings },
      registration: { createAdmin } as unknown as Registration,
      administration: { hasAdministrator: async () => true } as Administration,
      logger: { info: () => {}, warn: () => {} } as unknown as Logger,
    }).ensure();
  }

  async function faultOf(settings: Partial<UsersSettings>): Promise<string> {
    try {
      await ensure(settings);
    } catch (error) {
      expect(error).to.be.instanceOf(StartupError);
      return (error as Error).message;
    }
    throw new Error('Expected the start to stop.');
  }

  it('is created as it was given', async () => {
    await ensure(admin);
    expect(created).to.deep.equal([
      { username: 'root', email: 'root@example.org', password: 'correct horse' },
    ]);
  });

  it('is not created when nothing is given', async () => {
    await ensure({});
    expect(created).to.deep.equal([]);
  });

  it('is called admin at localhost when only a password is given', async () => {
    await ensure({ admin_password: 'correct horse' });
    expect(created[0]).to.include({ username: 'admin', email: 'admin@localhost' });
  });

  it('is left as it is when the username is taken', async () => {
    refusal = UsernameTaken('taken');
    await ensure(admin);
    expect(created).to.deep.equal([]);
  });

  it('stops the start when another account has the e-mail address', async () => {
    refusal = EmailTaken('The e-mail address belongs to another account.');
    expect(await faultOf(admin)).to.contain('belongs to another account');
  });

  const unfit: readonly [string, Partial<UsersSettings>, string][] = [
    ['a password that everybody tries first', { ...admin, admin_password: 'changeme123' }, 'everybody tries'],
    [
      'the username as password',
      { ...admin, admin_username: 'administrix', admin_password: 'Administrix' },
      'everybody tries',
    ],
    ['a short password', { ...admin, admin_password: 'short' }, '"users.admin_password" must have 8 to 256'],
    ['no password', { admin_username: 'root' }, '"users.admin_password" must be set as well'],
    [
      'a broken e-mail address',
      { ...admin, admin_email: 'nobody' },
      '"users.admin_email" must be an e-mail address, and is "nobody"',
    ],
    [
      'a broken username',
      { ...admin, admin_username: 'root user' },
      '"users.admin_username" must be letters',
    ],
  ];
  for (const [what, settings, sentence] of unfit) {
    it(`stops the start with ${what}`, () => {
      expect(complaintsOf(UsersSettings, settings)).to.contain(sentence);
    });
  }

  it('is told of with everything that is wrong at once', () => {
    const settings = { admin_username: 'root user', admin_email: 'nobody', admin_password: 'hush' };
    expect(complaintsOf(UsersSettings, settings).split('\n')).to.have.length(3);
  });

  it('is in order as it was given, with a password alone, and not given at all', () => {
    for (const settings of [admin, { admin_password: 'correct horse' }, {}])
      expect(complaintsOf(UsersSettings, settings)).to.equal('');
  });

  it('does not repeat the password in the fault', () => {
    expect(complaintsOf(UsersSettings, { ...admin, admin_password: 'hush' })).not.to.contain('hush');
  });
});
