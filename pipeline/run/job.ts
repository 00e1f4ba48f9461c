/**
 * A job: one rebuild of one dataset, cut into steps that any machine can do which shares the outputs folder. Its folder
 * holds what the steps need to know, written before the first begins, and a marker for each thing that is done. A marker is
 * made with `link`, whole and once; who comes second finds it and leaves.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { DatasetId } from '../../data/catalog.js';
import { codeOf, RunError, UsageError } from '../../src/errors.js';
import {
  canonicalJson,
  makeFolder,
  moveInPlace,
  readTextIfThere,
  syncPath,
  temporaryBeside,
  writeFileWhole,
} from '../../src/files.js';
import type { Outputs } from '../../src/outputs.js';
import { readSettings, type SettingName, type Settings } from '../../src/settings.js';
import type { PlannedDocument, Shard } from '../stage.js';
import { ATTEMPTS, ELEMENT, type Step } from './executors/executor.js';
import type { DatasetPlan } from './plan.js';

/**
 * The steps in their order. `read`: the stages before the one whose opening is spread, by partition. `cut`: what that one
 * would do as it opens, as shards. `answer`: the shards. `finalize`: a rebuild like any other, which finds all of it done.
 */
export const STEPS = ['read', 'cut', 'answer', 'finalize'] as const;
export type StepName = (typeof STEPS)[number];

const jobSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  dataset: z.enum(['wcb', 'earnings']),
  created_at: z.iso.datetime(),
  /** Who was given it: the name of an engine, or `nobody` where it was printed for somebody to start. */
  engine: z.string(),
  inputs: z.array(z.string()),
  settings: z.record(z.string(), z.string()),
  forget: z.array(z.string()),
  allowed: z.array(z.tuple([z.string(), z.string()])),
  documents: z.number(),
  partitions: z.number(),
  /** Tasks of the steps that are arrays. */
  elements: z.object({ read: z.number(), answer: z.number() }),
});

export type Job = Readonly<z.infer<typeof jobSchema>>;

/** A job and the folder that it lies in. */
export interface FoundJob {
  readonly folder: string;
  readonly job: Job;
}

export interface JobOptions {
  readonly plan: DatasetPlan;
  readonly outputs: Outputs;
  readonly settings: Settings;
  readonly inputs: readonly string[];
  readonly forget: readonly string[];
  readonly allowedChecks: ReadonlyMap<string, string>;
  readonly engine: string;
  readonly now: Date;
}

/** Not of a task: an address may hold a secret, and how a task speaks is its engine's affair. */
const LEFT_OUT: readonly SettingName[] = ['webhook', 'executor', 'log', 'accounts', 'host', 'port'];
const KEPT_JOBS = 3;

/** Tasks begin in other folders than that in which the paths were typed. */
const wholePaths = ({ outputs, models, prometheus }: Settings): Partial<Settings> => ({
  outputs: resolve(outputs),
  models: resolve(models),
  // Empty is no file.
  ...(prometheus !== '' && { prometheus: resolve(prometheus) }),
});

