/** What commands share: settings as flags, made from their table, and the folders to read. */

import { statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Argv, Options } from 'yargs';
import { z } from 'zod';
import { DATASET_IDS, DATASETS, type DatasetId } from '../../data/catalog.js';
import { readKnown } from '../../pipeline/1-ingest/raw/known.js';
import { CHECKS } from '../../pipeline/5-publish/checks.js';
import { readPublishedRun } from '../../pipeline/run/records/record.js';
import { codeOf, RunError, UsageError } from '../errors.js';
import { readTextIfThere, writeFileWhole } from '../files.js';
import { outputsIn } from '../outputs.js';
import { packagePath } from '../package-root.js';
import { readSettings, SETTINGS, type SettingName, type Settings } from '../settings.js';
import { quoteForShell, settingsFlags } from '../snapshot/commands.js';

const GROUP = 'Settings:';
/** As yargs calls what is in no group; it prints groups in the order in which they are first named. */
const BEFORE_SETTINGS = ['Positionals:', 'Options:'];

/** Adds settings as flags; their texts and defaults come from the table. In the help they stand behind what the command is told. */
export const withSettings =
  (...names: readonly SettingName[]) =>
  <T>(yargs: Argv<T>): Argv<T> =>
    names.reduce(
      (all, name) => {
        const { flag, env, about, fallback, ...rest } = SETTINGS[name];
        const shown =
          'fallbackText' in rest && rest.fallbackText !== undefined ? rest.fallbackText : String(fallback());
        const option: Options = {
          type: 'string',
          requiresArg: true,
          group: GROUP,
          describe: `${about} [${shown}; ${env}]`,
        };
        return all.option(flag, option) as Argv<T>;
      },
      BEFORE_SETTINGS.reduce((all, group) => all.group([], group), yargs),
    );

/** The settings of a command, from its flags and the environment. */
export const settingsOf = (flags: Readonly<Record<string, unknown>>): Settings => {
  const settings = readSettings(
    Object.fromEntries(
      Object.entries(SETTINGS).map(([name, { flag }]) => {
        const value = flags[flag];
        if (Array.isArray(value)) throw new UsageError(`--${flag} is given ${value.length} times; give it once.`);
        return [name, value === undefined ? undefined : String(value)];
      }),
    ),
    process.env,
  );
  if (isFile(settings.outputs)) {
    throw new UsageError(`--outputs is a folder, or what will be one; "${settings.outputs}" is a file, or below one.`);
  }
  return settings;
};

const isFile = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR';
  }
};

export const datasetOption = {
  type: 'string',
  requiresArg: true,
  choices: DATASET_IDS,
  describe: 'wcb (documents of central banks) or earnings (earnings calls)',
} as const satisfies Options;

export const inputOption = {
  type: 'string',
  array: true,
  requiresArg: true,
  describe: 'folder of raw documents, several times if there are several [the bundled sample; FINTEXT_INPUT]',
} as const satisfies Options;

export const allowOption = {
  type: 'string',
  array: true,
  requiresArg: true,
  describe:
    'let this check fail once, as <check>="<reason>"; several times if there are several; the reason is published',
} as const satisfies Options;

