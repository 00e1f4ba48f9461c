/**
 * Every metric of every document of the current snapshots, computed again from `sentences.parquet` with SQL that shares
 * nothing with the product: `node dist/test/bench/recompute.js [outputs]`. Exits 1 where one differs by more than 1e-12.
 */
import { join } from 'node:path';
import { DATASET_IDS } from '../../data/catalog.js';
import { openDatabase, parquet } from '../../src/database.js';
import { outputsIn } from '../../src/outputs.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { EARNINGS_METRICS_SQL, WCB_METRICS_SQL } from '../support/independent-metrics.js';

const SQL = { wcb: WCB_METRICS_SQL, earnings: EARNINGS_METRICS_SQL } as const;

const outputs = outputsIn(process.argv[2] ?? 'outputs');
const database = await openDatabase({ memoryMb: 512, temporaryFolder: '', threads: 1 });
for (const dataset of DATASET_IDS) {
  const id = await findCurrent(outputs, dataset);
  if (id === undefined) continue;
  const from = (name: string): string => parquet(join(outputs.snapshot(dataset, id), `${name}.parquet`));
  const expected = await database.rows(SQL[dataset](from('sentences')));
  const published = new Map(
    (await database.rows(`SELECT * FROM ${from('documents')}`)).map((row) => [row.document_id, row]),
  );
  let values = 0;
  let nulls = 0;
  let worst = 0;
  let differing = 0;
  for (const { document_id: document, ...metrics } of expected) {
    const row = published.get(document ?? '');
    for (const [name, value] of Object.entries(metrics)) {
      const found = row?.[name];
      values += 1;
      if (value === null || found === null || found === undefined) {
        nulls += value === null ? 1 : 0;
        if (value !== found) differing += 1;
      } else {
        const distance = Math.abs(Number(value) - Number(found));
        worst = Math.max(worst, distance);
        if (!(distance <= 1e-12)) differing += 1;
      }
    }
  }
  const same = published.size === expected.length && differing === 0;
  process.stdout.write(
    `${dataset} ${id}: ${expected.length.toLocaleString('en')} documents, ${values.toLocaleString('en')} values (${nulls.toLocaleString('en')} null), ${differing} differ, greatest distance ${worst}\n`,
  );
  if (!same) process.exitCode = 1;
}
database.close();
