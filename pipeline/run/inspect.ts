/** What a rebuild would do, found out without doing it: for `status`, `status --why` and `--dry-run`. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { DATASETS, type DatasetId } from '../../data/catalog.js';
import { UsageError } from '../../src/errors.js';
import type { HashFile } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import { countMissing } from '../3-classify/stage.js';
import type { StageName } from '../document.js';
import { PIPELINE } from '../pipeline.js';
import { checkForget } from './forget.js';
import { holdOthers } from './hold.js';
import { isEmpty, listingOf, readListing } from './listing.js';
import { openLooks } from './looks.js';
import { measurePaces, type Paces } from './pace.js';
import { type DatasetPlan, planDataset } from './plan.js';
import { readRuns } from './records/record.js';
import { type Redo, selectedBy, whatIsRead } from './redo.js';
import { lookUpRemote, type UrlCounts } from './remote.js';
import { nothingFound, type RunRequest } from './run.js';
import { checkUnits, partitionsOf } from './stages.js';
import { recallUnchanged } from './unchanged.js';
import { findVanished } from './vanished.js';
import { openWorld } from './world.js';

export interface UnitState {
  readonly dataset: DatasetId;
  readonly stage: StageName;
  readonly partition: string;
  readonly state: 'fresh' | 'stale';
  /** Null where it is fresh. */
  readonly why: string | null;
}

export interface Inspection {
  readonly dataset: DatasetId;
  readonly documents: number;
  readonly bytes: number;
  readonly rejects: number;
  readonly units: readonly UnitState[];
  readonly urls: UrlCounts;
  /** Documents that are gone from their folders and stay from what was kept of them. */
  readonly recalled: number;
  /** What a reprocess asked for; null where the run is for all. */
  readonly asked: { readonly documents: number; readonly partitions: number } | null;
  /** Of the documents whose text is known; the others are estimated from the bytes of their files. */
  readonly sentences: { readonly known: number; readonly estimated: number };
  readonly predictions: { readonly known: number; readonly estimated: number };
  /** What costs time: files that would be read, and texts that models would be asked about, once for each model package. */
  readonly work: { readonly documents: number; readonly bytes: number; readonly texts: number };
  readonly paces: Paces;
}

/**
 * Bytes of a raw file for each sentence, by the file's ending, and distinct sentences for each sentence: rounded from what
 * the public corpora hold (`npm run bench -- pipeline`). Used where nothing of a file is known yet.
 */
const BYTES_A_SENTENCE: Readonly<Record<string, number>> = { '.pdf': 800, '.docx': 400, '.html': 400, '.htm': 400 };
const BYTES_OF_PLAIN_TEXT = { document: 150, transcript: 94 } as const;
const DISTINCT_SHARE = { document: 0.78, transcript: 0.69 } as const;

/** Asks no address: of those that were never fetched it is only known how many they are. */
export const inspect = async (
  request: Pick<RunRequest, 'datasets' | 'inputs' | 'settings' | 'signal' | 'now'> &
    Partial<Pick<RunRequest, 'forget' | 'redo' | 'log'>>,
): Promise<readonly Inspection[]> => {
  const { datasets, signal, log, forget = [], redo = { what: 'nothing' } } = request;
  const outputs = outputsIn(resolve(request.settings.outputs));
  const listing = await readListing(request.inputs, signal);
  await checkForget({ outputs, datasets, listing, forget });
  const inspections: Inspection[] = [];
  const vanished: string[] = [];
  for (const dataset of datasets) {
    if (isEmpty(listingOf(listing, dataset))) {
      const why = redo.what === 'selection' ? undefined : await findVanished({ ...listing, outputs, dataset });
      if (why !== undefined) vanished.push(why);
      continue;
    }
    const { hash } = await openLooks({ outputs, dataset, began: request.now(), trust: 'all' });
    const readRemote = lookUpRemote(outputs, hash);
    const whole = await planDataset(dataset, listing, { outputs, readRemote, forget, signal, hash });
    if (whole.partitions.length + whole.urls.all === 0) continue;
    if (redo.what !== 'selection') {
      inspections.push(
        await inspectDataset(whole, { asked: null, again: againOf(redo, whole.partitions) }, hash, request),
      );
      continue;
    }
    const { selection } = redo;
    const holding = { outputs, hash, selection, read: whatIsRead(redo), scratch: tmpdir() };
    const { plan, selected } = await holdOthers(whole, holding);
    const partitions = selectedBy(plan, redo, selected);
    const documents = [...plan.documents.values()].flat().filter(({ documentId }) => selected.has(documentId));
    const asked = { documents: documents.length, partitions: partitions.length };
    inspections.push(await inspectDataset(plan, { asked, again: againOf(redo, partitions), selected }, hash, request));
  }
  const [first] = vanished;
  if (inspections.length === 0) throw first === undefined ? nothingFound(request) : new UsageError(first);
  for (const message of vanished) log?.({ type: 'note', dataset: null, message });
  return inspections;
};

/** Partitions that are made again although they may be fresh: from their files on, and their texts asked again. */
interface Again {
  readonly read: readonly string[];
  readonly answered: readonly string[];
}

