/**
 * The main job, measured from outside: seconds, throughput and peak memory of each stage, from nothing and then again
 * with nothing to do. On the bundled sample and, where it is there, on the shared corpora.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { packagePath } from '../../src/package-root.js';
import { type Measured, mib, rebuild } from './measured-rebuild.js';

const CORPORA = packagePath('..', 'shared', 'corpora');

const show = (name: string, first: Measured, again: Measured): void => {
  const table = new Table({
    head: ['dataset', 'stage', 'seconds', 'amount', 'a second', 'peak memory'],
    style: { head: [], border: [], compact: true },
  });
  for (const { dataset, report, peak } of first.stages) {
    const [what, amount] = ((): readonly [string, number] => {
      const { amounts } = report;
      if (amounts.predictions_made !== undefined) return ['predictions', amounts.predictions_made];
      if (amounts.sentences !== undefined) return ['sentences', amounts.sentences];
      return ['documents', amounts.documents ?? 0];
    })();
    const rate = Math.round(amount / Math.max(report.seconds, 0.001)).toLocaleString('en');
    table.push([
      dataset,
      report.stage,
      report.seconds.toFixed(1),
      `${amount.toLocaleString('en')} ${what}`,
      rate,
      mib(peak),
    ]);
  }
  const write = (text: string): void => void process.stdout.write(`${text}\n`);
  write(`\n${name}`);
  write(table.toString());
  for (const { dataset, documents, rejects, sentences, unique_sentences: unique } of first.summaries) {
    write(
      `${dataset}: ${documents.toLocaleString('en')} documents, ${rejects} left out, ${sentences.toLocaleString('en')} sentences, ${(unique ?? 0).toLocaleString('en')} of them distinct`,
    );
  }
  write(
    `from nothing ${first.seconds.toFixed(1)} s, peak ${mib(first.peak)}; again ${again.seconds.toFixed(1)} s, peak ${mib(again.peak)}, ${again.summaries.reduce((sum, { predictions_made: made }) => sum + made, 0)} predictions made`,
  );
  const same = first.summaries.every(({ snapshot }, at) => snapshot === again.summaries[at]?.snapshot);
  write(
    `snapshots ${first.summaries.map(({ snapshot }) => snapshot).join(', ')}; ${same ? 'the same again' : 'DIFFERENT THE SECOND TIME'}`,
  );
};

const measure = async (name: string, inputs: readonly string[]): Promise<void> => {
  const outputs = await mkdtemp(join(tmpdir(), 'fintext-bench-'));
  try {
    show(name, await rebuild(inputs, outputs), await rebuild(inputs, outputs));
  } finally {
    await rm(outputs, { recursive: true, force: true });
  }
};

await measure('The bundled sample', [packagePath('data', 'sample')]);
if (existsSync(CORPORA)) {
  await measure('World Central Banks and earnings calls', [
    join(CORPORA, 'WorldCentralBanks'),
    join(CORPORA, 'fin-num-claim'),
  ]);
} else process.stdout.write(`\nThe shared corpora are not there (${CORPORA}): not measured.\n`);
