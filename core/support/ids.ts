import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from './clock.ts';

let lastMillis = 0;
let sequence = 0;

/** When the clock steps back further than this, it was adjusted, and ids follow it so that their time stays correct. */
const SMALL_STEP_MS = 60_000;

/**
 * A UUIDv7 (RFC 9562): time-ordered, and strictly increasing within a process even when the clock steps back a little.
 * `rand_a` is a 12-bit sequence within the millisecond (RFC 9562, method 1).
 */
export function newId(now: number = systemClock.now()): string {
  const millis = Math.floor(now);
  if (millis > lastMillis || millis < lastMillis - SMALL_STEP_MS) [lastMillis, sequence] = [millis, 0];
  else if (++sequence > 0xfff) [lastMillis, sequence] = [lastMillis + 1, 0];
  const time = lastMillis.toString(16).padStart(12, '0');
  const version = (0x7000 + sequence).toString(16);
  // The variant and the random digits are those of a random UUID.
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${randomUUID().slice(19)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text has the form of an id. Any other text is an unknown id: 404. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The smallest possible id of a millisecond; converts a limit in time into a limit for time-ordered ids. */
export function lowestIdAt(milliseconds: number): string {
  const time = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The millisecond in an id; `lowestIdAt` of it is not greater than the id. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * The last hexadecimal digits of a random UUID, at most 32, for traces: not quite all of their bits are random. Much faster
 * than `randomSecret`, because Node prepares random UUIDs in advance.
 */
export function randomHex(count: number): string {
  return randomUUID().replaceAll('-', '').slice(-count);
}

/** Cryptographically random bytes, for secrets. */
export function randomSecret(bytes: number): Buffer {
  return randomBytes(bytes);
}
