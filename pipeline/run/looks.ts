/**
 * What files looked like when their content was last hashed: size and times. A file that looks the same is not read again,
 * neither by whoever only looks (`status`, `--dry-run`) nor by a run: so a night costs what is new, not the corpus.
 *
 * A look has the time of the inode, which nobody can set, so that what was changed, put back or copied here looks different.
 * What changes without anybody writing (a failing disk) does not: each run therefore reads some files again, those first that
 * were not read for longest, and after some weeks of nights every one of them was. `rebuild --full` reads all.
 */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import PQueue from 'p-queue';
import type { DatasetId } from '../../data/catalog.js';
import { type HashFile, hashFile, readTextIfThere, writeFileWhole } from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';

/**
 * Path to a file's look (size, time of its content, time of its inode and number), its hash, and when its content was last
 * read, in milliseconds.
 */
type Entry = readonly [look: string, sha256: string, readMs: number];
type Known = Readonly<Record<string, Entry>>;

/** A file that changed as shortly before it was read may have changed again within the same tick of a coarse clock. */
const SETTLED_MS = 2000;

/** What a run reads again of what looks the same, at most; one file more, where that is larger. */
const AGAIN = { files: 256, bytes: 16 << 20 } as const;

export interface Looks {
  /** The hash of a file: from what was remembered where the file looks the same, else of its content. */
  readonly hash: HashFile;
  /**
   * Remembers the files that were asked for.
   *
   * @param made path to hash of what this run wrote, and so need not read
   */
  readonly save: (made: ReadonlyMap<string, string>) => Promise<void>;
}

export interface LooksOptions {
  readonly outputs: Outputs;
  readonly dataset: DatasetId;
  /** A file of others that changed since then, or just before, may no longer be what was hashed: it is not remembered. */
  readonly began: Date;
  /** What is relied on: all that was remembered; all but the part that it is this run's turn to read; nothing. */
  readonly trust: 'all' | 'all but some' | 'nothing';
}

export const openLooks = async ({ outputs, dataset, began, trust }: LooksOptions): Promise<Looks> => {
  const known = trust === 'nothing' ? {} : parse(await readTextIfThere(outputs.looks(dataset)));
  const again = trust === 'all but some' ? readLongestAgo(known) : new Set<string>();
  const asked = new Map<string, Entry>();
  // What lies in our own folder only we write, and the lock is ours.
  const isSettled = (path: string, { changedMs }: Look): boolean =>
    path.startsWith(`${outputs.folder}${sep}`) || changedMs < began.getTime() - SETTLED_MS;
  return {
    hash: async (path, stats) => {
      const found = stats === undefined ? await findLook(path) : toLook(stats);
      const before = again.has(path) ? undefined : known[path];
      if (before !== undefined && before[0] === found?.look) {
        asked.set(path, before);
        return before[1];
      }
      const sha256 = await hashFile(path);
      if (found !== undefined && isSettled(path, found)) asked.set(path, [found.look, sha256, began.getTime()]);
      else asked.delete(path);
      return sha256;
    },
    save: async (made) => {
      const queue = new PQueue({ concurrency: 16 });
      for (const [path, sha256] of made) {
        if (asked.get(path)?.[1] === sha256) continue;
        await queue.onSizeLessThan(64);
        void queue.add(async () => {
          const found = await findLook(path);
          if (found !== undefined && isSettled(path, found)) asked.set(path, [found.look, sha256, began.getTime()]);
        });
      }
      await queue.onIdle();
      const sorted = [...asked].sort(([a], [b]) => (a < b ? -1 : 1));
      await writeFileWhole(outputs.looks(dataset), `${JSON.stringify(Object.fromEntries(sorted))}\n`);
    },
  };
};

const readLongestAgo = (known: Known): ReadonlySet<string> => {
  const chosen = new Set<string>();
  let bytes = 0;
  for (const [path, [look]] of Object.entries(known).sort(([, a], [, b]) => a[2] - b[2])) {
    if (chosen.size >= AGAIN.files || bytes >= AGAIN.bytes) break;
    chosen.add(path);
    bytes += Number.parseInt(look, 10);
  }
  return chosen;
};

interface Look {
  readonly look: string;
  readonly changedMs: number;
}

const findLook = async (path: string): Promise<Look | undefined> => {
  try {
    return toLook(await stat(path, { bigint: true }));
  } catch {
    return undefined;
  }
};

const toLook = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): Look => ({
  look: [size, mtimeNs, ctimeNs, ino].join(' '),
  changedMs: Number(ctimeNs / 1_000_000n),
});

/** What cannot be read is as good as nothing: contents are read then. By hand, for there are as many entries as files. */
const parse = (text: string | undefined): Known => {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return isKnown(parsed) ? parsed : {};
  } catch {
    return {};
  }
};

const isKnown = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isEntry);

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  /^[0-9a-f]{64}$/.test(value[1]) &&
  typeof value[2] === 'number';
