import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MalformedJson, UnsupportedMediaType, ValidationFailed } from '../../errors/core-problems.ts';
import { jsonLimits, type JsonLimits } from './limits.ts';
import { JsonScanner, type JsonEdit } from './scanner.ts';

const scanner = new JsonScanner();
/** The limits for values that are not read from a request: those of calls by default. */
const usual = jsonLimits(8_388_608);

/** Throws `UnsupportedMediaType` for anything but `application/json` in UTF-8 without content coding. */
export function demandJson(req: IncomingMessage): void {
  const coding = req.headers['content-encoding'] ?? '';
  if (coding.split(',').some((name) => !['', 'identity'].includes(name.trim().toLowerCase()))) {
    throw UnsupportedMediaType(
      `Bodies with the content coding "${coding}" are not accepted. Send it uncompressed.`,
    );
  }
  const type = req.headers['content-type'];
  if (type === 'application/json' || (type !== undefined && isJson(type))) return;
  throw UnsupportedMediaType(
    type === undefined
      ? 'The body has no Content-Type. Send application/json.'
      : `The media type "${type}" is not accepted. Send application/json in UTF-8.`,
  );
}

function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => parameter === '' || /^charset="?utf-?8"?$/.test(parameter))
  );
}

/**
 * Parses a JSON body. Throws `MalformedJson`, `TooDeep`, `TooManyParts`, `ForbiddenKey`, or `ValidationFailed` for values
 * that cannot be stored. Bounds in the top-level fields `boundsIn` are rounded outward instead.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits, boundsIn: readonly string[] = []): unknown {
  if (!isUtf8(bytes)) throw MalformedJson('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (text.charCodeAt(0) === 0xfeff)
    throw MalformedJson('The body begins with a byte order mark. Leave it out.');
  const { findings, edits } = scanner.scan(text, limits, boundsIn);
  const value = parse(edited(text, edits));
  if (findings.length > 0) {
    throw ValidationFailed('The body has values that cannot be kept.', { errors: findings });
  }
  return value;
}

/** Whether a request may have this value as its body; for values that clients receive and send back. */
export function canBeSent(value: unknown): boolean {
  try {
    return scanner.scan(JSON.stringify(value), usual).findings.length === 0;
  } catch {
    return false;
  }
}

function edited(text: string, edits: readonly JsonEdit[]): string {
  let at = 0;
  const parts = edits.map(({ start, end, number }) => {
    const part = text.slice(at, start) + String(number);
    at = end;
    return part;
  });
  return parts.join('') + text.slice(at);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw MalformedJson(
      text.trim() === ''
        ? 'The body is empty. Send one JSON value.'
        : 'The body cannot be parsed as JSON. Send one JSON value in UTF-8; look for missing quotes and commas.',
    );
  }
}
