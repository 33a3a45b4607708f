import { command, ValidationFailed, type Author } from '../../../core/index.ts';
import { ADMINISTRATION, type Administration } from '../administration.ts';
import { ACCOUNT_DELETION } from '../deletion/account-deletion.ts';
import { ACCOUNT_LINKS } from '../links/account-links.ts';
import { PASSWORD_RESETS } from '../links/password-resets.ts';
import type { OneTimeLink, User, UserChange, UsersQuery } from '../schemas.ts';
import { passwordFrom } from './made-password.ts';

type Options = Readonly<Record<string, string | boolean | undefined>>;

const ACCOUNT = [{ name: 'name', description: 'The username or the id of an account.' }] as const;
const PASSWORD = {
  flags: '--password <text>',
  description: 'The password; by default one is made and printed once.',
};
const ROLES: readonly string[] = ['user', 'admin'];
const STATUSES: readonly string[] = ['active', 'disabled', 'deleted'];
/** Accounts that one query reads. */
const PAGE = 1000;

const list = command({
  name: 'users list',
  summary: 'Lists accounts, newest first.',
  options: [
    { flags: '--q <text>', description: 'Only those with this in their username or e-mail address.' },
    { flags: '--role <role>', description: 'Only those with this role: user or admin.' },
    { flags: '--status <status>', description: 'Only those that are active, disabled or deleted.' },
  ],
  deps: { administration: ADMINISTRATION },
  async run(options, { administration }) {
    const role = oneOf('--role', options['role'], ROLES) as UsersQuery['role'];
    const status = oneOf('--status', options['status'], STATUSES) as UsersQuery['status'];
    const q = text(options['q']);
    const data: User[] = [];
    for (;;) {
      const query = { ...(q && { q }), ...(role && { role }), ...(status && { status }) };
      const { users } = await administration.list({ ...query, skip: data.length, limit: PAGE });
      data.push(...users.map(shown));
      if (users.length < PAGE) break;
    }
    return { message: data.map(lineOf).join('\n') || 'No account matches.', data };
  },
});

const show = command({
  name: 'users show',
  summary: 'Shows an account.',
  arguments: ACCOUNT,
  options: [],
  deps: { administration: ADMINISTRATION },
  async run(options, { administration }) {
    const data = shown(await named(options, administration));
    const message = Object.entries(data).map(([field, value]) => `${field.padEnd(10)}  ${value}`);
    return { message: message.join('\n'), data };
  },
});

const create = command({
  name: 'users create',
  summary: 'Creates an account.',
  arguments: [{ name: 'name', description: 'The username.' }],
  options: [
    { flags: '--email <address>', description: 'The e-mail address.', required: true },
    { flags: '--role <role>', description: 'user, the default, or admin.' },
    PASSWORD,
    {
      flags: '--invite',
      description: 'Makes a one-time link instead, with which the owner chooses the password.',
    },
  ],
  deps: { links: ACCOUNT_LINKS },
  async run(options, { links }) {
    const [username, email] = [String(options['name']), String(options['email'])];
    const role = (oneOf('--role', options['role'], ROLES) ?? 'user') as User['role'];
    const account = { username, email, role };
    refuseBoth(options, '--invite', 'invite');
    if (options['invite']) {
      const { invitation, ...user } = await links.create(account, { author: by('users create') });
      const link = invitation!;
      return {
        message: `The account "${username}" was created. ${sentenceOf(link)}`,
        data: { ...shown(user), invitation: link },
      };
    }
    const made = passwordFrom(options['password'], username);
    const user = await links.create({ ...account, password: made.password }, { author: by('users create') });
    return {
      message: `The account "${username}" was created.${made.sentence}`,
      data: { ...shown(user), ...made.data },
    };
  },
});

