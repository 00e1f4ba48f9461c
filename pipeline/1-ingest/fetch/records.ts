/** What is remembered of an address: what it last gave, and how to ask whether that has changed. One small file each. */
import { join } from 'node:path';
import * as z from 'zod';
import { hashText, readTextIfThere, writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';

const UrlRecord = z.object({
  url: z.string(),
  /** The address that answered, after redirects. */
  answered: z.string(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  content_type: z.string().nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number(),
  /** Ending that tells the format. */
  extension: z.string(),
  /** When this content was fetched; an answer that it has not changed leaves it. */
  fetched_at: z.string(),
});
export type UrlRecord = z.infer<typeof UrlRecord>;

const fileOf = (outputs: Outputs, url: string): string => {
  const name = hashText(url);
  return join(outputs.urls, name.slice(0, 2), `${name}.json`);
};

/** The record of an address; undefined where it was never fetched, or the record cannot be read: then it is fetched anew. */
export const readUrlRecord = async (outputs: Outputs, url: string): Promise<UrlRecord | undefined> => {
  const text = await readTextIfThere(fileOf(outputs, url));
  if (text === undefined) return undefined;
  try {
    const parsed = UrlRecord.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.url === url ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

export const writeUrlRecord = (outputs: Outputs, record: UrlRecord): Promise<void> =>
  writeFileWhole(fileOf(outputs, record.url), `${JSON.stringify(record)}\n`);
