import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../core/support/package-root.ts';

/** The plugin from outside, as its package is called. */
export const PLUGIN = 'vitrine-plugin-call-notes';

/** The folder of the plugin in a deployment. */
export const pluginFolder = (project: string): string => join(project, 'node_modules', PLUGIN);

/** Makes a deployment with the packed package and the plugin, built against nothing else; answers its folder. */
export function deployPlugin(): string {
  const project = mkdtempSync(join(tmpdir(), 'vitrine-project-'));
  writeFileSync(join(project, 'package.json'), '{ "name": "deployment", "private": true, "type": "module" }');
  unpackVitrine(project);
  cpSync(join(packageRoot, 'test', 'fixtures', PLUGIN), pluginFolder(project), { recursive: true });
  execFileSync('npm', ['run', 'build'], { cwd: pluginFolder(project), encoding: 'utf8', stdio: 'pipe' });
  return project;
}

/** Unpacks `npm pack` as an install would, with the dependencies of this checkout beside it. */
function unpackVitrine(project: string): void {
  const options = { cwd: packageRoot, encoding: 'utf8', stdio: 'pipe' } as const;
  const packed = execFileSync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', project],
    options,
  );
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'vitrine'), { recursive: true });
  execFileSync('tar', [
    '-xzf',
    join(project, filename),
    '-C',
    join(modules, 'vitrine'),
    '--strip-components=1',
  ]);
  symlinkSync(join(packageRoot, 'node_modules', '.bin'), join(modules, '.bin'), 'dir');
  for (const name of packagesIn(join(packageRoot, 'node_modules'))) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name), 'dir');
  }
}

function packagesIn(modules: string): readonly string[] {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
    );
}
