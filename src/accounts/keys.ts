/**
 * What a key looks like: `ftx_live_`, 30 random characters (178 bits), 6 characters of checksum. The readable beginning
 * lets a person, a log filter and a secret scanner know it for what it is; the checksum shows a slip of the pen without
 * a look-up.
 */
import { randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashText } from '../files.js';

const START = 'ftx_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = START.length + 4;
const PATTERN = new RegExp(`^${START}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key. */
export const makeKey = (): string => {
  const body = START + randomText(SECRET_LENGTH);
  return body + checksum(body);
};

/** A new id, of a key or an account: `key_7Hq2…`. No secret. */
export const makeId = (kind: 'key' | 'acc'): string => `${kind}_${randomText(12)}`;

/** Whether this can be a key at all: its shape and its checksum. */
export const isWellFormed = (key: string): boolean =>
  PATTERN.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);

/** A text in which whatever begins like a key is cut after that: for logs. */
export const withoutKeys = (text: string): string =>
  text.replaceAll(new RegExp(`${START}[0-9A-Za-z]+`, 'g'), `${START}…`);

/**
 * What is stored of a key: sha256, as 64 hexadecimal digits. A slow hash, as for passwords, would add nothing: nobody
 * tries out 178 random bits.
 */
export const hashKey = (key: string): string => hashText(key);

/** What the store finds a hash by: its first 64 bits. The rest is compared by `isSameHash`. */
export const lookupOf = (hash: string): string => hash.slice(0, 16);

/** Compares two sha256 in a time that does not tell how much of them is equal. */
export const isSameHash = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === 32 && b.length === 32 && timingSafeEqual(a, b);
};

/** How the key begins: what a list shows of it. */
export const shownPrefix = (key: string): string => key.slice(0, SHOWN_LENGTH);

// randomInt draws evenly; a remainder of random bytes would not.
const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

const checksum = (body: string): string => {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
};
