import { readFile } from 'node:fs/promises';

/** Files of a sample that the service needs only when it puts the sample into the catalogue. */
export interface SampleAssets {
  /** Markdown. */
  readonly readme: string;
  /** What its examples answer. */
  readonly outputs: readonly Readonly<Record<string, unknown>>[];
}

/** Where a file of a sample lies: `readme.md` or `outputs.json`. */
export function assetOf(name: string, file: string): URL {
  return new URL(`./assets/${name}/${file}`, import.meta.url);
}

export async function assetsOf(name: string): Promise<SampleAssets> {
  const read = (file: string) => readFile(assetOf(name, file), 'utf8');
  return { readme: await read('readme.md'), outputs: JSON.parse(await read('outputs.json')) };
}
