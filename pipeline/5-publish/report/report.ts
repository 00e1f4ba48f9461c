import { join } from 'node:path';
import { writeFileWhole } from '../../../src/files.js';
import { type ReportInput, readReportData } from './data.js';
import { renderReport } from './render.js';

export interface ReportOptions extends ReportInput {
  /** The folder of the staged snapshot. */
  readonly staging: string;
}

/**
 * Writes `report.html` and `report.json` (the same figures) into the staged snapshot. The views of the staged tables and
 * of the last snapshot's are open in `world.database`. Both files hold times, so they are outside the snapshot's id.
 */
export const writeReport = async ({ staging, ...input }: ReportOptions): Promise<void> => {
  const data = await readReportData(input);
  await writeFileWhole(join(staging, 'report.json'), `${JSON.stringify(data, null, 1)}\n`);
  await writeFileWhole(join(staging, 'report.html'), renderReport(data));
};
