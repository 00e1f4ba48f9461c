/** `fintext models evaluate`: a model beside labels of people. */
import Table from 'cli-table3';
import { UsageError } from '../errors.js';
import { type Evaluation, evaluate } from '../inference/evaluate.js';
import { foldLabel, resolveModel } from '../inference/models.js';
import { readJsonLines } from '../json-lines.js';
import type { Settings } from '../settings.js';
import { withModel } from './asking.js';
import type { Context } from './context.js';

/** What `fintext models evaluate` is asked. */
export interface EvaluateRequest {
  readonly model: string;
  readonly labels: string;
  readonly field: string;
  readonly json: boolean;
}

/** Asks a model the texts of a file that people labelled, and prints how often it says what they said. */
export const evaluateModel = async (context: Context, settings: Settings, request: EvaluateRequest): Promise<void> => {
  const { entry, folder, own } = resolveModel(request.model, { modelsFolder: settings.models });
  const labelled = await readLabelled(request, entry.labels);
  const { signal } = context;
  await withModel(entry.id, settings, signal, async (classifier) => {
    const answers = (
      await classifier.classify(
        [entry.id],
        labelled.map(({ text }) => text),
        { signal },
      )
    ).get(entry.id);
    const order: readonly string[] = entry.labels;
    const evaluation = evaluate(
      order,
      labelled.map(({ label }) => label),
      (answers?.labels ?? []).map((label) => order.indexOf(label)),
    );
    const variant = [...classifier.report.variants.values()].join(', ');
    await context.print(
      request.json
        ? `${JSON.stringify({ model: entry.id, own, folder, variant, ...evaluation })}\n`
        : evaluationText(`${entry.id} (${own ? `your own, ${folder}` : entry.package}, ${variant})`, evaluation),
    );
  });
};

/** Lines without the field are passed over: a file may hold labels for several models. */
const readLabelled = async (
  { labels: file, field }: EvaluateRequest,
  labels: readonly string[],
): Promise<readonly { readonly text: string; readonly label: number }[]> => {
  const folded = labels.map(foldLabel);
  const found: { text: string; label: number }[] = [];
  for await (const { line, record } of readJsonLines(file)) {
    const value = record[field];
    if (value === undefined || value === null) continue;
    const label = folded.indexOf(foldLabel(String(value)));
    if (label < 0) throw new UsageError(`${file}, line ${line}: the label "${value}" is none of ${labels.join(', ')}.`);
    if (typeof record.text !== 'string') throw new UsageError(`${file}, line ${line}: "text" is missing.`);
    found.push({ text: record.text, label });
  }
  if (found.length === 0)
    throw new UsageError(`${file} holds no line with the field "${field}"; name it with --field.`);
  return found;
};

/** With fewer texts, those that are drawn again and again for an interval are too few to differ as others would. */
const FEW_TEXTS = 30;

const evaluationText = (what: string, evaluation: Evaluation): string => {
  const figure = (name: 'accuracy' | 'macroF1' | 'weightedF1'): string =>
    `${evaluation[name].toFixed(3)} (95%: ${evaluation.intervals[name].map((value) => value.toFixed(3)).join(' to ')})`;
  const style = { head: [], border: [], compact: true };
  const scores = new Table({
    head: ['label', 'texts', 'precision', 'recall', 'F1'],
    style,
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  });
  for (const { label, support, precision, recall, f1 } of evaluation.labels) {
    scores.push([label, support, precision.toFixed(3), recall.toFixed(3), f1.toFixed(3)]);
  }
  const confusion = new Table({
    head: ['people ↓  model →', ...evaluation.order],
    style,
    colAligns: ['left', ...evaluation.order.map(() => 'right' as const)],
  });
  for (const [at, row] of evaluation.confusion.entries()) confusion.push([evaluation.order[at] ?? '', ...row]);
  return [
    `${what} on ${evaluation.texts.toLocaleString('en')} ${evaluation.texts === 1 ? 'text' : 'texts'}`,
    `  accuracy    ${figure('accuracy')}`,
    `  macro F1    ${figure('macroF1')}`,
    `  weighted F1 ${figure('weightedF1')}`,
    ...(evaluation.texts < FEW_TEXTS
      ? [
          `  The 95% intervals mean little with fewer than ${FEW_TEXTS} texts: they are made of these alone, and are narrow where the model happens to be right of all. Label more.`,
        ]
      : []),
    scores.toString(),
    confusion.toString(),
    '',
  ].join('\n');
};
