/** The reference packages and what the Python libraries said of them: see models/training/reference/make_reference.py. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelId } from '../../../models/catalog.js';
import { type Engine, openEngine } from '../../../src/inference/engine.js';
import { loadModelPackage } from '../../../src/inference/package.js';
import { packagePath } from '../../../src/package-root.js';

export const FAMILIES = ['bert', 'roberta', 'deberta-v2'] as const;
export type Family = (typeof FAMILIES)[number];

/** The model of the catalog whose labels a family's package has. */
export const MODEL_OF = {
  bert: 'ec_financial_sentiment',
  roberta: 'ec_growth',
  'deberta-v2': 'cb_enhanced_uncertain_label',
} as const satisfies Record<Family, ModelId>;

/** Holds the packages of the families, and `earnings-call`, a shared encoder. */
export const PACKAGES = packagePath('test', 'support', 'packages');

/** A models folder in which each family's package lies under its model's id. */
export const makeModelsFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fintext-models-'));
  await mkdir(folder, { recursive: true });
  for (const family of FAMILIES) await symlink(join(PACKAGES, family), join(folder, MODEL_OF[family]));
  return folder;
};

export const openReference = async (folder: string, microBatch = 32, threads = 1): Promise<Engine> => {
  const { maxLength, padId, joined } = await loadModelPackage(folder);
  return openEngine({ folder, file: 'model.onnx', maxLength, padId, joined }, { provider: 'cpu', threads, microBatch });
};

const Probabilities = z.array(z.array(z.number()));

const Hard = z.object({ rows: z.array(z.tuple([z.string(), z.array(z.number()), Probabilities])) });

/** Sentences written for this project, with their token ids and the probabilities of each output. */
export const readHard = (name: string) =>
  Hard.parse(readFixture(`${name}-hard`)).rows.map(([text, ids, probabilities]) => ({ text, ids, probabilities }));

const Kinds = z.object({
  texts: z.array(z.string()),
  rows: z.array(
    z.object({ name: z.string(), tokenizer: z.record(z.string(), z.unknown()), ids: z.array(z.array(z.number())) }),
  ),
});

/** Small tokenizers, one a kind of splitting, with the token ids that each gives the texts, no more than 64 of each. */
export const readKinds = () => Kinds.parse(readFixture('kinds'));

const Slices = z.object({
  package: z.string(),
  model_sha256: z.string(),
  outputs: z.array(z.string()),
  files: z.array(z.string()),
  rows: z.array(z.tuple([z.number(), z.number(), z.number(), z.string(), z.number(), Probabilities])),
});

/** Slices of the public corpora, by file, byte offset and byte length, with a hash of their token ids. */
export const readSlices = (name: string) => Slices.parse(readFixture(name));

const fixturePath = (name: string): string => packagePath('test', 'src', 'inference', 'fixtures', `${name}.json`);

const readFixture = (name: string): unknown => JSON.parse(readFileSync(fixturePath(name), 'utf8'));

const CORPORA = packagePath('..', 'shared', 'corpora');

export const hasCorpora = existsSync(CORPORA);

export const readTexts = ({ files, rows }: z.infer<typeof Slices>): readonly string[] => {
  const held = files.map((file) => readFileSync(join(CORPORA, file)));
  return rows.map(([file, start, length]) => (held[file] ?? Buffer.alloc(0)).toString('utf8', start, start + length));
};

/** Sentences of many lengths, some alike, from a seed. */
export const makeTexts = (count: number, seed = 1): readonly string[] => {
  const words = 'the policy rate inflation growth expects 2.5% considerably, margin outlook “risks” café revenue'.split(
    ' ',
  );
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(next(4) === 0 ? 160 : 40) }, () => words[next(words.length)]).join(' '),
  );
};
