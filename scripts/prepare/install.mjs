import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root, sha256 } from './files.mjs';
import { npm, say } from './run.mjs';
import { fitSqlite, isFitted } from './sqlite-binding.mjs';

const MODULES = join(root, 'node_modules');
const STAMP = join(MODULES, '.vitrine-installed.json');

/** What an installation depends on: the lockfile, and the Node that native modules were built for. */
function wanted() {
  return {
    lock: sha256(readFileSync(join(root, 'package-lock.json'))),
    node: `${process.platform}-${process.arch}-${process.versions.modules}`,
  };
}

/** Installs the packages of the lockfile unless exactly they are there already and work with this Node. */
export async function installIfStale() {
  const want = wanted();
  const have = readJson(STAMP);
  if (have?.lock === want.lock && have.node === want.node) return;
  const isStale = !packagesMatchLock() || isFitted(MODULES);
  if (isStale) {
    say('installing packages (npm ci) …');
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  }
  fitSqlite(MODULES, process.versions.node);
  if (isStale || nativeFault() !== undefined) await runApprovedInstallScripts();
  refuseUnloadable(nativeFault());
  writeFileSync(STAMP, JSON.stringify(want));
}

/** Whether npm's own note of what it installed says the same as the lockfile. */
function packagesMatchLock() {
  const installed = readJson(join(MODULES, '.package-lock.json'))?.packages;
  if (!installed) return false;
  const locked = readJson(join(root, 'package-lock.json')).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '') return true;
    const there = installed[path];
    return there ? there.version === entry.version : entry.optional === true;
  });
}

/** Why better-sqlite3 cannot open a database with this Node, or `undefined`. */
function nativeFault() {
  try {
    execFileSync(process.execPath, ['-e', 'new (require("better-sqlite3"))(":memory:")'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return undefined;
  } catch ({ stderr, message }) {
    return (
      /^\w*Error: (.*(?:\n(?!\s+at ).+)*)/m.exec(stderr)?.[1].replaceAll(/\s+/g, ' ').replace(/[.]$/, '') ??
      message
    );
  }
}

/** npm says that it rebuilt a module whatever its install script has made, so the module is loaded once. */
function refuseUnloadable(fault) {
  if (fault === undefined) return;
  throw new Error(
    `better-sqlite3 was installed, but Node ${process.versions.node} cannot load it: ${fault}. ` +
      'Delete node_modules and try again with the Node that starts the service; where no binary is offered for it, ' +
      'that takes Python, make and a C++ compiler.',
  );
}

/** Install scripts run for the packages that `allowScripts` in package.json approves, and for no others. */
async function runApprovedInstallScripts() {
  const { allowScripts } = readJson(join(root, 'package.json'));
  const approved = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(join(MODULES, name)),
  );
  say(`running the install scripts of ${approved.join(', ')} (a minute where no binary is offered) …`);
  await npm(['rebuild', ...approved]);
}
