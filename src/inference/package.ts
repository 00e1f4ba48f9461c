import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../errors.js';
import { hashFile, readTextIfThere } from '../files.js';
import { type GraphOutput, readGraphOutputs } from './onnx-graph.js';
import { chooseFiles, type Processor, VARIANT_NAMES, VARIANTS, type Variant, type VariantChoice } from './variants.js';

/** What one output of a model package answers: `labels[i]` is what column i of its logits stands for, in the package's spelling. */
export interface PackageOutput {
  /** Name of the output in the ONNX graph. */
  readonly name: string;
  readonly labels: readonly string[];
}

/**
 * An output with the logits of all others side by side, and where in its rows each of them lies. Plain data. A GPU is
 * waited for once an output, which can take as long as all of its arithmetic: of 14 heads one output is read, not 14.
 */
export interface JoinedOutput {
  readonly name: string;
  /** By the other outputs' names. */
  readonly columns: Readonly<Record<string, { readonly start: number; readonly classes: number }>>;
}

/**
 * A folder as `optimum-cli export onnx` writes it, read and found to be sound; README.md beside this file describes it.
 * A package that answers one model has one output; in a shared encoder `outputs` has one entry a model, under its id.
 */
export interface ModelPackage {
  readonly folder: string;
  readonly kind: 'single' | 'shared';
  /** `model_type` of config.json: `bert`, `roberta`, `deberta-v2`… */
  readonly family: string;
  /** Most tokens that the model reads, special tokens included. */
  readonly maxLength: number;
  readonly padId: number;
  readonly outputs: ReadonlyMap<string, PackageOutput>;
  /** Where a shared encoder has one. */
  readonly joined: JoinedOutput | undefined;
  /** The variants whose files are there. */
  readonly variants: readonly Variant[];
  /** The ONNX file that answers on each kind of processor, relative to the folder. */
  readonly modelFiles: Readonly<Record<Processor, string>>;
}

/** Key of the only output of a package of kind `single`. */
export const ONLY_OUTPUT = 'logits';

/**
 * Reads and checks a model package: its settings, its labels, and that the graph has the outputs that they speak of. The
 * weights are not loaded.
 *
 * @throws UsageError with one line that names the file and what to do; also where it has not the variant that was named
 */
export const loadModelPackage = async (folder: string, variant: VariantChoice = 'auto'): Promise<ModelPackage> => {
  if (!(await isFolder(folder))) throw new UsageError(`There is no model package ${folder}: the folder is missing.`);
  const config = await readJson(folder, 'config.json', Config);
  const variants = await findVariants(folder);
  if (variant !== 'auto' && !variants.includes(variant)) throw variantMissing(folder, variant, variants);
  const modelFiles = chooseFiles(variant, config.variants);
  await checkHashes(folder, config.sha256 ?? {}, new Set(['tokenizer.json', ...Object.values(modelFiles)]));
  await readJson(folder, 'tokenizer.json', TokenizerJson);
  const tokenizer = (await isFile(join(folder, 'tokenizer_config.json')))
    ? await readJson(folder, 'tokenizer_config.json', TokenizerConfig)
    : {};

  const outputs = config.outputs
    ? new Map(
        Object.entries(config.outputs).map(([id, { id2label }]) => [id, { name: id, labels: labelsOf(id2label) }]),
      )
    : undefined;
  const graphs = new Map<string, readonly GraphOutput[]>();
  for (const file of new Set(Object.values(modelFiles))) graphs.set(file, await readGraph(folder, file));

  const found = outputs ?? new Map([[ONLY_OUTPUT, onlyOutput(folder, config, graphs)]]);
  for (const [file, graph] of graphs) for (const output of found.values()) checkOutput(folder, file, graph, output);

  return {
    folder,
    kind: outputs ? 'shared' : 'single',
    family: config.model_type,
    maxLength: maxLengthOf(folder, config, tokenizer.model_max_length),
    padId: config.pad_token_id ?? 0,
    outputs: found,
    joined: outputs && config.joined !== undefined ? joinOutputs(folder, graphs, config.joined) : undefined,
    variants,
    modelFiles,
  };
};

