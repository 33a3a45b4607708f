import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { command, ValidationFailed } from '../../core/index.ts';
import type { ImportChange } from './contract.ts';
import { CATALOGUE_EXPORT } from './portable/export.ts';
import { CATALOGUE_IMPORT } from './portable/import.ts';
import { yamlOf } from './portable/written.ts';

const FILE = '--file <path>';

export const exportCatalogue = command({
  name: 'export',
  summary: 'Writes the catalogue and what plugins keep about it as YAML, by names instead of ids.',
  options: [{ flags: FILE, description: 'Where to write it; a file that exists is kept.', required: true }],
  deps: { exported: CATALOGUE_EXPORT },
  async run({ file }, { exported }) {
    const catalogue = await exported.collect();
    const path = String(file);
    try {
      await writeWhole(path, yamlOf(catalogue));
    } catch (error) {
      throw unwritable(path, error);
    }
    const { length } = catalogue.algorithms;
    return { message: `Wrote ${counted(length)} to ${path}.`, data: { file: path, algorithms: length } };
  },
});

export const importCatalogue = command({
  name: 'import',
  summary: 'Makes the catalogue like a file that `vitrine export` wrote.',
  options: [
    { flags: FILE, description: 'The file.', required: true },
    { flags: '--dry-run', description: 'Only says what would change.' },
    { flags: '--prune', description: 'Deletes what the file does not name.' },
    { flags: '--skip-unknown', description: 'Leaves out sections of plugins that are not enabled here.' },
  ],
  makesInstallation: true,
  deps: { imported: CATALOGUE_IMPORT },
  async run(options, { imported }) {
    const dryRun = options['dryRun'] === true;
    const text = await textOf(String(options['file']));
    const skipUnknown = options['skipUnknown'] === true;
    const catalogue = await imported.read(text, { skipUnknown });
    const { changes, algorithms, unchanged } = await imported.run(catalogue, {
      dryRun,
      prune: options['prune'] === true,
      by: { kind: 'command', name: 'import' },
    });
    const summary =
      changes.length === 0
        ? `The catalogue is like the file already (${counted(algorithms)}).`
        : `${dryRun ? 'Nothing was changed. The import would make' : 'Made'} ${counted(changes.length, 'change')} for ${counted(algorithms)}.`;
    return {
      message: [...changes.map(lineOf), summary].join('\n'),
      data: { dry_run: dryRun, algorithms, unchanged, changes },
    };
  },
});

function lineOf({ action, what, fields }: ImportChange): string {
  return `${action} ${what}${fields ? `: ${fields.join(', ')}` : ''}`;
}

function counted(number: number, what = 'algorithm'): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

/** The file gets its name when all of it is on the disk: an import with --prune would delete what a cut one lacks. */
async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await writeFile(partial, text, { flush: true });
    // Not by a link, which some file systems lack.
    if (existsSync(path)) throw new Error('it exists already, and is kept. Name another one');
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw ValidationFailed(`The file ${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

function unwritable(path: string, error: unknown): Error {
  return ValidationFailed(`The file ${path} cannot be written: ${(error as Error).message}.`, {
    cause: error,
  });
}
