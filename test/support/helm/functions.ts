import { createHash } from 'node:crypto';
import { goYaml, type Value } from './go-yaml.ts';

type Given = readonly Value[];

/** The functions of Helm (Go, sprig and its own) that the chart uses, but for `include`. Others are not known. */
export const functions: Readonly<Record<string, (given: Given) => Value>> = {
  add: (given) => given.map(whole).reduce((sum, number) => sum + number, 0),
  contains: (given) => {
    const [part, text] = exactly(given, 2).map(word);
    return text!.includes(part!);
  },
  default: (given) => {
    const [instead, value] = exactly(given, 2);
    return isTrue(value!) ? value! : instead!;
  },
  div: (given) => {
    const [number, by] = exactly(given, 2).map(whole);
    return Math.trunc(number! / by!);
  },
  list: (given) => [...given],
  nindent: (given) => {
    const [spaces, text] = exactly(given, 2);
    const indent = ' '.repeat(whole(spaces!));
    return `\n${indent}${word(text!).replaceAll('\n', `\n${indent}`)}`;
  },
  not: (given) => !isTrue(exactly(given, 1)[0]!),
  printf: ([format, ...rest]) => {
    const parts = word(format!).split('%s');
    if (parts.length !== rest.length + 1 || parts.some((part) => part.includes('%')))
      throw new Error(`printf knows %s alone here, once for each argument: "${word(format!)}".`);
    return parts.map((part, index) => part + (index < rest.length ? word(rest[index]!) : '')).join('');
  },
  quote: (given) => {
    const text = word(exactly(given, 1)[0]!);
    if (!/^[ -~]*$/.test(text)) throw new Error('quote knows printable ASCII alone here.');
    return JSON.stringify(text);
  },
  replace: (given) => {
    const [old, by, text] = exactly(given, 3).map(word);
    return text!.replaceAll(old!, by!);
  },
  sha256sum: (given) =>
    createHash('sha256')
      .update(word(exactly(given, 1)[0]!))
      .digest('hex'),
  toYaml: (given) => goYaml(exactly(given, 1)[0]!),
  trimSuffix: (given) => {
    const [suffix, text] = exactly(given, 2).map(word);
    return text!.endsWith(suffix!) ? text!.slice(0, text!.length - suffix!.length) : text!;
  },
  trunc: (given) => {
    const [length, text] = exactly(given, 2);
    return word(text!).slice(0, whole(length!));
  },
};

/** Whether Go takes a value for true: everything but `false`, 0, nothing, and what is empty. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function exactly(given: Given, count: number): Given {
  if (given.length !== count) throw new Error(`${count} arguments were expected, and ${given.length} given.`);
  return given;
}

function word(value: Value): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is not a text.`);
  return value;
}

function whole(value: Value): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${JSON.stringify(value)} is not a whole number.`);
  return value as number;
}
