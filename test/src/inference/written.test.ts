import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openEngine } from '../../../src/inference/engine.js';
import { evaluate } from '../../../src/inference/evaluate.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { VARIANT_NAMES, VARIANTS } from '../../../src/inference/variants.js';
import { packagePath } from '../../../src/package-root.js';

const rowShape = z.object({
  text: z.string(),
  label: z.string(),
  part: z.enum(['train', 'test', 'test with a turn', 'test in other words']),
});

const scoresShape = z.object({ n: z.number(), macro_f1: z.number() });
const resultsShape = z.record(
  z.string(),
  z.object({
    models: z.record(
      z.string(),
      z.object({
        written: z.object({ model: scoresShape, keywords: scoresShape }),
        written_with_turn: z.object({ model: scoresShape }).optional(),
        written_in_other_words: z.object({ model: scoresShape }).optional(),
      }),
    ),
  }),
);

/** What training measured in Python, as the tables of models/README.md have it. */
const measured = resultsShape.parse(
  JSON.parse(readFileSync(packagePath('models', 'training', 'results.json'), 'utf8')),
);

/** The parts of the sentences written to be hard (models/training/sentences/README.md) that nothing learns. */
const PARTS = {
  written: 'test',
  written_with_turn: 'test with a turn',
  written_in_other_words: 'test in other words',
} as const;

const unseen = (model: string, of: keyof typeof PARTS): readonly z.infer<typeof rowShape>[] =>
  readFileSync(packagePath('models', 'training', 'sentences', `${model}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => rowShape.parse(JSON.parse(line)))
    .filter(({ part }) => part === PARTS[of]);

describe.each(['central-bank', 'earnings-call'])('%s, on sentences written to be hard', (name) => {
  test.each(VARIANT_NAMES)('%s has the figures of models/README.md', async (variant) => {
    const { folder, maxLength, padId, joined, outputs } = await loadModelPackage(packagePath('models', name), variant);
    const opened = { folder, file: VARIANTS[variant], maxLength, padId, joined };
    const engine = await openEngine(opened, { provider: 'cpu', threads: 1, microBatch: 32 });
    const differences: number[] = [];
    for (const [model, { labels, name: output }] of outputs) {
      for (const part of Object.keys(PARTS) as readonly (keyof typeof PARTS)[]) {
        const rows = unseen(model, part);
        const said = measured[name]?.models[model]?.[part]?.model;
        expect(rows.length, `${model}, ${part}`).toBe(said?.n ?? 0);
        if (said === undefined) continue;
        const { outputs: answers } = await engine.classify({ texts: rows.map(({ text }) => text), outputs: [output] });
        const gold = rows.map(({ label }) => labels.indexOf(label));
        const { macroF1 } = evaluate(labels, gold, [...(answers[0]?.labels ?? [])], { resamples: 1 });
        // One label of so few sentences is a point and more; the variants are held to half a point in the mean.
        if (variant === 'full') expect(macroF1, `${model}, ${part}`).toBeCloseTo(said.macro_f1, 3);
        differences.push(macroF1 - said.macro_f1);
      }
    }
    await engine.close();
    expect(outputs.size).toBe(Object.keys(measured[name]?.models ?? {}).length);
    expect(Math.abs(differences.reduce((sum, one) => sum + one, 0) / differences.length)).toBeLessThanOrEqual(0.005);
  });

  test('is better there than the keyword rules are, model by model', () => {
    const worse = Object.entries(measured[name]?.models ?? {}).filter(
      ([, { written }]) => written.model.macro_f1 < written.keywords.macro_f1,
    );
    expect(worse.map(([model]) => model)).toEqual([]);
  });
});