const againOf = (redo: Redo, selected: readonly string[]): Again => ({
  read: redo.what === 'everything' || (redo.what === 'selection' && redo.model === undefined) ? selected : [],
  answered: redo.what === 'everything' || (redo.what === 'selection' && redo.model !== undefined) ? selected : [],
});

interface Asked {
  readonly asked: Inspection['asked'];
  readonly again: Again;
  /** The documents that are redone, where only a part is. */
  readonly selected?: ReadonlySet<string>;
}

const inspectDataset = async (
  plan: DatasetPlan,
  { asked, again, selected }: Asked,
  hash: HashFile,
  { inputs, settings, signal, now }: Parameters<typeof inspect>[0],
): Promise<Inspection> => {
  // Not the run's own: a run may be under way, and looking changes nothing.
  const scratch = await mkdtemp(join(tmpdir(), 'fintext-'));
  const opened = await openWorld({
    plan,
    inputs,
    settings,
    signal,
    now,
    log: () => undefined,
    hash,
    redoModels: [],
    ...(selected !== undefined && { redoDocuments: selected }),
    allowedChecks: new Map(),
    reports: () => [],
    scratch,
  });
  try {
    const { world, setOutput, hasOutput } = opened;
    const units: UnitState[] = [];
    const stages = plan.partitions.length === 0 ? [] : PIPELINE;
    for (const [at, stage] of stages.entries()) {
      const before = PIPELINE[at - 1];
      const all = partitionsOf(stage, world);
      const needs = (partition: string): boolean =>
        before === undefined ||
        (stage.scope === 'partition'
          ? hasOutput(before.name, partition)
          : partitionsOf(before, world).every((source) => hasOutput(before.name, source)));
      const ready = all.filter(needs);
      for (const { partition, freshness } of await checkUnits(stage, world, ready, new Set())) {
        const { state } = freshness;
        if (state === 'fresh') setOutput(stage.name, partition, freshness.output);
        units.push({
          dataset: plan.dataset,
          stage: stage.name,
          partition,
          state,
          why: state === 'fresh' ? null : freshness.why,
        });
      }
      for (const partition of all.filter((name) => !ready.includes(name))) {
        units.push({
          dataset: plan.dataset,
          stage: stage.name,
          partition,
          state: 'stale',
          why: `waits for ${before?.name}`,
        });
      }
    }
    // What is asked again of all of them is no less for what was known.
    const uncut = plan.partitions.filter((name) => !hasOutput('segment', name) && !again.answered.includes(name));
    const unchanged = await recallUnchanged(uncut, opened, scratch);
    const known = plan.partitions.filter((partition) => hasOutput('segment', partition));
    const unclassified = known.filter((partition) => !hasOutput('classify', partition));
    const estimated = estimateSentences(
      plan,
      plan.partitions.filter((partition) => !known.includes(partition) || uncut.includes(partition)),
      unchanged,
    );
    const sentencesOf = (partitions: readonly string[]): number =>
      partitions.reduce((sum, partition) => sum + (world.output('segment', partition).amounts.sentences ?? 0), 0);
    const distinct = (count: number): number => Math.round(count * DISTINCT_SHARE[world.dataset.kind]);
    const missing = await countMissing(unclassified, world);
    const answered = known.filter((name) => again.answered.includes(name) && !unclassified.includes(name));
    const unread = units.filter(({ stage, state }) => stage === 'ingest' && state === 'stale');
    const read = new Set([...unread.map(({ partition }) => partition), ...again.read]);
    return {
      dataset: plan.dataset,
      documents: countDocuments(plan, plan.partitions),
      bytes: bytesOf(plan, plan.partitions),
      rejects: plan.rejects.length,
      units,
      urls: plan.urls,
      recalled: plan.recall.recalled.length,
      asked,
      sentences: { known: sentencesOf(known), estimated },
      predictions: {
        known: missing.predictions,
        estimated: distinct(estimated) * world.dataset.models.length,
      },
      work: {
        documents: countDocuments(plan, [...read]),
        bytes: bytesOf(plan, [...read]),
        texts: missing.texts + distinct(estimated + sentencesOf(answered)),
      },
      paces: measurePaces(await readRuns(world.outputs, plan.dataset), settings.device),
    };
  } finally {
    opened.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

const countDocuments = (plan: DatasetPlan, partitions: readonly string[]): number =>
  partitions.reduce((sum, partition) => sum + (plan.documents.get(partition)?.length ?? 0), 0);

const bytesOf = (plan: DatasetPlan, partitions: readonly string[]): number =>
  partitions.flatMap((partition) => plan.documents.get(partition) ?? []).reduce((sum, { bytes }) => sum + bytes, 0);

/** @param known ids of documents whose sentences are known */
const estimateSentences = (plan: DatasetPlan, partitions: readonly string[], known: ReadonlySet<string>): number => {
  const plain = BYTES_OF_PLAIN_TEXT[DATASETS[plan.dataset].kind];
  return Math.round(
    partitions
      .flatMap((partition) => plan.documents.get(partition) ?? [])
      .filter(({ documentId }) => !known.has(documentId))
      .reduce(
        (sum, { bytes, path, fileName = path }) =>
          sum + bytes / (BYTES_A_SENTENCE[extname(fileName).toLowerCase()] ?? plain),
        0,
      ),
  );
};