/** Checks that may fail, by name, with the reason that must be given. */
export const parseAllowed = (value: unknown): ReadonlyMap<string, string> => {
  const names = CHECKS.filter(({ severity }) => severity === 'block').map(({ name }) => name);
  return new Map(
    (Array.isArray(value) ? value.map(String) : []).map((text) => {
      const [, name = text, reason = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
      if (!names.includes(name)) {
        throw new UsageError(`--allow names a check that blocks: ${names.join(', ')}; not "${name}".`);
      }
      if (reason.trim() === '') throw new UsageError(`--allow ${name} needs a reason: --allow ${name}="<reason>".`);
      return [name, reason.trim()];
    }),
  );
};

/** `all`, or one dataset, as a list. */
export const parseDatasets = (value: unknown): readonly DatasetId[] => {
  if (value === undefined || value === 'all') return DATASET_IDS;
  const found = DATASET_IDS.find((id) => id === value);
  if (found === undefined) throw new UsageError(`--dataset is ${[...DATASET_IDS, 'all'].join(', ')}; not "${value}".`);
  return [found];
};

/** The folders that were named by flag or environment, or undefined. */
export const namedInputs = (value: unknown): readonly string[] | undefined => {
  if (Array.isArray(value) && value.length > 0) return value.map(String);
  const variable = process.env.FINTEXT_INPUT;
  return variable === undefined || variable === '' ? undefined : variable.split(delimiter);
};

export const SAMPLE = packagePath('data', 'sample');

/** Keeps which folders a dataset was built from, so that `reprocess` and `status` read the same. */
export const rememberInputs = async (
  settings: Settings,
  datasets: readonly DatasetId[],
  inputs: readonly string[],
): Promise<void> => {
  for (const dataset of datasets) {
    const absolute = inputs.map((input) => resolve(input));
    await writeFileWhole(inputsFile(settings, dataset), `${JSON.stringify({ inputs: absolute })}\n`);
  }
};

/**
 * The folders that a dataset was last built from; the sample where it never was.
 *
 * @throws RunError where they were written down and cannot be read: the sample must not stand in for them
 */
export const recallInputs = async (settings: Settings, dataset: DatasetId): Promise<readonly string[]> => {
  const file = inputsFile(settings, dataset);
  const text = await readTextIfThere(file);
  if (text === undefined) return inputsOfKept(settings, dataset);
  try {
    return inputsSchema.parse(JSON.parse(text)).inputs;
  } catch (cause) {
    throw new RunError(`${file} is damaged, so it is not known which folders ${dataset} was built from. ${NAME_THEM}`, {
      cause,
    });
  }
};

const NAME_THEM = 'Name the folders with --input; the next rebuild with them writes it anew.';

/**
 * `work` may be deleted, and the note with it; what is kept of the documents says where they came from, too. That of folders
 * which are read no more is kept as well, be it the sample of the first day: of several nobody here knows which to read.
 */
const inputsOfKept = async ({ outputs }: Settings, dataset: DatasetId): Promise<readonly string[]> => {
  const known = await readKnown(outputsIn(outputs), dataset);
  const [input = SAMPLE, ...others] = [...new Set(known.map((one) => one.input))].sort();
  if (others.length === 0) return [input];
  const folders = [input, ...others].join(', ');
  throw new RunError(
    `What ${outputs} noted of the last run is gone, so it is not known which folders ${dataset} was built from: documents of ${folders} are kept. ${NAME_THEM}`,
  );
};

/**
 * The folders that a rebuild reads: those that were named, else the bundled sample, but never in the place of others.
 *
 * @throws UsageError where none was named and a dataset was built from others before
 */
export const inputsToBuild = async (
  settings: Settings,
  datasets: readonly DatasetId[],
  named: readonly string[] | undefined,
): Promise<readonly string[]> => {
  if (named !== undefined) return named;
  for (const dataset of datasets) {
    const last = await recallInputs(settings, dataset);
    if (last.some((input) => input !== SAMPLE)) {
      const again = last.map((input) => `--input ${quoteForShell(input)}`).join(' ');
      const run = await readPublishedRun(outputsIn(settings.outputs), dataset);
      const others = run?.settings === undefined ? [] : settingsFlags(run.settings, settings);
      const alike = others.length === 0 ? '' : `, with ${others.join(' ')} as the last run had`;
      throw new UsageError(
        `${dataset} in ${settings.outputs} was built from other folders than the bundled sample, which would take their place. Name them again: ${again}${alike}; or --input ${quoteForShell(SAMPLE)}.`,
      );
    }
  }
  return [SAMPLE];
};

const inputsSchema = z.object({ inputs: z.array(z.string()).min(1) });

const inputsFile = (settings: Settings, dataset: DatasetId): string =>
  join(outputsIn(settings.outputs).work(dataset), 'inputs.json');

/** Checks a bank against the catalog's list, so that a slip of the pen is not an empty selection. */
export const parseBank = (value: string): string => {
  const banks = DATASETS.wcb.dimensions.find(({ name }) => name === 'bank_name')?.values ?? [];
  if (!banks.includes(value)) throw new UsageError(`--bank is one of ${banks.join(', ')}; not "${value}".`);
  return value;
};
