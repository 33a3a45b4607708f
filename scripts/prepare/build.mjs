import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { filesBelow, fingerprint, readJson, root, sha256 } from './files.mjs';
import { run, say } from './run.mjs';

const STAMP = join(root, 'dist/.vitrine-built.json');
const BUILD_INFO = 'dist/.tsbuildinfo';
const FOLDERS = ['core', 'plugins', 'scripts', 'test'];
const NOT_BUILT = ['test/fixtures', 'scripts/prepare'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** What `dist` is made from: modules to compile, and the assets of plugins to copy. */
function sources() {
  const files = FOLDERS.flatMap((folder) => filesBelow(folder, NOT_BUILT));
  return {
    modules: files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
    assets: files.filter((path) => /^plugins\/[^/]+\/assets\//.test(path)),
  };
}

/** Compiles the sources into `dist` unless what is there was made from exactly these files. */
export async function buildIfStale() {
  const { modules, assets } = sources();
  const key = sha256(
    [
      ...[...modules, ...assets].map(fingerprint),
      ...SETTINGS.map((path) => readFileSync(join(root, path), 'utf8')),
    ].join('\n'),
  );
  const built = readJson(STAMP);
  const complete = modules.every((path) => existsSync(join(root, 'dist', compiled(path, '.js'))));
  if (complete && built?.key === key) return;

  const began = Date.now();
  say('building …');
  // What an interrupted build or a deleted output left is not to be trusted: then everything is compiled anew.
  if (!complete || !built) rmSync(join(root, BUILD_INFO), { force: true });
  rmSync(STAMP, { force: true });
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  for (const asset of assets) copyAsset(asset);
  removeLeftovers(modules, assets);
  writeFileSync(STAMP, JSON.stringify({ key }));
  say(`built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

function compiled(path, extension) {
  return path.slice(0, -'.ts'.length) + extension;
}

function copyAsset(path) {
  const target = join(root, 'dist', path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, path), target);
}

/** Removes what sources that are gone once compiled to: a deleted plugin must not come back to life. */
function removeLeftovers(modules, assets) {
  const expected = new Set([
    BUILD_INFO,
    ...modules.flatMap((path) =>
      ['.js', '.js.map', '.d.ts'].map((extension) => `dist/${compiled(path, extension)}`),
    ),
    ...assets.map((path) => `dist/${path}`),
  ]);
  for (const path of filesBelow('dist')) {
    if (!expected.has(path)) rmSync(join(root, path));
  }
  removeEmptyFolders(join(root, 'dist'));
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
