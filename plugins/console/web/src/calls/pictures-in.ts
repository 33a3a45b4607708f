import { isObject } from '../playground/fields.ts';
import { isPicture, readFile, type AnsweredFile } from '../views/files.ts';

/** A picture in a payload: its bytes, or the address at which it was. */
export type PayloadPicture = {
  /** The members that lead to it; empty where the payload itself is one. */
  readonly path: readonly string[];
  /** The schema of the value, where there is one. */
  readonly schema: unknown;
} & ({ readonly file: AnsweredFile } | { readonly address: string });

/** A payload of megabytes must not hold the page up, and more pictures would bury the values. */
const MOST_PICTURES = 12;
const MOST_VALUES = 5_000;
const DEEPEST = 6;

/** The pictures of a payload in their order: data URLs, base64, files in JSON, and addresses that are said to lead to one. */
export function picturesIn(payload: unknown, schema: unknown): readonly PayloadPicture[] {
  const found: PayloadPicture[] = [];
  let values = 0;
  const look = (value: unknown, own: unknown, path: readonly string[]): void => {
    values += 1;
    if (found.length >= MOST_PICTURES || values > MOST_VALUES) return;
    const picture = pictureOf(value, own);
    if (picture) found.push({ path, schema: own, ...picture });
    // What says that it is another file is one.
    else if (readFile(value, undefined)) return;
    else if (path.length < DEEPEST && Array.isArray(value)) {
      for (let i = 0; i < value.length && values <= MOST_VALUES; i += 1)
        look(value[i], itemOf(own), [...path, String(i + 1)]);
    } else if (path.length < DEEPEST && isObject(value)) {
      for (const [name, each] of Object.entries(value)) look(each, memberOf(own, name), [...path, name]);
    }
  };
  look(payload, schema, []);
  return found;
}

function pictureOf(value: unknown, schema: unknown) {
  // What the bytes are is told by themselves first, since a schema may allow several types by `image/*`.
  for (const hint of [undefined, schema]) {
    const file = readFile(value, hint);
    if (file && isPicture(file.type)) return { file };
  }
  return typeof value === 'string' && isPictureAddress(value, schema) ? { address: value } : undefined;
}

const ENDING = /\.(?:png|jpe?g|gif|webp|avif|bmp|svg)$/i;

function isPictureAddress(value: string, schema: unknown): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
  const type = isObject(schema) ? schema['contentMediaType'] : undefined;
  return (typeof type === 'string' && type.startsWith('image/')) || ENDING.test(new URL(value).pathname);
}

function itemOf(schema: unknown): unknown {
  return isObject(schema) ? schema['items'] : undefined;
}

function memberOf(schema: unknown, name: string): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
