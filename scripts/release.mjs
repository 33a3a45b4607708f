/**
 * `npm run release:check`: whether what lies here can be released. Asks the registry for the age of every locked package, and
 * writes the bill of materials that is published with the release.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare/files.mjs';
import { lockedPackages, tooYoung } from './release/ages.mjs';
import { versionFaults } from './release/version.mjs';

const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const [manifest, lock] = [json('package.json'), json('package-lock.json')];

const faults = [
  ...versionFaults(root, manifest, lock),
  ...(await tooYoung(lockedPackages(lock), {
    registry: process.env.npm_config_registry ?? 'https://registry.npmjs.org/',
    exceptions: json('scripts/release/exceptions.json'),
    now: Date.now(),
  })),
];
if (faults.length > 0) {
  console.error(faults.map((fault) => `- ${fault}`).join('\n'));
  process.exitCode = 1;
} else {
  const file = `${manifest.name}-${manifest.version}.cdx.json`;
  writeFileSync(join(root, file), billOfMaterials());
  console.log(`${manifest.name} ${manifest.version} can be released. Publish ${file} with it.`);
}

/** CycloneDX, from the lockfile: whatever platform it is installed on. */
function billOfMaterials() {
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
    '--package-lock-only',
  ];
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const bill = JSON.parse(stdout);
  // npm takes the name of the folder.
  bill.metadata.component.name = manifest.name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}
