import { editsBetween } from './nearest.ts';
import { environmentName, type Settings } from './settings.ts';

/** The number of typing errors in a variable that is still considered a misspelt setting. */
const SLIPS = 2;

/** Environment variables that look like misspelt settings, one sentence each; they have no other effect. */
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
    /** The default environment name, for settings with a custom one. */
    regular: environmentName(section, key, { ...setting, env: undefined }),
    isSecret: setting.secret === true,
  }));
}

function isSlipOf(name: string, variable: string): boolean {
  const beginning = name.slice(0, name.indexOf('_') + 1);
  return beginning !== '' && variable.startsWith(beginning) && editsBetween(name, variable) <= SLIPS;
}
