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
  const beginning = name.slice(0, name.indexOf('_') + 1);
  return beginning !== '' && variable.startsWith(beginning) && editsBetween(name, variable) <= MOST_TYPOS;
}
