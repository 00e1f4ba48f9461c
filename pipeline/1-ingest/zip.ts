/** What a zip archive says of itself, read from its directory before anything is unpacked. */
import { ExtractError } from './source.js';

export interface ZipEntry {
  readonly name: string;
  /** As the archive states it; a false figure is caught by the bound on the process's memory. */
  readonly unpackedBytes: number;
}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MAX_COMMENT = 0xffff;

/** The archive's directory. @throws ExtractError where it is none or is cut off */
export const readZipEntries = (bytes: Uint8Array): readonly ZipEntry[] => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = findEnd(view);
  const count = view.readUInt16LE(end + 10);
  let at = view.readUInt32LE(end + 16);
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > view.length || view.readUInt32LE(at) !== ENTRY)
      throw new ExtractError('The zip archive is damaged: its directory is incomplete.');
    const nameBytes = view.readUInt16LE(at + 28);
    const name = view.toString('utf8', at + ENTRY_BYTES, Math.min(view.length, at + ENTRY_BYTES + nameBytes));
    entries.push({ name, unpackedBytes: view.readUInt32LE(at + 24) });
    at += ENTRY_BYTES + nameBytes + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return entries;
};

const findEnd = (view: Buffer): number => {
  const last = view.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at -= 1) if (view.readUInt32LE(at) === END) return at;
  throw new ExtractError('The zip archive is cut off: its directory is missing.');
};
