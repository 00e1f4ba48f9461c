import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../errors.js';
import type { Unusable } from './invariance.js';
import type { ModelPackage, PackageOutput } from './package.js';
import { openSession } from './session.js';

/** Ids by token, or the tokens in the order of their ids, each with a score. */
const TokenizerJson = z.object({
  model: z.object({ vocab: z.union([z.record(z.string(), z.number()), z.array(z.unknown())]) }),
  added_tokens: z.array(z.object({ id: z.number() })).optional(),
});

/** The largest id that a package's tokenizer gives. */
const largestToken = async (folder: string): Promise<number> => {
  const json: unknown = JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8'));
  const { model, added_tokens: added = [] } = TokenizerJson.parse(json);
  const own = Array.isArray(model.vocab) ? [model.vocab.length - 1] : Object.values(model.vocab);
  return [...own, ...added.map(({ id }) => id)].reduce((largest, id) => Math.max(largest, id), 0);
};

/**
 * Whether a model file knows every token that the tokenizer beside it gives: one that it has no embedding for would stop a
 * run at the first text that holds it. Runs the file on the CPU, in this thread.
 */
export const findUnknownToken = async (
  { folder, padId }: ModelPackage,
  file: string,
  { name }: PackageOutput,
): Promise<Unusable | undefined> => {
  const largest = await largestToken(folder);
  const session = await openSession({ folder, file, provider: 'cpu', threads: 1, padId, leastRows: 2, quiet: true });
  try {
    await session.run([{ ids: Int32Array.of(largest), truncated: false }], 8, [name]);
    return undefined;
  } catch (error) {
    return {
      reason: `does not know the token ${largest}, which tokenizer.json beside it has (${messageOf(error).split('\n')[0]})`,
      remedy: 'Take the tokenizer that the model was trained with, from the same export.',
    };
  } finally {
    await session.close();
  }
};
