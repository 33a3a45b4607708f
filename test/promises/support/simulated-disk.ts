import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../core/runtime/package-root.ts';

const SOURCE = join(packageRoot, 'test', 'promises', 'support', 'simulated-disk.c');

/** A directory whose files survive a cut of power only as far as they were synced, and whose disk can fail. */
export interface SimulatedDisk {
  readonly directory: string;
  /** For a process that is to write there. */
  readonly env: Readonly<Record<string, string>>;
  /** Puts back what was synced; for when no process runs there any more. */
  cutPower(): void;
  setFull(isFull: boolean): void;
  setFailing(isFailing: boolean): void;
  remove(): void;
}

/** Why there is no simulated disk on this machine, or `undefined`. */
export async function missingForDisk(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  return promisify(execFile)('cc', ['--version']).then(
    () => undefined,
    () => 'it needs a C compiler, and there is no cc',
  );
}

export async function makeDisk(): Promise<SimulatedDisk> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-disk-')));
  const [directory, image, library] = ['data', 'image', 'disk.so'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  await promisify(execFile)('cc', ['-O1', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl', '-lpthread']);
  mkdirSync(directory);
  mkdirSync(image);
  const mark = (name: string, isThere: boolean): void => {
    if (isThere) writeFileSync(join(image, name), '');
    else rmSync(join(image, name), { force: true });
  };
  return {
    directory,
    env: { LD_PRELOAD: library, SIMULATED_DISK: directory, SIMULATED_DISK_IMAGE: image },
    cutPower: () => {
      for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
      cpSync(image, directory, { recursive: true });
    },
    setFull: (isFull) => mark('full', isFull),
    setFailing: (isFailing) => mark('failing', isFailing),
    remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }),
  };
}
