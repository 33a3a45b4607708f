import { ValidationFailed } from '../../core/index.ts';

const SCHEMES = new Set(['https:', 'http:', 'ssh:']);
/** The short form of ssh: `git@host:path`. No second colon, for git reads `ext::command` as a command. */
const SHORT_SSH = /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][A-Za-z0-9.-]*:(?![:/-])[^\s:\\]+$/;
/** A colon, a tilde, a caret, … have a meaning in a revision, and a leading hyphen is an option. */
const BRANCH = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u;

/** What an entry says of its source. */
export interface Source {
  readonly repo_url?: string | undefined;
  readonly branch?: string | undefined;
  readonly local_path?: string | undefined;
}

/** Throws `ValidationFailed` that names each value which is no address, branch or harmless path. */
export function checkSource({ repo_url = '', branch = '', local_path = '' }: Source): void {
  const errors = [
    ...finding('/body/repo_url', repo_url === '' || isSourceAddress(repo_url), ADDRESS),
    ...finding(
      '/body/branch',
      branch === '' || BRANCH.test(branch),
      'must be a name that git allows for a branch.',
    ),
    ...finding('/body/local_path', isHarmlessPath(local_path), 'must not hold ".." or control characters.'),
  ];
  const first = errors[0];
  if (first) throw ValidationFailed(`${first.pointer.slice('/body/'.length)} ${first.message}`, { errors });
}

const ADDRESS =
  'must be an https, http or ssh address without a password, such as https://git.example.org/team/code.git, or git@host:path.';

function finding(pointer: string, holds: boolean, message: string): { pointer: string; message: string }[] {
  return holds ? [] : [{ pointer, message }];
}

function isSourceAddress(text: string): boolean {
  if (SHORT_SSH.test(text)) return true;
  if (/[\s\\\p{Cc}]/u.test(text) || !/^[a-z]+:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const hidesUser = password === '' && (username === '' || protocol === 'ssh:');
  return SCHEMES.has(protocol) && hostname !== '' && !hostname.startsWith('-') && hidesUser;
}

function isHarmlessPath(path: string): boolean {
  return !/\p{Cc}/u.test(path) && !path.split(/[/\\]/).includes('..');
}
