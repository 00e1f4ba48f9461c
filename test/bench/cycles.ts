/**
 * Does the stance of what a bank published tell the years in which it raised its policy rate from those in which it cut
 * it? `node dist/test/bench/cycles.js [outputs]`, on a snapshot of `wcb` of the real corpus.
 *
 * Printed for each bank: the mean stance of its documents of either kind of year, and how often a year of raises stands
 * above a year of cuts (the area under the ROC curve over pairs of years: 0.5 is chance). No model was trained on it.
 */
import { join } from 'node:path';
import Table from 'cli-table3';
import { openDatabase, parquet } from '../../src/database.js';
import { outputsIn } from '../../src/outputs.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';

/** Years in which the policy rate moved one way only, by what the banks publish of their decisions. */
const CYCLES: Readonly<Record<string, { readonly raised: readonly number[]; readonly cut: readonly number[] }>> = {
  bank_of_england: { raised: [2004, 2006, 2018, 2022, 2023], cut: [2001, 2008, 2009, 2016, 2020] },
  bank_of_mexico: { raised: [2016, 2017, 2018, 2022], cut: [2009, 2013, 2020] },
  central_bank_of_brazil: { raised: [2013, 2014, 2021, 2022], cut: [2009, 2012, 2017, 2018, 2019] },
  european_central_bank: { raised: [2006, 2007, 2022, 2023], cut: [2001, 2003, 2009, 2012, 2014] },
  federal_reserve_system: { raised: [2005, 2006, 2017, 2018, 2022, 2023], cut: [2001, 2002, 2008, 2019, 2020] },
  reserve_bank_of_australia: { raised: [2006, 2007, 2010, 2022, 2023], cut: [2008, 2012, 2013, 2016, 2019, 2020] },
  reserve_bank_of_india: { raised: [2010, 2011, 2022], cut: [2009, 2015, 2019, 2020] },
};

const outputs = outputsIn(process.argv[2] ?? 'outputs');
const id = await findCurrent(outputs, 'wcb');
if (id === undefined) {
  process.stderr.write('There is no snapshot of wcb: run `npx fintext rebuild` on the real corpus first.\n');
  process.exitCode = 1;
} else {
  const database = await openDatabase({ memoryMb: 256, temporaryFolder: '', threads: 1 });
  const documents = parquet(join(outputs.snapshot('wcb', id), 'documents.parquet'));
  const means = await database.rows(
    `SELECT bank_name, year, avg(stance) AS stance FROM ${documents} WHERE stance IS NOT NULL GROUP BY ALL`,
  );
  database.close();
  const table = new Table({
    head: ['bank', 'years of raises', 'their stance', 'years of cuts', 'their stance', 'area'],
  });
  let won = 0;
  let pairs = 0;
  for (const [bank, { raised, cut }] of Object.entries(CYCLES)) {
    const stances = (years: readonly number[]): number[] =>
      means.flatMap((row) => (row.bank_name === bank && years.includes(Number(row.year)) ? [Number(row.stance)] : []));
    const [above, below] = [stances(raised), stances(cut)];
    if (above.length === 0 || below.length === 0) continue;
    const wins = above
      .flatMap((a) => below.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)))
      .reduce((x, y) => x + y, 0);
    won += wins;
    pairs += above.length * below.length;
    table.push([
      bank,
      above.length,
      mean(above).toFixed(3),
      below.length,
      mean(below).toFixed(3),
      (wins / (above.length * below.length)).toFixed(2),
    ]);
  }
  process.stdout.write(`${table.toString()}\nSnapshot ${id}, all ${pairs} pairs: ${(won / pairs).toFixed(3)}\n`);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
