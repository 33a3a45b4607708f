import { isObject } from '../playground/fields.ts';

/** A file that an algorithm answered inside of JSON. */
export interface AnsweredFile {
  /** Its media type, in lower case and without parameters. */
  readonly type: string;
  readonly name: string | undefined;
  /** Its bytes in base64, or its text as it is. */
  readonly content: { readonly base64: string } | { readonly text: string };
}

const PICTURES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
]);
const BEGINNINGS: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
};
const BASE64 = /^[A-Za-z0-9+/\s_-]+={0,2}\s*$/;

/** The file that a value is: an object with a media type and base64, a data URL, or a text whose schema names its media type. */
export function readFile(value: unknown, schema: unknown): AnsweredFile | undefined {
  return typeof value === 'string' ? ofText(value, isObject(schema) ? schema : {}) : ofObject(value);
}

function ofObject(value: unknown): AnsweredFile | undefined {
  if (!isObject(value)) return undefined;
  const type = firstText(value, ['content_type', 'media_type', 'mime_type', 'mimeType']);
  const base64 = firstText(value, ['data_base64', 'base64', 'data']);
  if (type === undefined || base64 === undefined || !type.includes('/')) return undefined;
  const name = firstText(value, ['filename', 'file_name', 'name']);
  if (isBase64(base64)) return { type: essence(type), name, content: { base64 } };
  return isReadable(essence(type)) ? { type: essence(type), name, content: { text: base64 } } : undefined;
}

function ofText(value: string, schema: Record<string, unknown>): AnsweredFile | undefined {
  const [, parameters, data] = /^data:([^,]{0,200}),([^]*)$/.exec(value) ?? [];
  if (parameters !== undefined && data !== undefined) return ofDataUrl(parameters, data);
  const { contentMediaType: declared, contentEncoding: encoding } = schema;
  if (typeof declared === 'string') {
    const type = essence(declared);
    const isText = encoding === undefined && (isReadable(type) || type === 'image/svg+xml');
    if (isText) return { type, name: undefined, content: { text: value } };
    if (isBase64(value)) return { type, name: undefined, content: { base64: value } };
  }
  const type = Object.entries(BEGINNINGS).find(([beginning]) => value.startsWith(beginning))?.[1];
  return type && value.length > 60 && isBase64(value)
    ? { type, name: undefined, content: { base64: value } }
    : undefined;
}

function ofDataUrl(parameters: string, data: string): AnsweredFile | undefined {
  const type = essence(parameters) || 'text/plain';
  if (parameters.endsWith(';base64')) {
    return isBase64(data) ? { type, name: undefined, content: { base64: data } } : undefined;
  }
  try {
    return { type, name: undefined, content: { text: decodeURIComponent(data) } };
  } catch {
    return undefined;
  }
}

function essence(type: string): string {
  return type.split(';', 1)[0]!.trim().toLowerCase();
}

function firstText(value: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => value[name]).find((each): each is string => typeof each === 'string');
}

/** Looks at the beginning and the end: all of a large file would take too long. */
function isBase64(text: string): boolean {
  return BASE64.test(text.length > 4_000 ? text.slice(0, 2_000) + text.slice(-2_000) : text);
}

export function isPicture(type: string): boolean {
  return PICTURES.has(type);
}

/** Whether files of a type can be read as text. */
export function isReadable(type: string): boolean {
  return type.startsWith('text/') || type === 'application/xml' || /[/+]json$/.test(type);
}

/** The bytes of a file. Throws where its base64 is broken. */
export function bytesOf({ content }: AnsweredFile): Uint8Array<ArrayBuffer> {
  if ('text' in content) return new TextEncoder().encode(content.text);
  const binary = atob(content.base64.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function textOf(file: AnsweredFile): string {
  return 'text' in file.content ? file.content.text : new TextDecoder().decode(bytesOf(file));
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'audio/mpeg': 'mp3',
  'audio/x-wav': 'wav',
  'application/octet-stream': 'bin',
};

/** A name to save a file by: without a path, and with the ending of its type. */
export function fileName({ name, type }: AnsweredFile, otherwise: string): string {
  const given = name?.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '_').slice(-100);
  if (given?.includes('.')) return given.replace(/^\.+/, '');
  const ending = ENDINGS[type] ?? type.split('/')[1]!.replace(/^x-/, '').replace(/\+.*/, '');
  return `${given ?? otherwise}.${ending.replaceAll(/[^a-z0-9]/g, '') || 'bin'}`;
}
