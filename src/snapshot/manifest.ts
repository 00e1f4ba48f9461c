/** What a snapshot says of itself. Written by the pipeline, read by the server and by `fintext snapshots`. */
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, RunError } from '../errors.js';
import { readTextIfThere } from '../files.js';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const columnSchema = z.object({ name: z.string(), type: z.string(), nullable: z.boolean(), about: z.string() });

export const manifestSchema = z.object({
  format: z.literal(1),
  dataset: z.enum(['wcb', 'earnings']),
  snapshot: z.string().regex(/^[0-9a-f]{16}$/),
  /** Outside the id, like everything that depends on when and where the run happened. */
  published_at: z.string(),
  code_version: z.string(),
  stage_versions: z.record(z.string(), z.string()),
  counts: z.object({
    documents: z.number().int(),
    sentences: z.number().int(),
    /** Of the sentences, those that no model was asked about; snapshots of before there were marks name none. */
    marked: z.number().int().default(0),
    /** Of the sentences, different texts; snapshots of before they were counted name none. */
    unique_sentences: z.number().int().optional(),
    rejects: z.number().int(),
  }),
  /** Every file but this one, by name. `in_id`: its hash is part of the snapshot's id. */
  files: z.record(
    // Names of files are joined to folders, and a manifest may come from a store: none of them leads elsewhere.
    z.string().regex(/^[A-Za-z0-9_][\w.-]*$/),
    z.object({ sha256, bytes: z.number().int(), rows: z.number().int().nullable(), in_id: z.boolean() }),
  ),
  tables: z.record(z.string(), z.object({ row: z.string(), key: z.array(z.string()), columns: z.array(columnSchema) })),
  /** `own` where a user's own package answered, in the place of the bundled one. */
  models: z.array(
    z.object({
      id: z.string(),
      fingerprint: z.string(),
      labels: z.array(z.string()),
      own: z.literal(true).optional(),
    }),
  ),
  metrics: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      formula: z.string(),
      range: z.tuple([z.number(), z.number()]),
      plus: z.array(z.string()),
      minus: z.array(z.string()),
      over: z.array(z.string()),
      over_minus: z.array(z.string()),
    }),
  ),
  /** `folders` stands for the input folders from which it was first published. */
  inputs: z.object({ files: z.number().int(), sha256, folders: z.string() }),
  checks: z.array(
    z.object({
      name: z.string(),
      severity: z.enum(['block', 'warn']),
      passed: z.boolean(),
      offending: z.number().int(),
      /** Why it was published all the same. */
      overridden: z.string().optional(),
    }),
  ),
  /** Where the models ran, as the run that classified last told it. */
  run: z.record(z.string(), z.string()),
});

export type Manifest = z.infer<typeof manifestSchema>;

export const MANIFEST_FILE = 'manifest.json';

/**
 * The manifest of the snapshot in `folder`.
 *
 * @throws RunError that says what is wrong with it
 */
export const readManifest = async (folder: string): Promise<Manifest> => {
  const path = join(folder, MANIFEST_FILE);
  const text = await readTextIfThere(path);
  if (text === undefined) throw new RunError(`There is no snapshot in ${folder}: ${MISSING}.`);
  return parseManifest(text, path);
};

/**
 * The same, or what is wrong with it: in few words, without a full stop, for where its folder is known. Throws what keeps
 * the system from reading it.
 */
export const findManifest = async (folder: string): Promise<Manifest | string> => {
  const text = await readTextIfThere(join(folder, MANIFEST_FILE));
  return text === undefined ? MISSING : tryManifest(text);
};

/** The same, also where it cannot be read. */
export const lookAtManifest = async (folder: string): Promise<Manifest | string> => {
  try {
    return await findManifest(folder);
  } catch (error) {
    return `${MANIFEST_FILE} cannot be read (${messageOf(error)})`;
  }
};

const MISSING = `${MANIFEST_FILE} is missing`;

/**
 * A manifest from its text.
 *
 * @param path where it lies, for the message
 * @throws RunError that says what is wrong with it
 */
export const parseManifest = (text: string, path: string): Manifest => {
  const found = tryManifest(text);
  if (typeof found !== 'string') return found;
  throw new RunError(
    `${path.slice(0, -MANIFEST_FILE.length)}${found}. fintext snapshots verify says which command mends it.`,
  );
};

/** A manifest from its text, or what is wrong with it, without a full stop. */
export const tryManifest = (text: string): Manifest | string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${MANIFEST_FILE} is damaged (not JSON)`;
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return `${MANIFEST_FILE} is damaged (${parsed.error.issues[0]?.path.join('.')})`;
};
