import { editsBetween } from './nearest.ts';
import { environmentName, type Settings } from './settings.ts';

/** As many slips as a name that begins like a setting may have; more, and it belongs to something else. */
const SLIPS = 2;

/** Variables that are not read and look as if they should be, a sentence each; a misspelt name has no other effect. */
export function misnamedVariables(sections: readonly Settings[], env: NodeJS.ProcessEnv): string[] {
  const names = sections.flatMap(namesOf);
  const read = new Set(names.flatMap(({ name, isSecret }) => (isSecret ? [name, `${name}_FILE`] : [name])));
  return Object.keys(env)
    .filter((variable) => !read.has(variable))
    .flatMap((variable) => {
      const { name } =
        names.find(({ regular }) => regular === variable) ??
        names.find((known) => isSlipOf(known.name, variable)) ??
        {};
      return name === undefined
        ? []
        : [`environment ${variable}: no setting has this name; did you mean ${name}?`];
    });
}

function namesOf({ section, settings }: Settings) {
  return Object.entries(settings).map(([key, setting]) => ({
    name: environmentName(section, key, setting),
    /** What it would be called without a name of its own. */
    regular: environmentName(section, key, { ...setting, env: undefined }),
    isSecret: setting.secret === true,
  }));
}

function isSlipOf(name: string, variable: string): boolean {
  const beginning = name.slice(0, name.indexOf('_') + 1);
  return beginning !== '' && variable.startsWith(beginning) && editsBetween(name, variable) <= SLIPS;
}
