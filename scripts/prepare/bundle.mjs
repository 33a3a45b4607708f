import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { packagedAssets } from './assets.mjs';
import { entries } from './entries.mjs';
import { readJson, root } from './files.mjs';

/**
 * Packages with a binary of their own; piscina, whose threads begin with a file of its own; knex's drivers for databases that
 * are not supported; what pg and debug can do without.
 */
const NOT_BUNDLED = [
  '@node-rs/argon2',
  'better-sqlite3',
  'mariadb',
  'mariadb/*',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'piscina',
  'sqlite3',
  'supports-color',
  'tedious',
];

/** A placeholder for the path from an output file to `dist`, until it is known which file a module ends up in. */
const TO_DIST = 'way-to-dist:';

const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';

/**
 * Puts the modules of core, cli and plugins, and the packages that they import, into few files in `dist`: a start opens and
 * compiles some sixty instead of 2,400. A module that is loaded by its path keeps its path; what several of those share
 * is a file in `dist/chunks`, so that each still exists once. Answers the paths of all that it wrote,
 * and the folders of those packages.
 */
export async function bundle(modules) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries(modules),
    outdir: 'dist',
    outbase: '.',
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: NOT_BUNDLED,
    // Packages in CommonJS ask for modules of Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
    plugins: [ownUrls],
  });
  const written = outputFiles.map(({ path, text }) => {
    const wayToDist = slashed(relative(dirname(path), join(root, 'dist'))) || '.';
    return write(slashed(relative(root, path)), text.replaceAll(TO_DIST, `${wayToDist}/`));
  });
  return { files: written, packages: packagesOf(Object.keys(metafile.inputs)) };
}

/** Writes the licences of all packages of which there is code in `dist`, and answers the path. */
export function writeNotices({ bundled, web }) {
  const copied = packagesOf(packagedAssets.map(({ from }) => from));
  return write(NOTICES, noticesOf(bundled, [...new Set([...copied, ...web])]));
}

function packagesOf(paths) {
  return [...new Set(paths.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))];
}

/** To its own code, each module still lies where it was compiled from: `import.meta.url` finds what lies beside it. */
const ownUrls = {
  name: 'own-urls',
  setup(build) {
    build.onLoad({ filter: /[/\\](core|cli|plugins)[/\\].*\.ts$/ }, ({ path }) => {
      const place = slashed(relative(root, path)).replace(/ts$/, 'js');
      const url = `new URL('${TO_DIST}${place}', import.meta.url).href`;
      return {
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', `(${url})`),
        loader: 'ts',
      };
    });
  },
};

function slashed(path) {
  return path.replaceAll('\\', '/');
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  // `npx vitrine` runs the file itself, and npm makes it executable only the first time.
  if (text.startsWith('#!')) chmodSync(join(root, path), 0o755);
  return path;
}

/** The licences of packages: those in the bundle, and those of which files or the code of the console are published. */
function noticesOf(folders, others) {
  const { packages } = readJson(join(root, 'package-lock.json'));
  const stray = folders.filter((folder) => packages[folder]?.dev);
  if (stray.length > 0) throw new Error(`${stray.join(', ')}: bundled, but installed for development only.`);
  return [...new Set([...folders, ...others])]
    .map((folder) => ({ folder, manifest: readJson(join(root, folder, 'package.json')) }))
    .sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1))
    .map(
      ({ folder, manifest: { name, version, license, author } }) =>
        `${name} ${version} (${license})\n\n${licenceIn(folder, { license, author })}`,
    )
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** The file with the licence, what a readme says of it at its end, or else the text that the manifest means by MIT. */
function licenceIn(folder, { license, author }) {
  const text = (named) => {
    const file = readdirSync(join(root, folder)).find((name) => named.test(name));
    return file && readFileSync(join(root, folder, file), 'utf8');
  };
  const licence =
    text(/^(licen[cs]e|copying)/i) ?? /^#+ *licen[cs]e\b.*/ims.exec(text(/^readme/i) ?? '')?.[0];
  if (licence) return licence;
  if (license === 'MIT' && typeof author === 'string') return `Copyright (c) ${author}\n\n${MIT}`;
  throw new Error(`${folder}: bundled, but without a licence to be found in it.`);
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;
