/**
 * Commands that messages tell a person to type. They are whole: a folder that is left out would be the default one, and where
 * that is the corpus, the bundled sample would be published in its place; and a setting that is left out, other numbers.
 */
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import type { Outputs } from '../outputs.js';
import { findRepeated, REPEATED, type Repeated, readSettings, SETTINGS } from '../settings.js';

/** What a run read and how, and the file that says so. */
export interface PublishedRun {
  readonly inputs: readonly string[];
  /** Those that were not the defaults; undefined where they were not kept. */
  readonly settings: Repeated | undefined;
  readonly file: string;
}

export interface RebuildCommand {
  readonly dataset: DatasetId;
  /** Undefined where it is not known which folder it was published from. */
  readonly outputs: Outputs | undefined;
  /** Of the last run that published; undefined where no record of it is kept. */
  readonly run: PublishedRun | undefined;
  /** The address of a store. */
  readonly publish?: string;
  /** What is to be done first, in words. */
  readonly once?: string;
}

/** More folders are not typed again, but looked up. */
const MOST_INPUTS = 4;

/** To be followed by a verb; what cannot be named stands behind the command in words, between commas. */
export const rebuildCommand = ({ dataset, outputs, run, publish, once }: RebuildCommand): string => {
  const areNamed = outputs !== undefined && run !== undefined && run.inputs.length <= MOST_INPUTS;
  const command = [
    `fintext rebuild --dataset ${dataset}`,
    ...(outputs === undefined ? [] : outputsFlag(outputs)),
    ...(areNamed ? run.inputs.map((input) => `--input ${quoteForShell(input)}`) : []),
    ...(run?.settings === undefined ? [] : settingsFlags({ ...run.settings, ...(publish !== undefined && NOWHERE) })),
    ...(publish === undefined ? [] : [`--publish ${publish}`]),
  ].join(' ');
  const words = [...(areNamed ? [] : [foldersInWords(outputs, run)]), ...(once === undefined ? [] : [`once ${once}`])];
  return words.length === 0 ? command : `${command}, ${words.join(', ')},`;
};

/** Where a store is named, it is not that of the run. */
const NOWHERE = { publish: '' } as const;

const foldersInWords = (outputs: Outputs | undefined, run: PublishedRun | undefined): string => {
  if (outputs === undefined) return 'with the --outputs and --input folders and the settings of the last run';
  if (run === undefined) return 'with the --input folders and the settings of the last run';
  return `with an --input for each of the ${run.inputs.length} folders that ${run.file} names under "inputs"`;
};

/** The settings of a run as flags, but for those that a command has without them, and a store where it named none. */
export const settingsFlags = (
  settings: Repeated,
  given: Parameters<typeof findRepeated>[1] = readSettings({}, process.env),
): readonly string[] => {
  const repeated = findRepeated({ ...readSettings({}, {}), ...settings }, given);
  return REPEATED.flatMap((name) => {
    const text = repeated[name] ?? '';
    return text === '' ? [] : [`--${SETTINGS[name].flag} ${quoteForShell(text)}`];
  });
};

/** Of the snapshots in an outputs folder; `--to` may follow. */
export const rollbackCommand = (outputs: Outputs, dataset: DatasetId): string =>
  [`fintext snapshots rollback --dataset ${dataset}`, ...outputsFlag(outputs)].join(' ');

/** Which files are not what was published, and which command mends that. */
export const verifyCommand = (outputs: Outputs, dataset: DatasetId): string =>
  [`fintext snapshots verify --dataset ${dataset}`, ...outputsFlag(outputs)].join(' ');

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
