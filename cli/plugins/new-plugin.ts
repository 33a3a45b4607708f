import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { StartupError } from '../../core/errors/startup-error.ts';
import { discover } from '../../core/kernel/discovery.ts';
import { packageRoot, packageVersion } from '../../core/support/package-root.ts';
import type { Answer } from '../output.ts';

const template = join(packageRoot, 'templates', 'plugin');
const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
/** The version of Vitrine among the packages for development. */
const DEVELOPED_AGAINST = /("devDependencies": \{[^}]*"vitrine": ")[^"]+/;
const LONGEST_ID = 40;
/** npm leaves files named `.gitignore` out of packages. */
const HIDDEN = new Map([['gitignore', '.gitignore']]);

/** `plugins new`: makes a plugin with a table, routes, a page, a job, a listener, tests and documentation. */
export function makePlugin(id: string, into: string | undefined): Answer {
  refuseId(id);
  const folder = resolve(into ?? id);
  refuseFolder(folder, id);
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(template, join(entry.parentPath, entry.name)))
    .sort();
  const made = files.map((file) => {
    const name = HIDDEN.get(file) ?? file;
    const target = join(folder, name);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, renamed(readFileSync(join(template, file), 'utf8'), id, name));
    return name;
  });
  const place = relative(process.cwd(), folder) || '.';
  return {
    message: [
      `The plugin "${id}" is in ${folder}. Its README.md says what is where. Next:`,
      '',
      `  cd ${place}`,
      '  npm install',
      '  npm test',
    ].join('\n'),
    data: { id, folder, files: made },
  };
}

function refuseId(id: string): void {
  if (!ID.test(id) || id.length > LONGEST_ID) {
    throw new StartupError(
      `A plugin cannot be named "${id}". Use at most ${LONGEST_ID} lower-case letters, digits and single hyphens, beginning with a letter: "call-notes".`,
    );
  }
  const { found } = discover({ disabled: [], enabled: [], may_fail: [], packages: [], path: '' }, '.');
  if (id === 'core' || found.some((plugin) => plugin.id === id)) {
    throw new StartupError(`"${id}" is a part of Vitrine. Choose another name.`);
  }
}

function refuseFolder(folder: string, id: string): void {
  if (basename(folder) !== id) {
    throw new StartupError(
      `The folder must be named like the plugin, since plugins.path finds it by that name: --into ${join(dirname(folder), id)}`,
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new StartupError(`${folder} is not empty. Choose another name, or another folder with --into.`);
  }
}

/** The template with the names of the new plugin in place of its own. */
function renamed(text: string, id: string, file: string): string {
  const words = id.split('-');
  const joined = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  const snake = words.join('_');
  const own = text
    .replaceAll('my-plugin', id)
    .replaceAll('my_plugin', snake)
    .replaceAll('MY_PLUGIN', snake.toUpperCase())
    .replaceAll('MyPlugin', joined);
  return file === 'package.json'
    ? own.replace(DEVELOPED_AGAINST, (_, before: string) => before + source())
    : own;
}

/** What npm installs: this release, or this folder where Vitrine runs from a clone. */
function source(): string {
  return packageRoot.split(sep).includes('node_modules') ? `^${packageVersion()}` : `file:${packageRoot}`;
}
