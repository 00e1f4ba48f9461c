/** Where everything lies below the outputs folder. The only file that knows. */
import { join } from 'node:path';
import type { DatasetId } from '../data/catalog.js';
import { hashText, joinPartition } from './files.js';

export interface Outputs {
  readonly folder: string;
  /** State of the runs of a dataset: units, lock, scratch. Safe to delete: the next rebuild makes it again. */
  readonly work: (dataset: DatasetId) => string;
  readonly unit: (dataset: DatasetId, stage: string, partition: string) => string;
  readonly lock: (dataset: DatasetId) => string;
  readonly scratch: (dataset: DatasetId) => string;
  /** What was handed to an engine: a folder a job. */
  readonly jobs: (dataset: DatasetId) => string;
  /** What the files that a run hashed looked like. */
  readonly looks: (dataset: DatasetId) => string;
  /** The record of the last run, and the folder of the last thirty. */
  readonly lastRun: (dataset: DatasetId) => string;
  readonly runs: (dataset: DatasetId) => string;
  /** The lineage of one of them. */
  readonly lineage: (dataset: DatasetId, run: string) => string;
  /** The report of what a failed check kept from being published, as a page and as data. */
  readonly failedReport: (dataset: DatasetId) => string;
  readonly failedReportData: (dataset: DatasetId) => string;
  /** The prediction store. Deleting it costs time, nothing else. */
  readonly predictions: string;
  /** Raw files by content. Deleting it loses what is no longer in its folder or at its address. */
  readonly raw: string;
  readonly rawFile: (sha256: string) => string;
  /** One record for each address that was fetched. */
  readonly urls: string;
  /** The list of documents whose raw files are kept. */
  readonly known: (dataset: DatasetId) => string;
  readonly published: (dataset: DatasetId) => string;
  readonly pointer: (dataset: DatasetId) => string;
  /** A line for each time the pointer moved. */
  readonly history: (dataset: DatasetId) => string;
  readonly snapshots: (dataset: DatasetId) => string;
  readonly snapshot: (dataset: DatasetId, id: string) => string;
  /** An outputs folder of its own for what is served from a store. Deleting it costs a download, nothing else. */
  readonly fetched: (address: string) => Outputs;
}

export const outputsIn = (folder: string): Outputs => {
  const work = (dataset: DatasetId): string => join(folder, 'work', dataset);
  const published = (dataset: DatasetId): string => join(folder, 'published', dataset);
  const raw = join(folder, 'raw');
  return {
    folder,
    work,
    unit: (dataset, stage, partition) => joinPartition(join(work(dataset), stage), partition),
    lock: (dataset) => join(work(dataset), 'lock.json'),
    scratch: (dataset) => join(work(dataset), 'scratch'),
    jobs: (dataset) => join(work(dataset), 'jobs'),
    looks: (dataset) => join(work(dataset), 'looks.json'),
    lastRun: (dataset) => join(work(dataset), 'last-run.json'),
    runs: (dataset) => join(work(dataset), 'runs'),
    lineage: (dataset, run) => join(work(dataset), 'runs', `${run}.openlineage.json`),
    failedReport: (dataset) => join(work(dataset), 'failed-report.html'),
    failedReportData: (dataset) => join(work(dataset), 'failed-report.json'),
    predictions: join(folder, 'predictions'),
    raw,
    rawFile: (sha256) => join(raw, sha256.slice(0, 2), sha256),
    urls: join(raw, 'urls'),
    known: (dataset) => join(raw, 'known', `${dataset}.jsonl`),
    published,
    pointer: (dataset) => join(published(dataset), 'CURRENT'),
    history: (dataset) => join(published(dataset), 'history.jsonl'),
    snapshots: (dataset) => join(published(dataset), 'snapshots'),
    snapshot: (dataset, id) => join(published(dataset), 'snapshots', id),
    fetched: (address) => outputsIn(join(folder, 'fetched', hashText(address).slice(0, 16))),
  };
};
