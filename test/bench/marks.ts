/**
 * What is marked in the current snapshots, and how much of a document it is: `node dist/test/bench/marks.js [outputs]`. A share of
 * sentences that is `p` would be `p * (1 - share)` where what is marked were counted and had none of the label.
 */
import { join } from 'node:path';
import { DATASET_IDS } from '../../data/catalog.js';
import { openDatabase, parquet } from '../../src/database.js';
import { outputsIn } from '../../src/outputs.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';

const outputs = outputsIn(process.argv[2] ?? 'outputs');
const database = await openDatabase({ memoryMb: 512, temporaryFolder: '', threads: 1 });
const whole = (value: unknown): string => Number(value).toLocaleString('en');
const percent = (value: unknown): string => `${(Number(value) * 100).toFixed(1)}%`;
for (const dataset of DATASET_IDS) {
  const id = await findCurrent(outputs, dataset);
  if (id === undefined) continue;
  const sentences = parquet(join(outputs.snapshot(dataset, id), 'sentences.parquet'));
  const rows = await database.rows(`
    WITH sizes AS (SELECT document_id, count(*) AS size FROM ${sentences} GROUP BY 1),
    marked AS (SELECT document_id, mark, count(*) AS n FROM ${sentences} WHERE mark IS NOT NULL GROUP BY 1, 2),
    shares AS (
      SELECT mark, coalesce(n, 0) AS n, coalesce(n, 0) / size AS share
      FROM sizes CROSS JOIN (SELECT DISTINCT mark FROM marked) LEFT JOIN marked USING (document_id, mark)
    )
    SELECT mark, sum(n) AS n, count(*) FILTER (n > 0) AS documents, median(share) AS middle, quantile_cont(share, 0.95) AS high, max(share) AS most
    FROM shares GROUP BY mark ORDER BY sum(n) DESC`);
  process.stdout.write(`${dataset} ${id}\n`);
  for (const { mark, n, documents, middle, high, most } of rows)
    process.stdout.write(
      `  ${String(mark).padEnd(10)}${whole(n).padStart(9)} in ${whole(documents).padStart(5)} documents; share of a document: median ${percent(middle)}, 95% ${percent(high)}, most ${percent(most)}\n`,
    );
}
database.close();
