import { createHash } from 'node:crypto';
import { readBounded } from './read.js';
import { type DocumentFormat, ExtractError, type ExtractedFile, type ExtractLimits } from './source.js';

/** The text of one file in this process. @throws ExtractError where there is none, or more than the limits allow */
export const extractFile = async (
  format: DocumentFormat,
  file: string,
  limits: ExtractLimits,
): Promise<ExtractedFile> => {
  const bytes = await readBounded(file, limits.maxFileBytes);
  const fileSha256 = createHash('sha256').update(bytes).digest('hex');
  const extracted = await format.extract(bytes, limits);
  if (extracted.text.length > limits.maxTextCharacters)
    throw new ExtractError(
      `The text is too long: ${extracted.text.length} characters, at most ${limits.maxTextCharacters} are taken.`,
    );
  if (!/\p{L}/u.test(extracted.text)) throw new ExtractError('The file holds no text: there is no letter in it.');
  return { ...extracted, fileSha256 };
};
