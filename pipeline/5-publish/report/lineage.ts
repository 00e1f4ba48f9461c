/** The lineage of the run in its report: what is known of it before it is published. */
import { basename, relative } from 'node:path';
import type { Database } from '../../../src/database.js';
import { toLineageEvent } from '../../lineage.js';
import type { World } from '../../stage.js';
import { type CheckResult, isBlocking } from '../checks/run.js';
import { publishedTables } from '../published-tables.js';
import type { ReportLineage } from './types.js';

/** Expects the views of the staged tables. Null where no record is kept of the run. */
export const readLineage = async (
  world: World,
  checks: readonly CheckResult[],
  at: string,
): Promise<ReportLineage | null> => {
  const { run, dataset, outputs, inputs, fingerprints } = world;
  if (run === undefined) return null;
  const file = relative(outputs.folder, outputs.lineage(dataset.id, run.id)).replaceAll('\\', '/');
  const facts = {
    runId: run.id,
    job: run.job,
    dataset: dataset.id,
    error: null,
    codeVersion: null,
    // The report is published: where a folder lies on this machine is nobody else's business.
    folders: inputs.map((folder) => basename(folder)),
    models: fingerprints.map(({ model, fingerprint }) => ({ id: model, fingerprint })),
    tables: checks.some(isBlocking) ? [] : await readTables(world),
    snapshot: null,
    checks,
  };
  return { file, event: toLineageEvent('RUNNING', facts, at) };
};

const readTables = (world: World) =>
  Promise.all(
    publishedTables(world).map(async ({ name, columns }) => ({
      name,
      columns,
      rows: await countRows(world.database, name),
    })),
  );

const countRows = async (database: Database, view: string): Promise<number> => {
  const [row] = await database.rows(`SELECT count(*) AS n FROM ${view}`);
  return Number(row?.n ?? 0);
};