/** Writes a job's folder. The caller holds the dataset's lock, or takes care that nobody else makes one. */
export const createJob = async (options: JobOptions): Promise<FoundJob> => {
  const { plan, outputs, settings, now } = options;
  const home = outputs.jobs(plan.dataset);
  const id = await newJobId(home, now);
  const parts = deal(plan, settings.tasks);
  const job: Job = {
    format: 1,
    id,
    dataset: plan.dataset,
    created_at: now.toISOString(),
    engine: options.engine,
    inputs: options.inputs.map((input) => resolve(input)),
    settings: Object.fromEntries(
      Object.entries({ ...settings, ...wholePaths(settings) })
        .filter(([name]) => !LEFT_OUT.some((left) => left === name))
        .map(([name, value]) => [name, String(value)]),
    ),
    forget: [...options.forget],
    allowed: [...options.allowedChecks],
    documents: plan.partitions.reduce((sum, name) => sum + (plan.documents.get(name)?.length ?? 0), 0),
    partitions: plan.partitions.length,
    elements: { read: parts.length, answer: settings.tasks },
  };
  const folder = join(home, id);
  const temporary = temporaryBeside(folder);
  try {
    for (const [at, part] of parts.entries()) await writePart(partFile(temporary, at), part, plan);
    await makeFolder(doneFolder(temporary));
    await makeFolder(logsFolder(temporary));
    await writeFileWhole(join(temporary, 'job.json'), `${JSON.stringify(job, null, 1)}\n`);
    await moveInPlace(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  for (const old of (await jobIds(home)).slice(0, -KEPT_JOBS))
    await rm(join(home, old), { recursive: true, force: true });
  return { folder, job };
};

/** The order of the ids is that in which the jobs were made, also where the clock was set back between two. */
const newJobId = async (home: string, now: Date): Promise<string> => {
  const time = now.toISOString().slice(0, 19).replaceAll(/\D/g, '');
  const last = (await jobIds(home)).at(-1)?.slice(0, time.length) ?? '';
  return `${last < time ? time : Number(last) + 1}-${randomBytes(3).toString('hex')}`;
};

/** @throws UsageError where there is no job in the folder */
export const readJob = async (folder: string): Promise<FoundJob> => {
  const text = await readTextIfThere(join(folder, 'job.json'));
  if (text === undefined) throw new UsageError(`There is no job in ${folder}.`);
  const read = jobSchema.safeParse(parsed(text));
  if (!read.success) throw new RunError(`${join(folder, 'job.json')} is damaged: start the job again.`);
  return { folder: resolve(folder), job: read.data };
};

/** The last job of a dataset, or undefined where there was none. */
export const findLastJob = async (outputs: Outputs, dataset: DatasetId): Promise<FoundJob | undefined> => {
  const id = (await jobIds(outputs.jobs(dataset))).at(-1);
  return id === undefined ? undefined : readJob(join(outputs.jobs(dataset), id));
};

/** The settings that a job was made with, in this process, and an address to tell from its environment. */
export const settingsOfJob = ({ settings }: Job, environment: Readonly<Record<string, string | undefined>>): Settings =>
  readSettings({ ...settings, executor: 'local' }, { FINTEXT_WEBHOOK: environment.FINTEXT_WEBHOOK });

/** The steps as an engine is given them. */
export const stepsOf = ({ folder, job }: FoundJob, more: readonly string[] = []): readonly Step[] => {
  const settings = settingsOfJob(job, {});
  return STEPS.map((name, at): Step => {
    const before = STEPS[at - 1];
    return {
      name: stepName(job, name),
      args: ['work', '--job', folder, '--step', name, '--element', ELEMENT, '--attempts', ATTEMPTS, ...more],
      elements: name === 'read' || name === 'answer' ? job.elements[name] : 'one',
      after: before === undefined ? null : stepName(job, before),
      cpus: settings.workers,
      // Which model file answers depends on the processor: all that ask for it see the same one.
      gpus: name === 'read' ? 0 : settings.gpus,
    };
  });
};

export const stepName = ({ dataset, id }: Job, step: StepName): string => `fintext-${dataset}-${id}-${step}`;

/** How many tasks a step has. */
export const elementsOf = ({ elements }: Job, step: StepName): number =>
  step === 'read' || step === 'answer' ? elements[step] : 1;

export const logsFolder = (folder: string): string => join(folder, 'logs');
export const shardsFolder = (folder: string): string => join(folder, 'shards');
const doneFolder = (folder: string): string => join(folder, 'done');
const partFile = (folder: string, element: number): string => join(folder, 'parts', `${element}.jsonl`);

/** What was done, by the names of the markers: `read-3`, `0000012.parquet`. */
export const readMarkers = async (folder: string): Promise<ReadonlySet<string>> =>
  new Set(
    (await readdir(doneFolder(folder)).catch(() => [])).flatMap((name) =>
      name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
    ),
  );

export const elementMarker = (step: StepName, element: number): string => `${step}-${element}`;

/** Says that something is done. Once: true where nobody said it before. */
export const mark = async (folder: string, name: string, content: object): Promise<boolean> => {
  const path = join(doneFolder(folder), `${name}.json`);
  const temporary = temporaryBeside(path);
  try {
    await writeFile(temporary, `${canonicalJson(content)}\n`);
    await syncPath(temporary);
    await link(temporary, path);
    await syncPath(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
};

/** The partitions of one element, or of all, with their documents, in a stable order. */
export const readParts = async (
  { folder, job }: FoundJob,
  elements: readonly number[] = Array.from({ length: job.elements.read }, (_, at) => at),
): Promise<Pick<DatasetPlan, 'partitions' | 'documents'>> => {
  const documents = new Map<string, readonly PlannedDocument[]>();
  for (const element of elements) {
    for await (const line of createInterface({ input: createReadStream(partFile(folder, element)) })) {
      const part = partSchema.parse(parsed(line));
      documents.set(
        part.partition,
        part.documents.map(({ fileName, notes, ...document }) => ({
          ...document,
          ...(fileName !== undefined && { fileName }),
          ...(notes !== undefined && { notes }),
        })),
      );
    }
  }
  return { partitions: [...documents.keys()].sort(byName), documents };
};

/** Writes the list of the shards, which are there. Another attempt may have been first: then its shards are the shards. */
export const listShards = async (folder: string, made: string, shards: readonly Shard[]): Promise<void> => {
  await writeFileWhole(join(made, SHARDS), `${JSON.stringify(shards)}\n`);
  try {
    await moveInPlace(made, shardsFolder(folder));
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
};

/** The shards in their order, or undefined where they are not cut yet. */
export const readShards = async (folder: string): Promise<readonly Shard[] | undefined> => {
  const text = await readTextIfThere(join(shardsFolder(folder), SHARDS));
  return text === undefined ? undefined : z.array(shardSchema).parse(parsed(text));
};

const SHARDS = 'shards.json';

const shardSchema = z.object({ file: z.string(), kind: z.string(), amount: z.number() });
/** Every field: what were left out would make of the same document another ingredient. */
const documentFields = {
  dataset: z.enum(['wcb', 'earnings']),
  documentId: z.string(),
  partition: z.string(),
  dimensions: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  title: z.string().nullable(),
  sourceUrl: z.string().nullable(),
  file: z.string(),
  path: z.string(),
  fileName: z.string().optional(),
  fileSha256: z.string().nullable(),
  notes: z.array(z.string()).optional(),
  bytes: z.number(),
} satisfies Record<keyof PlannedDocument, z.ZodType>;
const partSchema = z.object({ partition: z.string(), documents: z.array(z.object(documentFields)) });

const parsed = (text: string): unknown => JSON.parse(text);
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** In the order in which they were made: their names begin with their time. */
const jobIds = async (home: string): Promise<readonly string[]> =>
  (await readdir(home).catch(() => [])).filter((name) => /^\d{14}-[0-9a-f]{6}$/.test(name)).sort();

/** Deals the partitions to at most so many tasks, the largest first, each to whoever has least. */
const deal = (plan: DatasetPlan, tasks: number): readonly (readonly string[])[] => {
  const bytes = (partition: string): number =>
    (plan.documents.get(partition) ?? []).reduce((sum, document) => sum + document.bytes, 0);
  const parts = Array.from({ length: Math.min(tasks, plan.partitions.length) }, () => ({
    bytes: 0,
    partitions: [] as string[],
  }));
  const weighed = plan.partitions.map((partition) => ({ partition, bytes: bytes(partition) }));
  for (const one of weighed.sort((a, b) => b.bytes - a.bytes || byName(a.partition, b.partition))) {
    const least = parts.reduce((best, part) => (part.bytes < best.bytes ? part : best));
    least.bytes += one.bytes;
    least.partitions.push(one.partition);
  }
  return parts.map((part) => part.partitions);
};

const writePart = async (path: string, partitions: readonly string[], plan: DatasetPlan): Promise<void> => {
  const lines = partitions.map((partition) =>
    JSON.stringify({ partition, documents: plan.documents.get(partition) ?? [] }),
  );
  await writeFileWhole(path, lines.map((line) => `${line}\n`).join(''));
};
