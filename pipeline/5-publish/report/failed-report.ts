import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from '../../stage.js';

/** Keeps the report of what is not published, page and data, beside the record of the run. @returns where the page lies */
export const keepFailedReport = async ({ outputs, dataset }: World, staging: string): Promise<string> => {
  const kept = outputs.failedReport(dataset.id);
  await rename(join(staging, 'report.json'), outputs.failedReportData(dataset.id));
  await rename(join(staging, 'report.html'), kept);
  return kept;
};
