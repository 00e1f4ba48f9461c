/**
 * Commands that messages tell a person to type. They are whole: a folder that is left out would be the default one, and where
 * that is the corpus, the bundled sample would be published in its place.
 */
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import type { Outputs } from '../outputs.js';
import { SETTINGS } from '../settings.js';

/** The folders that a run read, and the file that names them. */
export interface ReadFolders {
  readonly inputs: readonly string[];
  readonly file: string;
}

export interface RebuildCommand {
  readonly dataset: DatasetId;
  /** Undefined where it is not known which folder it was published from. */
  readonly outputs: Outputs | undefined;
  /** Of the last run that published; undefined where no record of it is kept. */
  readonly read: ReadFolders | undefined;
  /** The address of a store. */
  readonly publish?: string;
  /** What is to be done first, in words. */
  readonly once?: string;
}

/** More folders are not typed again, but looked up. */
const MOST_INPUTS = 4;

/** To be followed by a verb; what cannot be named stands behind the command in words, between commas. */
export const rebuildCommand = ({ dataset, outputs, read, publish, once }: RebuildCommand): string => {
  const areNamed = outputs !== undefined && read !== undefined && read.inputs.length <= MOST_INPUTS;
  const command = [
    `fintext rebuild --dataset ${dataset}`,
    ...(outputs === undefined ? [] : outputsFlag(outputs)),
    ...(areNamed ? read.inputs.map((input) => `--input ${quoteForShell(input)}`) : []),
    ...(publish === undefined ? [] : [`--publish ${publish}`]),
  ].join(' ');
  const words = [...(areNamed ? [] : [foldersInWords(outputs, read)]), ...(once === undefined ? [] : [`once ${once}`])];
  return words.length === 0 ? command : `${command}, ${words.join(', ')},`;
};

const foldersInWords = (outputs: Outputs | undefined, read: ReadFolders | undefined): string => {
  if (outputs === undefined) return 'with the --outputs and --input folders of the last run';
  if (read === undefined) return 'with the --input folders of the last run';
  return `with an --input for each of the ${read.inputs.length} folders that ${read.file} names under "inputs"`;
};

/** Of the snapshots in an outputs folder; `--to` may follow. */
export const rollbackCommand = (outputs: Outputs, dataset: DatasetId): string =>
  [`fintext snapshots rollback --dataset ${dataset}`, ...outputsFlag(outputs)].join(' ');

/** Nothing where a command without it is about that folder in any case: a variable may be another one in the next shell. */
export const outputsFlag = (
  { folder }: Pick<Outputs, 'folder'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] => {
  const { env, fallback } = SETTINGS.outputs;
  const isDefault = resolve(folder) === resolve(fallback());
  return isDefault && (environment[env] ?? '') === '' ? [] : [`--outputs ${quoteForShell(resolve(folder))}`];
};

/** A word as a POSIX shell takes it for one. */
export const quoteForShell = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