const checkHashes = async (
  folder: string,
  expected: Readonly<Record<string, string>>,
  used: ReadonlySet<string>,
): Promise<void> => {
  for (const [file, sha256] of Object.entries(expected)) {
    const path = join(folder, file);
    if (!used.has(file) || !(await isFile(path)) || (await hashFile(path)) === sha256) continue;
    throw new UsageError(
      `${path} is not the file that config.json beside it was written for: its sha256 is not ${sha256.slice(0, 16)}…, so it was damaged or replaced. Install the package again; where it is your own and meant to be so, write the new hash under sha256 in that config.json, or take its line out.`,
    );
  }
};

const findVariants = async (folder: string): Promise<readonly Variant[]> => {
  const found: Variant[] = [];
  for (const name of VARIANT_NAMES) if (await isFile(join(folder, VARIANTS[name]))) found.push(name);
  return found;
};

const variantMissing = (folder: string, wanted: Variant, found: readonly Variant[]): UsageError =>
  new UsageError(
    `The model package ${basename(folder)} has no ${VARIANTS[wanted]}, which the variant ${wanted} is (it has ${found.join(', ') || 'none'}; ${folder}): add the file, or use --variant auto.`,
  );

const fileName = z.string().regex(/^[\w.-]+\.onnx$/, 'must be the name of an .onnx file in the package');

const labels = z
  .record(z.string(), z.string().min(1))
  .refine((map) => Object.keys(map).length >= 2, 'must have at least two labels')
  .refine(
    (map) => Object.keys(map).every((_key, index) => String(index) in map),
    'must be numbered 0, 1, 2… without a gap',
  );

const Config = z
  .object({
    model_type: z.string('is missing: export the model again with optimum-cli, which writes it').min(1),
    id2label: labels.optional(),
    outputs: z
      .record(z.string(), z.object({ id2label: labels }))
      .refine((outputs) => Object.keys(outputs).length > 0, 'must name at least one model')
      .optional(),
    /** An output that has the logits of all others side by side, in the graph's order. */
    joined: z.string().min(1).optional(),
    max_length: z.number().int().min(3).optional(),
    max_position_embeddings: z.number().int().nullish(),
    pad_token_id: z.number().int().nonnegative().nullish(),
    /** Model files that were found to be good enough to stand for model.onnx, by kind of processor. */
    variants: z.object({ cpu: fileName.optional(), gpu: fileName.optional() }).optional(),
    /** Hashes of files beside it: of weights that were damaged every graph still runs, and says something else. */
    sha256: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)).optional(),
  })
  .refine((config) => config.outputs !== undefined || config.id2label !== undefined, {
    path: ['id2label'],
    message:
      'is missing: add {"0": "<label>", "1": "<label>", …} in the order of the logits, or name them with models import --id2label',
  });

type Config = z.infer<typeof Config>;

const TokenizerJson = z.object({ model: z.object({}, 'is missing: it is no tokenizer. Export the model again') });

const TokenizerConfig = z.object({ model_max_length: z.number().positive().nullish() });

/** Families whose position ids start after the padding id, so that as many positions are lost. */
const POSITIONS_AFTER_PADDING = new Set([
  'roberta',
  'roberta-prelayernorm',
  'xlm-roberta',
  'xlm-roberta-xl',
  'camembert',
  'data2vec-text',
  'ibert',
  'longformer',
  'mpnet',
  'xmod',
]);

/** `model_max_length` is about 1e30 where nobody set it: such a number says nothing. */
const ABSURD_LENGTH = 1_000_000;

const maxLengthOf = (folder: string, config: Config, modelMaxLength: number | null | undefined): number => {
  if (config.max_length !== undefined) return config.max_length;
  const lost = POSITIONS_AFTER_PADDING.has(config.model_type) ? (config.pad_token_id ?? 1) + 1 : 0;
  const positions = config.max_position_embeddings ?? 0;
  const length = Math.min(
    modelMaxLength && modelMaxLength < ABSURD_LENGTH ? Math.floor(modelMaxLength) : Number.POSITIVE_INFINITY,
    positions > 0 ? positions - lost : Number.POSITIVE_INFINITY,
  );
  if (length < 3 || !Number.isFinite(length)) {
    throw new UsageError(
      `${join(folder, 'config.json')} does not say how many tokens the model reads: add "max_length": 512, or what it was trained with.`,
    );
  }
  return length;
};

