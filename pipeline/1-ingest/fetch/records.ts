/** What is remembered of an address: what it last gave, and how to ask whether that has changed. One small file each. */
import { readdir } from 'node:fs/promises';
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
  const record = parse(text);
  return record?.url === url ? record : undefined;
};

const parse = (text: string): UrlRecord | undefined => {
  try {
    const parsed = UrlRecord.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

/** The contents that addresses gave last, by their hashes, each once. */
export const findUrlContents = async (outputs: Outputs): Promise<readonly string[]> => {
  const contents = new Set<string>();
  for (const name of await readdir(outputs.urls, { recursive: true }).catch(() => [])) {
    if (!name.endsWith('.json')) continue;
    const record = parse((await readTextIfThere(join(outputs.urls, name))) ?? '');
    if (record !== undefined) contents.add(record.sha256);
  }
  return [...contents];
};

export const writeUrlRecord = (outputs: Outputs, record: UrlRecord): Promise<void> =>
  writeFileWhole(fileOf(outputs, record.url), `${JSON.stringify(record)}\n`);
