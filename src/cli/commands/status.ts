import type { CommandModule } from 'yargs';
import type { DatasetId } from '../../../data/catalog.js';
import { type Inspection, inspect } from '../../../pipeline/run/inspect.js';
import { messageOf, RunError, UsageError } from '../../errors.js';
import type { Settings } from '../../settings.js';
import type { Context } from '../context.js';
import { whyText } from '../inspection.js';
import { type Morning, readMorning, type Work } from '../morning.js';
import { findTrouble, morningText } from '../morning-text.js';
import {
  datasetOption,
  inputOption,
  namedInputs,
  parseDatasets,
  recallInputs,
  settingsOf,
  withSettings,
} from '../options.js';

/** `fintext status`: the one place to look in the morning. */
export const status = (context: Context): CommandModule => ({
  command: 'status',
  describe: 'the last run, what is served and how new it is, what failed, what is stale and why',
  builder: (yargs) =>
    withSettings(
      'outputs',
      'models',
      'device',
      'variant',
      'uncertainty',
    )(yargs)
      .option('dataset', { ...datasetOption, describe: `${datasetOption.describe} [both]` })
      .option('input', { ...inputOption, describe: 'folders to read [those of the last rebuild]' })
      .option('quick', {
        type: 'boolean',
        describe:
          'read records alone: no input folder, nothing that is stale, and of what is served that its files are there',
      })
      .option('why', {
        type: 'string',
        requiresArg: true,
        describe: 'say which ingredient of a unit changed; the unit as <stage>/<partition>, as "to do" names it',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON a dataset' })
      .example('$0 status --quick', 'how last night went')
      .example('$0 status --why ingest/bank_of_japan/2005', 'why it is to be done again')
      .epilogue(
        'Files that look as the last run left them (size and times) are not read again; fintext snapshots verify reads all. Exits 1 where the last run of a dataset failed, was stopped or died, where nobody goes on with what was handed to an engine, or where what is served is damaged or nothing points to it any more.',
      ),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const looking = { settings, context, named: namedInputs(flags.input) };
    const datasets = parseDatasets(flags.dataset);
    if (flags.why !== undefined) {
      return context.print(whyText(await lookAll(datasets, looking, flags.dataset !== undefined), String(flags.why)));
    }
    const mornings: Morning[] = [];
    for (const dataset of datasets) {
      const look = flags.quick === true ? 'sizes' : 'contents';
      const known = await readMorning(dataset, { settings, now: context.now(), look });
      const morning = flags.quick === true ? known : { ...known, work: await findWork(dataset, looking) };
      mornings.push(morning);
      const text = flags.json === true ? `${JSON.stringify(morning)}\n` : morningText(morning, context.now());
      await context.print(mornings.length > 1 && flags.json !== true ? `\n${text}` : text);
    }
    const troubles = mornings.flatMap((morning) => findTrouble(morning) ?? []);
    if (troubles.length > 0) throw new RunError(`Look at ${troubles.join('; ')}.`);
  },
});

interface Looking {
  readonly settings: Settings;
  readonly context: Context;
  readonly named: readonly string[] | undefined;
}

const look = async (dataset: DatasetId, { settings, context, named }: Looking): Promise<readonly Inspection[]> => {
  const inputs = named ?? (await recallInputs(settings, dataset));
  const { signal, now } = context;
  return inspect({ datasets: [dataset], inputs, settings, signal, now });
};

const lookAll = async (
  datasets: readonly DatasetId[],
  looking: Looking,
  wanted: boolean,
): Promise<readonly Inspection[]> => {
  const found: Inspection[] = [];
  for (const dataset of datasets) {
    try {
      found.push(...(await look(dataset, looking)));
    } catch (error) {
      // Folders that hold only the other dataset are no mistake here.
      if (!(error instanceof UsageError) || wanted) throw error;
    }
  }
  return found;
};

/** What cannot be looked at (a folder that is not mounted) must not hide what is known. */
const findWork = async (dataset: DatasetId, looking: Looking): Promise<Work> => {
  try {
    const units = (await look(dataset, looking)).flatMap((inspection) => inspection.units);
    const stale = units.filter(({ state }) => state === 'stale');
    return { fresh: units.length - stale.length, stale };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof RunError)) throw error;
    return { fault: messageOf(error) };
  }
};
