import type { Tokenizer } from '@huggingface/tokenizers';

export const useExactNormalizer = (_tokenizer: Tokenizer, _json: unknown): void => {};
