import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagePath } from '../../src/package-root.js';

/** Where the public corpora have the texts that a package reads. */
const CORPORA = {
  'central-bank': ['WorldCentralBanks', 'raw_data'],
  'earnings-call': ['fin-num-claim', 'data', 'raw_earning_calls'],
} as const;

export type PackageName = keyof typeof CORPORA;

export const findPackage = (name: string): PackageName => {
  const found = (Object.keys(CORPORA) as readonly PackageName[]).find((known) => known === name);
  if (found === undefined) throw new Error(`No package ${name}. There are ${Object.keys(CORPORA).join(', ')}.`);
  return found;
};

/** Sentences of files spread over the corpus, roughly cut. */
export const readTexts = (name: PackageName, count: number): readonly string[] => {
  const folder = packagePath('..', 'shared', 'corpora', ...CORPORA[name]);
  if (!existsSync(folder)) throw new Error('The public corpora are not in ../shared/corpora.');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));
  const texts: string[] = [];
  for (const file of files.sort().filter((_, at) => at % 3 === 0)) {
    const sentences = readFileSync(join(folder, file), 'utf8').split(/(?<=[.!?])\s+/);
    texts.push(...sentences.map((text) => text.replaceAll(/\s+/g, ' ')).filter((text) => text.length > 10));
    if (texts.length >= count) break;
  }
  return texts.slice(0, count);
};
