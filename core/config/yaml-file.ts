import { readFileSync } from 'node:fs';
import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Pair,
  type YAMLMap,
} from 'yaml';
import type { Fault } from '../errors/startup-error.ts';
import type { PlacedValue } from './configuration.ts';

export interface YamlFile {
  /** The sections of the file in order, including empty ones. */
  readonly sections: readonly ({ readonly name: string } & Position)[];
  readonly values: readonly PlacedValue[];
  readonly findings: readonly Fault[];
}

type Position = Pick<PlacedValue, 'place' | 'file' | 'line'>;
type Place = (node: unknown) => Position;

const MAX_ALIASES = 100;

/** Replaces the advice of the library, which is meant for programmers. */
const SECOND_DOCUMENT = 'a second document begins here. Keep one: take the line "---" out.';

/** Reads `section: { key: value }` from a YAML file; faults become findings with file and line, not exceptions. */
export function readYamlFile(file: string): YamlFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read';
    return only({ message: `${file}: the file ${reason}. Check its path and its rights.`, file });
  }
  return parse(file, text);
}

function only(...findings: Fault[]): YamlFile {
  return { sections: [], values: [], findings };
}

function parse(file: string, text: string): YamlFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const positionAt = (offset: number) => {
    const { line } = lineCounter.linePos(offset);
    return { place: `${file}:${line}`, file, line };
  };
  if (document.errors.length > 0) {
    return only(
      ...document.errors.map((error) => {
        const { place, line } = positionAt(error.pos[0]);
        const reason = error.code === 'MULTIPLE_DOCS' ? SECOND_DOCUMENT : `${error.message}.`;
        return { message: `${place}: ${reason}`, file, line };
      }),
    );
  }
  if (document.contents === null) return only();
  if (!isMap(document.contents))
    return only({
      message: `${file}:1: expected sections, each with its settings below it.`,
      file,
      line: 1,
    });
  const place: Place = (node) =>
    positionAt((node as { range?: [number, number, number] | null }).range?.[0] ?? 0);
  const faults = aliasFaults(document, file, place);
  if (faults.length > 0) return only(...faults);
  return collect(document, document.contents as YAMLMap, place);
}

/** Aliases without a value. Their names are not printed, since each may be the beginning of a secret. */
function aliasFaults(document: Document, file: string, place: Place): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document)) return;
      const { place: at, line } = place(alias);
      const message = `${at}: there is no anchor for this alias. Put a text that begins with * into quotes.`;
      faults.push({ message, file, line });
    },
  });
  if (faults.length > 0) return faults;
  try {
    JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }));
    return [];
  } catch {
    const message = `${file}: its aliases are too many, or lead to themselves. Write the values in their places.`;
    return [{ message, file }];
  }
}

function collect(document: Document, map: YAMLMap, place: Place): YamlFile {
  const sections = map.items.map((pair) => ({ name: nameOf(pair), ...place(pair.key) }));
  const values = map.items.flatMap((pair) => valuesOf(document, pair, place));
  const isNoSection = ({ value }: Pair): boolean => !isMap(value) && plain(document, value) !== null;
  const findings = map.items.filter(isNoSection).map((pair) => {
    const { place: at, file, line } = place(pair.key);
    const message = `${at}: the section "${nameOf(pair)}" must hold settings, each on a line below it.`;
    return { message, file, line };
  });
  return { sections, values, findings };
}

function valuesOf(document: Document, pair: Pair, place: Place): PlacedValue[] {
  if (!isMap(pair.value)) return [];
  return pair.value.items.map((setting) => ({
    section: nameOf(pair),
    key: nameOf(setting),
    value: plain(document, setting.value),
    ...place(setting.key),
  }));
}

function nameOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function plain(document: Document, node: unknown): unknown {
  const reader = node as {
    toJS?: (document: Document, options: { maxAliasCount: number }) => unknown;
  } | null;
  return reader?.toJS?.(document, { maxAliasCount: MAX_ALIASES }) ?? null;
}
