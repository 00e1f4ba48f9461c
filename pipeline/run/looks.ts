/**
 * What files looked like when their content was last hashed: size and times. Whoever only looks (`status`, `--dry-run`)
 * goes by that and reads nothing that looks the same; a run relies on contents alone.
 */
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import PQueue from 'p-queue';
import * as z from 'zod';
import type { DatasetId } from '../../data/catalog.js';
import { type HashFile, hashFile, readTextIfThere, writeFileWhole } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';

/** Path to a file's look (size, time of its content, time of its inode, which nobody can set, and number) and its hash. */
const Looks = z.record(z.string(), z.tuple([z.string(), z.string().regex(/^[0-9a-f]{64}$/)]));

/** A file that changed as shortly before it was read may have changed again within the same tick of a coarse clock. */
const SETTLED_MS = 2000;

/** The hash of a file: from what was remembered where the file looks the same, else of its content. */
export const openLooks = async (outputs: Outputs, dataset: DatasetId): Promise<HashFile> => {
  const looks = parse(await readTextIfThere(outputs.looks(dataset)));
  return async (path) => {
    const known = looks[path];
    return known !== undefined && known[0] === (await lookOf(path))?.look ? known[1] : hashFile(path);
  };
};

export interface RememberLooksOptions {
  readonly outputs: Outputs;
  readonly dataset: DatasetId;
  /** Path to the hash of its content, as this run found or made it. */
  readonly hashes: ReadonlyMap<string, string>;
  /** When the run began. A file of others that changed since, or just before, may no longer be what was hashed. */
  readonly began: Date;
}

export const rememberLooks = async ({ outputs, dataset, hashes, began }: RememberLooksOptions): Promise<void> => {
  const looks: [string, [string, string]][] = [];
  const queue = new PQueue({ concurrency: 16 });
  for (const [path, sha256] of hashes) {
    await queue.onSizeLessThan(64);
    void queue.add(async () => {
      const found = await lookOf(path);
      // What lies in our own folder only we write, and the lock is ours.
      const isOurs = path.startsWith(`${outputs.folder}${sep}`);
      if (found === undefined || !(isOurs || found.changedMs < began.getTime() - SETTLED_MS)) return;
      looks.push([path, [found.look, sha256]]);
    });
  }
  await queue.onIdle();
  const sorted = looks.sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFileWhole(outputs.looks(dataset), `${JSON.stringify(Object.fromEntries(sorted))}\n`);
};

const lookOf = async (path: string): Promise<{ readonly look: string; readonly changedMs: number } | undefined> => {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return { look: [size, mtimeNs, ctimeNs, ino].join(' '), changedMs: Number(ctimeNs / 1_000_000n) };
  } catch {
    return undefined;
  }
};

/** What cannot be read is as good as nothing: contents are read then. */
const parse = (text: string | undefined): z.infer<typeof Looks> => {
  try {
    const parsed = Looks.safeParse(JSON.parse(text ?? '{}'));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
};
