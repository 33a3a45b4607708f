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
import { packagedAssets } from './assets.mjs';
import { bundle, writeNotices } from './bundle.mjs';
import { buildClient } from './client.mjs';
import { filesBelow, fingerprint, readJson, root, sha256 } from './files.mjs';
import { run, say } from './run.mjs';
import { buildWeb, WEB } from './web.mjs';

const STAMP = join(root, 'build/.vitrine-built.json');
const BUILD_INFO = 'build/.tsbuildinfo';
const FOLDERS = ['core', 'cli', 'plugins', 'scripts', 'test'];
const NOT_BUILT = ['test/fixtures', 'scripts/prepare', WEB];
const SETTINGS = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'scripts/prepare/assets.mjs',
  'scripts/prepare/build.mjs',
  'scripts/prepare/bundle.mjs',
  'scripts/prepare/client.mjs',
  'scripts/prepare/shared-modules.mjs',
  'scripts/prepare/web.mjs',
];

/** What is built from: modules to compile, and the assets of plugins to copy. */
function sources() {
  const files = FOLDERS.flatMap((folder) => filesBelow(folder, NOT_BUILT));
  return {
    modules: files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
    assets: files.filter((path) => /^plugins\/[^/]+\/assets\//.test(path)),
    web: existsSync(join(root, WEB)) ? filesBelow(WEB) : [],
  };
}

/**
 * Makes `build`, each module compiled, for tests and scripts, and `dist`, what is started and published, unless what is
 * there was made from exactly these files.
 */
export async function buildIfStale() {
  const { modules, assets, web } = sources();
  const key = sha256(
    [
      ...[...modules, ...assets, ...web].map(fingerprint),
      ...SETTINGS.map((path) => readFileSync(join(root, path), 'utf8')),
    ].join('\n'),
  );
  const built = readJson(STAMP);
  const isComplete = built?.files?.every((path) => existsSync(join(root, path))) ?? false;
  if (isComplete && built.key === key) return;

  const began = Date.now();
  say('building …');
  // After an interrupted build or a deleted output everything is compiled anew.
  if (!isComplete) rmSync(join(root, BUILD_INFO), { force: true });
  rmSync(STAMP, { force: true });
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  const compiled = modules.flatMap((path) => ['.js', '.js.map', '.d.ts'].map((end) => compiledTo(path, end)));
  const declarations = compiled.filter((path) => /^build\/(core|plugins)\/.*\.d\.ts$/.test(path));
  const bundled = await bundle(modules);
  // Before the service is asked for its document, because it looks for the files of its pages.
  const copied = ['build', 'dist'].flatMap((folder) => assets.map((path) => copy(path, `${folder}/${path}`)));
  const site = web.length > 0 ? await buildWeb(web, await buildClient(), built?.site) : undefined;
  const files = [
    BUILD_INFO,
    ...compiled,
    ...bundled.files,
    ...(site?.files ?? []),
    writeNotices({ bundled: bundled.packages, web: site?.packages ?? [] }),
    ...declarations.map((path) => copy(path, path.replace('build', 'dist'))),
    ...copied,
    ...packagedAssets.flatMap(({ from, to }) => [copy(from, `build/${to}`), copy(from, `dist/${to}`)]),
  ];
  removeLeftovers(files);
  writeFileSync(STAMP, JSON.stringify({ key, files, site }));
  say(`built in ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

function compiledTo(path, ending) {
  return `build/${path.slice(0, -'.ts'.length)}${ending}`;
}

function copy(from, to) {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(join(root, from), join(root, to));
  return to;
}

/** Removes the output of deleted sources: a deleted plugin must not run any more. */
function removeLeftovers(files) {
  const expected = new Set(files);
  for (const folder of ['build', 'dist']) {
    for (const path of filesBelow(folder)) if (!expected.has(path)) rmSync(join(root, path));
    removeEmptyFolders(join(root, folder));
  }
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
