/** What a run of one dataset says of itself: `last-run.json`, and the last thirty of them in `runs/`. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { DatasetId } from '../../../data/catalog.js';
import { readdirIfThere, readTextIfThere, writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';
import type { PublishedRun } from '../../../src/snapshot/commands.js';

const amounts = z.record(z.string(), z.number());

export const runRecordSchema = z.object({
  format: z.literal(1),
  /** A UUID of version 7: the order of the ids is the order of the runs. */
  id: z.uuid(),
  dataset: z.enum(['wcb', 'earnings']),
  job: z.enum(['rebuild', 'reprocess']),
  /** `died`: the process ended without a word; the next run says so. */
  outcome: z.enum(['running', 'succeeded', 'failed', 'stopped', 'died']),
  began_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  seconds: z.number().nullable(),
  error: z.string().nullable(),
  /** The run before, where that did not end as it should: this one went on where it stopped. */
  resumes: z.uuid().nullable(),
  inputs: z.array(z.string()),
  /** What a rebuild that is to publish the same repeats, where it was not the default; runs of before this was kept name none. */
  settings: z.record(z.string(), z.string()).optional(),
  /** What the input folders held: documents to read, and files or rows that cannot be one; null where they could not be listed. */
  listed: z
    .object({
      documents: z.number(),
      rejects: z.number(),
      /** Of the documents, those that were not found and stay as they were last read; runs of before this was kept name none. */
      kept: z
        .object({
          gone: z.number(),
          unread: z.number(),
          unanswered: z.number(),
          too_many: z.boolean(),
          lost: z.array(z.object({ subject: z.string(), documents: z.number() })),
        })
        .default({ gone: 0, unread: 0, unanswered: 0, too_many: false, lost: [] }),
    })
    .nullable(),
  stages: z.array(
    z.object({
      stage: z.string(),
      units: z.number(),
      stale: z.number(),
      seconds: z.number(),
      /** Of all units, the fresh ones too; and of those that were made in this run. */
      amounts,
      made: amounts,
      facts: z.record(z.string(), z.string()),
      /** What was made a second, where that can be told. */
      throughput: z.object({ amount: z.string(), per_second: z.number() }).nullable(),
    }),
  ),
  /** Of the snapshot that is current at the end, so that they are the same however often the run was interrupted. */
  totals: z
    .object({
      /** Published; with `rejects` all that was found. */
      documents: z.number(),
      sentences: z.number(),
      /** Of the sentences, those that no model was asked about; runs of before there were marks name none. */
      marked: z.number().default(0),
      /** Of the sentences, different texts; the marked ones too. */
      unique_sentences: z.number(),
      /** Files, rows and documents that were left out. */
      rejects: z.number(),
      /**
       * Labels in the snapshot: sentences that are not marked, times models. Made in this run, once for each text; and the others,
       * known before it, be it from a run that was interrupted, or from the same text elsewhere.
       */
      predictions: z.number(),
      predictions_made: z.number(),
      predictions_reused: z.number(),
    })
    .nullable(),
  /** The commonest reasons. */
  rejects: z.array(z.object({ stage: z.string(), reason: z.string(), documents: z.number() })),
  checks: z.array(
    z.object({
      name: z.string(),
      severity: z.enum(['block', 'warn']),
      passed: z.boolean(),
      offending: z.number(),
      overridden: z.string().optional(),
    }),
  ),
  /** Who was to be told of the run and could not be, and why; runs of before this was kept name none. */
  signals: z.array(z.object({ signal: z.enum(['webhook', 'prometheus']), fault: z.string() })).default([]),
  /** The snapshot that is current at the end, and the one that was current before. */
  snapshot: z.string().nullable(),
  snapshot_before: z.string().nullable(),
  newest: z
    .object({
      date: z.string().nullable(),
      /** The year or quarter (`2023 Q4`) whose end `date` is, where the newest document has no day of its own. */
      period: z.string().nullable().default(null),
      /**
       * Banks or tickers whose newest document is older than the setting max-age-days allows, the oldest first; without a day
       * of its own, that document is named by its year or quarter, and `days` are since the end of that.
       */
      too_old: z.array(z.object({ subject: z.string(), newest: z.string(), days: z.number() })),
    })
    .nullable(),
  last_success: z.object({ id: z.uuid(), at: z.iso.datetime(), snapshot: z.string() }).nullable(),
});

export type RunRecord = Readonly<z.infer<typeof runRecordSchema>>;

const KEPT = 30;
const RECORD = /^([0-9a-f-]{36})\.json$/;

/** The last run of a dataset, or undefined where none was recorded. Where `last-run.json` is gone or damaged, the runs know. */
export const readLastRun = async (outputs: Outputs, dataset: DatasetId): Promise<RunRecord | undefined> => {
  const last = await readRecord(outputs.lastRun(dataset));
  if (last !== undefined) return last;
  for (const id of (await idsOf(outputs.runs(dataset)).catch(() => [])).reverse()) {
    const record = await readRecord(join(outputs.runs(dataset), `${id}.json`));
    if (record !== undefined) return record;
  }
  return undefined;
};

/** The last run of those that published, or found what is published to be fresh; undefined where no record is kept. */
export const readPublishedRun = async (outputs: Outputs, dataset: DatasetId): Promise<PublishedRun | undefined> => {
  const id = (await readLastRun(outputs, dataset))?.last_success?.id;
  if (id === undefined) return undefined;
  const file = join(outputs.runs(dataset), `${id}.json`);
  const record = await readRecord(file);
  return record === undefined ? undefined : { inputs: record.inputs, settings: record.settings, file };
};

/** Every run of a dataset whose record is kept and whole, oldest first. */
export const readRuns = async (outputs: Outputs, dataset: DatasetId): Promise<readonly RunRecord[]> => {
  const folder = outputs.runs(dataset);
  const ids = await idsOf(folder).catch(() => []);
  const records = await Promise.all(ids.map((id) => readRecord(join(folder, `${id}.json`))));
  return records.filter((record) => record !== undefined);
};

const readRecord = async (path: string): Promise<RunRecord | undefined> => {
  const text = await readTextIfThere(path);
  try {
    return text === undefined ? undefined : runRecordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
};

/** Oldest first. */
const idsOf = async (folder: string): Promise<string[]> =>
  (await readdirIfThere(folder)).flatMap((name) => RECORD.exec(name)?.slice(1) ?? []).sort();

/** Removes the record, as if the run had never been. */
export const removeRecord = async (outputs: Outputs, { dataset, id }: RunRecord): Promise<void> => {
  await rm(outputs.lastRun(dataset), { force: true });
  await rm(outputs.lineage(dataset, id), { force: true });
  await rm(join(outputs.runs(dataset), `${id}.json`), { force: true });
};

/** Writes the record under its id and as the last one, and forgets the oldest. */
export const writeRecord = async (outputs: Outputs, record: RunRecord): Promise<void> => {
  const text = `${JSON.stringify(record, null, 1)}\n`;
  const folder = outputs.runs(record.dataset);
  await writeFileWhole(join(folder, `${record.id}.json`), text);
  await writeFileWhole(outputs.lastRun(record.dataset), text);
  for (const id of (await idsOf(folder)).slice(0, -KEPT)) {
    await rm(outputs.lineage(record.dataset, id), { force: true });
    await rm(join(folder, `${id}.json`), { force: true });
  }
};

/** A UUID of version 7: 48 bits of time, then chance. */
export const newRunId = (now: Date): string => {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
