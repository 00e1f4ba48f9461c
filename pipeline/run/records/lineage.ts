/** The lineage of a run beside its record: an event when it begins and one when it ends. */
import { writeFileWhole } from '../../../src/files.js';
import type { Outputs } from '../../../src/outputs.js';
import type { Manifest } from '../../../src/snapshot/manifest.js';
import { type LineageEvent, toLineageEvent } from '../../lineage.js';
import type { RunRecord } from './record.js';

/**
 * @param manifest of the snapshot that the run left: its tables are the outputs, its models inputs beside the folders
 */
export const lineageEvent = (
  eventType: LineageEvent['eventType'],
  record: RunRecord,
  manifest: Manifest | undefined,
  at: Date,
): LineageEvent =>
  toLineageEvent(
    eventType,
    {
      runId: record.id,
      job: record.job,
      dataset: record.dataset,
      error: record.error,
      codeVersion: manifest?.code_version ?? null,
      folders: record.inputs,
      models: manifest?.models ?? [],
      tables: Object.entries(manifest?.tables ?? {}).map(([name, { columns }]) => {
        const file = manifest?.files[`${name}.parquet`];
        return { name, columns, rows: file?.rows ?? 0, bytes: file?.bytes ?? 0 };
      }),
      snapshot: manifest?.snapshot ?? null,
      checks: record.checks,
    },
    at.toISOString(),
  );

/** Replaces the file of the run by these events, as a list. */
export const writeLineage = (outputs: Outputs, record: RunRecord, events: readonly LineageEvent[]): Promise<void> =>
  writeFileWhole(outputs.lineage(record.dataset, record.id), `${JSON.stringify(events, null, 1)}\n`);
