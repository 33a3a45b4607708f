import type { Fault } from '../errors/startup-error.ts';
import { editsBetween } from './nearest.ts';
import { environmentName, type Settings } from './settings.ts';

/** The number of typing errors in a variable that is still considered a misspelt setting. */
const MOST_TYPOS = 2;

/** Kubernetes and Docker set `VITRINE_PORT` and the like for a service that is named so. */
const LINK = /^(tcp|udp|sctp):\/\//;

/** A name that the service reads, and what it may be mistaken for. */
interface Known {
  readonly setting: string;
  readonly name: string;
  /** The name itself, and the one that it would have without a name of its own. */
  readonly forms: readonly string[];
}

/** Environment variables that look like settings, and are none; they have no other effect. */
export function misnamedVariables(sections: readonly Settings[], env: NodeJS.ProcessEnv): Fault[] {
  const known = sections.flatMap(namesOf);
  const read = new Set(known.map(({ name }) => name));
  return Object.entries(env)
    .filter(([variable, value]) => !read.has(variable) && !LINK.test(value ?? ''))
    .flatMap(([variable]) => {
      const fault = (why: string, { setting }: Known): Fault[] => [
        { message: `environment ${variable}: ${why}`, env: variable, setting },
      ];
      const unread = known.find(({ name }) => variable === `${name}_FILE`);
      if (unread) return fault(`only secrets are read from files; set ${unread.name} itself.`, unread);
      const meant = meantBy(variable, known);
      return meant ? fault(`no setting has this name; did you mean ${meant.name}?`, meant) : [];
    });
}

function namesOf({ section, settings }: Settings): Known[] {
  return Object.entries(settings).flatMap(([key, setting]) => {
    const name = environmentName(section, key, setting);
    const regular = environmentName(section, key, { ...setting, env: undefined });
    return (setting.secret ? ['', '_FILE'] : ['']).map((ending) => ({
      setting: `${section}.${key}`,
      name: `${name}${ending}`,
      forms: [`${name}${ending}`, `${regular}${ending}`],
    }));
  });
}

function meantBy(variable: string, known: readonly Known[]): Known | undefined {
  const bare = variable.replace(/^VITRINE_/i, '');
  const find = (isMeant: (form: string) => boolean): Known | undefined =>
    known.find(({ forms }) => forms.some(isMeant));
  return (
    find((form) => form === bare) ??
    find((form) => form.includes('_') && letters(form) === letters(bare)) ??
    find((form) => isTypoOf(form, bare))
  );
}

function letters(name: string): string {
  return name.replaceAll(/[^a-z0-9]/gi, '').toUpperCase();
}

function isTypoOf(name: string, variable: string): boolean {
  const [first, rest] = split(name);
  if (rest === '') return false;
  if (variable.startsWith(`${first}_`)) return editsBetween(name, variable) <= MOST_TYPOS;
  const [other, same] = split(variable);
  return same === rest && editsBetween(first, other) <= typosIn(first);
}

/** The first word of a name, and what follows it. */
function split(name: string): readonly [string, string] {
  const end = name.indexOf('_');
  return end < 0 ? [name, ''] : [name.slice(0, end), name.slice(end)];
}

/** A short word with a typing error may be a word of others: `AMQP_URL` is not a misspelt `SMTP_URL`. */
function typosIn({ length }: string): number {
  if (length < 5) return 0;
  return length < 8 ? 1 : MOST_TYPOS;
}
