import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetId } from '../../../data/catalog.js';
import type { Outputs } from '../../../src/outputs.js';
import type { World } from '../../stage.js';

/** Keeps the report of what is not published, page and data, beside the record of the run. @returns where the page lies */
export const keepFailedReport = async ({ outputs, dataset }: World, staging: string): Promise<string> => {
  const kept = outputs.failedReport(dataset.id);
  await rename(join(staging, 'report.json'), outputs.failedReportData(dataset.id));
  await rename(join(staging, 'report.html'), kept);
  return kept;
};

/** What was not published is no news any more once its dataset is. */
export const removeFailedReport = async (outputs: Outputs, dataset: DatasetId): Promise<void> => {
  for (const file of [outputs.failedReport(dataset), outputs.failedReportData(dataset)])
    await rm(file, { force: true });
};
