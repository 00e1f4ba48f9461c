import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import { messageOf, UsageError } from '../errors.js';
import { useExactNormalizers } from './normalizers.js';
import { toPreTokenizer } from './pre-tokenizers.js';
import { isUnigram, useExactUnigram } from './unigram.js';

/** Token ids of a text as the model is fed them, special tokens included. */
export interface Encoding {
  readonly ids: Int32Array;
  /** Did the text have more tokens than the model reads? Then the last ones are missing. */
  readonly truncated: boolean;
}

export interface TextTokenizer {
  encode(text: string): Encoding;
}

/**
 * Opens the tokenizer of a package. Ids are those of the Python library `tokenizers` with `enable_truncation(maxLength)`:
 * the text is cut on the right, the special tokens stay.
 *
 * @throws UsageError when tokenizer.json is of a kind that is not known
 */
export const openTokenizer = async (folder: string, maxLength: number): Promise<TextTokenizer> => {
  const path = join(folder, 'tokenizer.json');
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'));
    const { post_processor: postProcessor, pre_tokenizer: words, model, added_tokens: added } = Settings.parse(json);
    const whole = added.find((token) => token.single_word);
    if (whole) throw new Error(`its added token ${whole.content} counts as a whole word only, which is not known here`);
    // tokenizer_config.json is not handed over: the Python library reads only tokenizer.json, and so do we.
    const tokenizer = new Tokenizer({ ...Json.parse(json), pre_tokenizer: null }, { unk_token: model.unk_token });
    useExactNormalizers(tokenizer.normalizer);
    Object.assign(tokenizer, { pre_tokenizer: toPreTokenizer(words) });
    if (isUnigram(tokenizer.model)) useExactUnigram(tokenizer.model, { byteFallback: model.byte_fallback === true });
    return toTextTokenizer(tokenizer, maxLength, specialTokensAfter(postProcessor));
  } catch (error) {
    throw new UsageError(`${path} cannot be used as a tokenizer: ${messageOf(error)}. Export the model again.`, {
      cause: error,
    });
  }
};

/**
 * Characters of a text that are tokenized at all. The tokens of the rest would be cut off: no model reads more than a
 * few thousand tokens, and a text of megabytes would cost minutes.
 */
const MAX_CHARACTERS = 100_000;

/**
 * More combining marks in a row than any writing has: the bound of Unicode's stream-safe texts (UAX 15). Normalising sorts
 * such a run, in time that grows with the square of its length.
 */
const MARKS_TOO_MANY = /(\p{M}{30})\p{M}+/gu;

/** What of a text is tokenized at all. */
const boundText = (text: string): string => {
  // A pair of code units is not cut in two.
  const cut = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '') : text;
  return cut.replace(MARKS_TOO_MANY, '$1');
};

const toTextTokenizer = (tokenizer: Tokenizer, maxLength: number, after: number): TextTokenizer => ({
  encode(text) {
    const tooLong = text.length > MAX_CHARACTERS;
    const { ids } = Encoded.parse(tokenizer.encode(boundText(text)));
    if (ids.length <= maxLength) return { ids: Int32Array.from(ids), truncated: tooLong };
    const kept = Int32Array.from(ids.slice(0, maxLength));
    if (after > 0) kept.set(ids.slice(-after), maxLength - after);
    return { ids: kept, truncated: true };
  },
});

const Json = z.record(z.string(), z.unknown());

const Encoded = z.object({ ids: z.custom<readonly number[]>((value) => Array.isArray(value)) });

const Part = z.object({ id: z.string(), type_id: z.number().optional() });

/** The part of tokenizer.json that says which special tokens follow the text. */
type PostProcessor = z.infer<typeof PostProcessor>;
const PostProcessor = z.object({
  type: z.string(),
  single: z.array(z.object({ SpecialToken: Part.optional(), Sequence: Part.optional() })).optional(),
  special_tokens: z.record(z.string(), z.object({ ids: z.array(z.number()) })).optional(),
  processors: z.array(z.unknown()).optional(),
});

const Settings = z.object({
  post_processor: PostProcessor.nullish(),
  pre_tokenizer: z.unknown(),
  model: z.object({ byte_fallback: z.boolean().nullish(), unk_token: z.string().nullish() }),
  added_tokens: z.array(z.object({ content: z.string(), single_word: z.boolean().nullish() })).default([]),
});

const specialTokensAfter = (processor: PostProcessor | null | undefined): number => {
  switch (processor?.type) {
    case undefined:
    case 'ByteLevel':
      return 0;
    case 'BertProcessing':
    case 'RobertaProcessing':
      return 1;
    case 'TemplateProcessing': {
      const single = processor.single ?? [];
      if (single.some(({ SpecialToken, Sequence }) => (SpecialToken ?? Sequence)?.type_id)) {
        throw new Error('it puts special tokens in a segment of their own (type_id), which is not known here');
      }
      const text = single.findIndex((part) => part.SpecialToken === undefined);
      return single
        .slice(text + 1)
        .reduce((sum, part) => sum + (processor.special_tokens?.[part.SpecialToken?.id ?? '']?.ids.length ?? 1), 0);
    }
    case 'Sequence':
      return (processor.processors ?? []).reduce<number>(
        (sum, part) => sum + specialTokensAfter(PostProcessor.parse(part)),
        0,
      );
    default:
      throw new Error(`its post processor ${processor?.type} is not known`);
  }
};
