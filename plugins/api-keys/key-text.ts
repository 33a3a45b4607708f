import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomSecret } from '../../core/index.ts';

/** The prefix of every key. Scanners find leaked keys by it, and it distinguishes keys from JWTs. */
export const KEY_PREFIX = 'vk_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 > 2^256 and 62^6 > 2^32. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key: the prefix, 256 random bits in base62, and a checksum over both. */
export function newKey(): string {
  const secret = KEY_PREFIX + base62(BigInt(`0x${randomSecret(32).toString('hex')}`), SECRET_LENGTH);
  return secret + checksum(secret);
}

/** Whether a text has the form of a key. Refuses mistyped and invented keys without a query. */
export function isWellFormed(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** The stored hash of a key. A key has 256 random bits, so a fast hash is enough. */
export function hashOf(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The masked key that lists show: `vk_abcd…wxyz`. */
export function maskOf(key: string): string {
  return `${key.slice(0, KEY_PREFIX.length + 4)}…${key.slice(-4)}`;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)]! + digits;
  return digits.padStart(length, '0');
}