const resetPassword = command({
  name: 'users reset-password',
  summary: 'Sets the password of an account, and ends all its sessions.',
  arguments: ACCOUNT,
  options: [
    PASSWORD,
    {
      flags: '--link',
      description:
        'Makes a one-time link instead, with which the owner chooses another one; sessions end when it is used.',
    },
  ],
  deps: { administration: ADMINISTRATION, links: ACCOUNT_LINKS, resets: PASSWORD_RESETS },
  async run(options, { administration, links, resets }) {
    const { id, username } = await named(options, administration);
    refuseBoth(options, '--link', 'link');
    if (options['link']) {
      const link = await links.reset(id, { author: by('users reset-password') });
      return { message: sentenceOf(link), data: { id, username, ...link } };
    }
    const made = passwordFrom(options['password'], username);
    await resets.set(id, made.password, by('users reset-password'));
    return {
      message: `The password of "${username}" was set, and its sessions have ended.${made.sentence}`,
      data: { id, username, ...made.data },
    };
  },
});

const remove = command({
  name: 'users delete',
  summary: 'Deletes an account, with its API keys, sessions and grants.',
  arguments: ACCOUNT,
  options: [
    {
      flags: '--records <choice>',
      description:
        'What becomes of the records of its calls: keep, the default, or delete, which the service does within minutes.',
    },
  ],
  deps: { administration: ADMINISTRATION, deletion: ACCOUNT_DELETION },
  async run(options, { administration, deletion }) {
    const { id, username } = await named(options, administration);
    const choice = oneOf('--records', options['records'], ['keep', 'delete']);
    const records = choice === 'delete' ? 'delete' : 'keep';
    await deletion.remove(id, records, by('users delete'));
    const rest = records === 'keep' ? 'Its records stay.' : 'Its records go within minutes.';
    return { message: `The account "${username}" was deleted. ${rest}`, data: { id, username, records } };
  },
});

/** A command that changes an account in one way. */
function changing(name: string, summary: string, change: UserChange, done: string) {
  return command({
    name: `users ${name}`,
    summary,
    arguments: ACCOUNT,
    options: [],
    deps: { administration: ADMINISTRATION },
    async run(options, { administration }) {
      const { id, username } = await named(options, administration);
      const { restored_api_keys: keys = [], ...user } = await administration.change(
        id,
        change,
        by(`users ${name}`),
      );
      const restored =
        keys.length > 0 ? ` API keys that work again: ${keys.map((key) => key.name).join(', ')}.` : '';
      const data = { ...shown(user), ...(keys.length > 0 && { restored_api_keys: keys }) };
      return { message: `The account "${username}" is ${done} now.${restored}`, data };
    },
  });
}

export const accountCommands = [
  list,
  create,
  show,
  changing('disable', 'Disables an account, which ends its sessions.', { status: 'disabled' }, 'disabled'),
  changing('enable', 'Makes a disabled account active again.', { status: 'active' }, 'active'),
  resetPassword,
  changing('make-admin', 'Makes an account administrator.', { role: 'admin' }, 'administrator'),
  remove,
];

/** The author of what a command changes. */
function by(name: string): Author {
  return { kind: 'command', name };
}

function named(options: Options, administration: Administration): Promise<User> {
  return administration.named(String(options['name']));
}

function shown({ id, username, email, role, status, created_at, updated_at }: User): User {
  return { id, username, email, role, status, created_at, updated_at };
}

function lineOf({ id, username, email, role, status }: User): string {
  return [id, role.padEnd(5), status.padEnd(8), username, email].join('  ');
}

function text(option: string | boolean | undefined): string | undefined {
  return typeof option === 'string' ? option : undefined;
}

function oneOf(
  flag: string,
  option: string | boolean | undefined,
  known: readonly string[],
): string | undefined {
  const value = text(option);
  if (value === undefined || known.includes(value)) return value;
  throw ValidationFailed(`${flag} "${value}" is none of ${known.join(', ')}.`);
}

function refuseBoth(options: Options, flag: string, name: string): void {
  if (!options[name] || options['password'] === undefined) return;
  throw ValidationFailed(
    `${flag} has the owner choose the password, so --password cannot be given beside it.`,
  );
}

function sentenceOf({ url, expires_at, mail, mail_error }: OneTimeLink): string {
  const address = url.startsWith('/')
    ? ' below the address of the service (set PUBLIC_URL to have it here)'
    : '';
  const mailed = {
    sent: ' It was mailed as well.',
    failed: ` It could not be mailed: ${mail_error}.`,
    off: '',
  };
  return `Hand this one-time link over; it opens${address} until ${expires_at}:\n${url}\n${mailed[mail]}`.trimEnd();
}
