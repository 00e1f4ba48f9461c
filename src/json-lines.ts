import { createReadStream } from 'node:fs';
import { codeOf, UsageError } from './errors.js';
import { readLines } from './lines.js';

/** An object of a file of JSON lines, and the line that it stands on, counted from 1. */
export interface JsonLine {
  readonly line: number;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * The objects of a file, a line each; empty lines are passed over.
 *
 * @throws UsageError when there is no such file, it is a folder, or a line is no JSON object
 */
export const readJsonLines = async function* (file: string): AsyncGenerator<JsonLine> {
  let line = 0;
  try {
    for await (const text of readLines(createReadStream(file))) {
      line += 1;
      if (text.trim() !== '') yield { line, record: parseObject(text) };
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${file}, line ${line} is no JSON object: ${error.message}`);
    if (codeOf(error) === 'ENOENT') throw new UsageError(`There is no file ${file}.`);
    if (codeOf(error) === 'EISDIR') throw new UsageError(`${file} is a folder: name a file of JSON lines.`);
    throw error;
  }
};

const parseObject = (text: string): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new SyntaxError('an object is wanted');
  return parsed as Record<string, unknown>;
};