const labelsOf = (id2label: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(id2label).map((_key, index) => id2label[String(index)] ?? '');

/** The graph's own order says where each output lies, so that no list in config.json can mix them up. */
const joinOutputs = (
  folder: string,
  graphs: ReadonlyMap<string, readonly GraphOutput[]>,
  name: string,
): JoinedOutput | undefined => {
  let joined: JoinedOutput | undefined;
  for (const [file, graph] of graphs) {
    const columns: Record<string, { start: number; classes: number }> = {};
    let width = 0;
    for (const output of graph) {
      if (output.name === name) continue;
      columns[output.name] = { start: width, classes: output.classes ?? 0 };
      width += output.classes ?? 0;
    }
    const all = graph.find((output) => output.name === name);
    if (all?.classes !== width) {
      throw new UsageError(
        `${join(folder, file)} has ${all ? `${all.classes} logits in ${name}` : `no output ${name}`}, which config.json says joins its others (${width} logits together): export the model again, or take "joined" out.`,
      );
    }
    if (joined && !isDeepStrictEqual(joined.columns, columns)) {
      throw new UsageError(
        `${join(folder, file)} has its outputs in another order than ${[...graphs.keys()][0]}: export the model again, or take "joined" out of config.json.`,
      );
    }
    joined = { name, columns };
  }
  return joined;
};

const onlyOutput = (
  folder: string,
  config: Config,
  graphs: ReadonlyMap<string, readonly GraphOutput[]>,
): PackageOutput => {
  for (const [file, graph] of graphs) {
    const output = graph.find(({ name }) => name === ONLY_OUTPUT) ?? (graph.length === 1 ? graph[0] : undefined);
    if (output) return { name: output.name, labels: labelsOf(config.id2label ?? {}) };
    throw new UsageError(
      `${join(folder, file)} has the outputs ${graph.map(({ name }) => name).join(', ')} and none is named logits: export it as a text-classification model.`,
    );
  }
  throw new Error('A package has at least one model file.');
};

const checkOutput = (folder: string, file: string, graph: readonly GraphOutput[], output: PackageOutput): void => {
  const found = graph.find(({ name }) => name === output.name);
  if (!found) {
    throw new UsageError(
      `${join(folder, file)} has no output ${output.name}, which config.json names (it has ${graph.map(({ name }) => name).join(', ')}): export the model again or correct "outputs".`,
    );
  }
  if (found.classes !== undefined && found.classes !== output.labels.length) {
    throw new UsageError(
      `${join(folder, file)} gives ${found.classes} logits in ${output.name}, but config.json names ${output.labels.length} labels (${output.labels.join(', ')}): correct id2label.`,
    );
  }
};

const readGraph = async (folder: string, file: string): Promise<readonly GraphOutput[]> => {
  const path = join(folder, file);
  if (!(await isFile(path))) throw new UsageError(missing(folder, file));
  try {
    return await readGraphOutputs(path);
  } catch (error) {
    if (codeOf(error) !== undefined) throw error;
    throw new UsageError(`${path} cannot be read as an ONNX model: ${messageOf(error)}. Export it again.`, {
      cause: error,
    });
  }
};

const readJson = async <T>(folder: string, file: string, schema: z.ZodType<T>): Promise<T> => {
  const path = join(folder, file);
  const text = await readTextIfThere(path);
  if (text === undefined) throw new UsageError(missing(folder, file));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is no JSON: ${messageOf(error)}. Export the model again.`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${path}: ${issue?.path.join('.') || 'the file'} ${issue?.message ?? 'is wrong'}.`);
};

const missing = (folder: string, file: string): string =>
  `The model package ${basename(folder)} has no ${file} (${join(folder, file)}): export it with optimum-cli export onnx --task text-classification.`;

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

export const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
