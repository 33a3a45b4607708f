import { randomBytes } from 'node:crypto';
import { systemClock } from './clock.ts';

const pool = Buffer.alloc(16 * 256);
let used = pool.length;
let lastMillis = 0;
let sequence = 0;

/** Sixteen random bytes from a pool: one system call serves 256 ids. */
function sixteenRandomBytes(): Buffer {
  if (used === pool.length) {
    randomBytes(pool.length).copy(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/** A clock that steps back further than this was set anew; ids follow it, so that their time stays true. */
const SMALL_STEP_MS = 60_000;

/**
 * A UUIDv7 (RFC 9562): time-ordered, and strictly increasing within a process even when the clock steps back a little.
 * `rand_a` is a 12-bit sequence within the millisecond (RFC 9562, method 1).
 */
export function newId(now: number = systemClock.now()): string {
  const millis = Math.floor(now);
  if (millis > lastMillis || millis < lastMillis - SMALL_STEP_MS) {
    lastMillis = millis;
    sequence = 0;
  } else if (++sequence > 0xfff) {
    lastMillis += 1;
    sequence = 0;
  }
  const time = lastMillis.toString(16).padStart(12, '0');
  const random = sixteenRandomBytes();
  const variant = (0x80 | (random[0]! & 0x3f)).toString(16);
  const tail = random.toString('hex', 1, 8);
  const seq = sequence.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${seq}-${variant}${tail.slice(0, 2)}-${tail.slice(2)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text can be an identifier of ours. One that cannot is simply unknown: 404. */
export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The smallest possible id of a millisecond: turns a bound in time into a bound on time-ordered ids. */
export function lowestIdAt(milliseconds: number): string {
  const time = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The millisecond that an id carries; `lowestIdAt` of it is not above the id. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Cryptographically random bytes, for secrets. */
export function randomSecret(bytes: number): Buffer {
  return randomBytes(bytes);
}
