import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../core/support/package-root.ts';

const support = (name: string): string => join(packageRoot, 'test', 'promises', 'support', name);

const run = promisify(execFile);

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
  return run('cc', ['--version']).then(
    () => undefined,
    () => 'it needs a C compiler, and there is no cc',
  );
}

async function compile(source: string, library: string): Promise<void> {
  await run('cc', ['-O1', '-shared', '-fPIC', '-o', library, support(source), '-ldl', '-lpthread']);
}

/** A directory with directories whose files survive a cut of power only as far as they were synced, by any process. */
export interface SimulatedTree {
  readonly directory: string;
  /** For processes that are to write there. */
  readonly env: Readonly<Record<string, string>>;
  /** All that is there now survives. */
  keep(): Promise<void>;
  /** Puts back what was synced; for when no process runs there any more. */
  cutPower(): Promise<void>;
  remove(): void;
}

/** `own` gives a directory to whom the processes run as. */
export async function makeTree(own: (directory: string) => void): Promise<SimulatedTree> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-disk-')));
  const [directory, image, library] = ['data', 'image', 'disk.so'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  chmodSync(place, 0o755);
  own(place);
  await compile('simulated-tree.c', library);
  const replace = async (to: string, from: string): Promise<void> => {
    rmSync(to, { recursive: true, force: true });
    // With the owners of the files.
    await run('cp', ['-a', from, to]);
  };
  return {
    directory,
    env: { LD_PRELOAD: library, SIMULATED_DISK: directory, SIMULATED_DISK_IMAGE: image },
    keep: () => replace(image, directory),
    cutPower: () => replace(directory, image),
    remove: () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }),
  };
}

export async function makeDisk(): Promise<SimulatedDisk> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-disk-')));
  const [directory, image, library] = ['data', 'image', 'disk.so'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  await compile('simulated-disk.c', library);
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
