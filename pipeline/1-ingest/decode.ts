/** From bytes to characters. */
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { ExtractError } from './source.js';

const SAMPLE_BYTES = 64 * 1024;

/** Encodings whose bytes no text can be invalid in, so that only a reader's guess tells them from windows-1252. */
const SINGLE_BYTE = /^(iso-8859-|windows-125|koi8-|mac)/i;

/** Control characters whose bytes are marks in windows-1252, and that no text has another use for: U+0085 is a line's end. */
const MISTAKEN = /[\u0080\u0082-\u0084\u0086-\u008c\u008e\u0091-\u009c\u009e\u009f]/g;

/**
 * The characters of a text file, exactly as they stand but for a byte order mark and for typographic marks of windows-1252
 * that whoever converted the file took for control characters, each of them one character still. They are read as UTF-8
 * where the bytes are UTF-8, UTF-16 where a mark says so, else the encoding that is `declared` (by a page's meta), else the
 * one that its bytes look like. Bytes that mean nothing in that encoding become U+FFFD.
 *
 * @throws ExtractError for binary data: NUL characters, or UTF-16 that is none
 */
export const decodeText = (bytes: Uint8Array, declared?: string): string => {
  const text = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), declared);
  if (text.includes('\0'))
    throw new ExtractError('The file holds binary data, not text: there are NUL characters in it.');
  return text.replace(MISTAKEN, (mark) => iconv.decode(Buffer.from([mark.charCodeAt(0)]), 'windows-1252'));
};

const decode = (bytes: Buffer, declared: string | undefined): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return decodeUtf16(Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16());
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== undefined) return utf8;
  const named = declared !== undefined && iconv.encodingExists(declared) ? declared : undefined;
  return iconv.decode(
    bytes,
    named !== undefined && !/^(utf-?8|ascii|us-ascii)$/i.test(named) ? widen(named) : guess(bytes),
  );
};

const decodeUtf8 = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const decodeUtf16 = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-16le', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ExtractError('The first bytes announce UTF-16, but the rest is none.', { cause: error });
  }
};

/** UTF-8 with a stray byte here and there, as after a careless cut, would lose all its other letters as anything else. */
const isNearlyUtf8 = (sample: Buffer): boolean => {
  // A sample may begin and end within a character.
  const text = sample.toString('utf8').slice(1, -1);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const others = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  return others > broken * 10;
};

const guess = (bytes: Buffer): string => {
  // The bytes around the first that is no ASCII tell the most.
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, first - SAMPLE_BYTES / 4);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  if (isNearlyUtf8(sample)) return 'utf-8';
  const found = chardet.analyse(sample);
  const best = found[0];
  if (best === undefined || !iconv.encodingExists(best.name)) return 'windows-1252';
  if (best.name === 'UTF-8') return 'windows-1252';
  // English with a few typographic marks looks alike in every Latin encoding, and two stray bytes like a Chinese one.
  const sure = best.confidence >= 50 || !isMostlyAscii(bytes);
  const western = found.some(({ name, confidence }) => name === 'ISO-8859-1' && confidence >= best.confidence - 10);
  if (!sure || (western && SINGLE_BYTE.test(best.name))) return 'windows-1252';
  return widen(best.name);
};

const isMostlyAscii = (bytes: Buffer): boolean => {
  let high = 0;
  for (const byte of bytes) if (byte > 0x7f) high += 1;
  return high < bytes.length / 20;
};

/** What calls itself Latin-1 is windows-1252 everywhere on the web: the same letters, and typographic quotes. */
const widen = (name: string): string => (/^(iso-?8859-?1|latin-?1|ascii)$/i.test(name) ? 'windows-1252' : name);
