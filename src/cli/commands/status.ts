import type { CommandModule } from 'yargs';
import { inspect } from '../../../pipeline/run/inspect.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { statusText, whyText } from '../inspection.js';
import {
  datasetOption,
  inputOption,
  namedInputs,
  parseDatasets,
  recallInputs,
  settingsOf,
  withSettings,
} from '../options.js';

/** `fintext status`: what is fresh, what is stale and why. */
export const status = (context: Context): CommandModule => ({
  command: 'status',
  describe: 'what is fresh and what is stale, and why',
  builder: (yargs) =>
    withSettings(
      'outputs',
      'models',
      'device',
      'uncertainty',
    )(yargs)
      .option('dataset', datasetOption)
      .option('input', { ...inputOption, describe: 'folders to read [those of the last rebuild]' })
      .option('why', {
        type: 'string',
        requiresArg: true,
        describe: 'a unit, as <stage>/<partition>: the ingredient that changed',
      })
      .option('json', { type: 'boolean', describe: 'one line of JSON a unit' })
      .example('$0 status --why ingest/bank_of_japan/2005', 'what changed'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const { signal, now } = context;
    const inspections = [];
    for (const dataset of parseDatasets(flags.dataset)) {
      const inputs = namedInputs(flags.input) ?? (await recallInputs(settings, dataset));
      try {
        inspections.push(...(await inspect({ datasets: [dataset], inputs, settings, signal, now })));
      } catch (error) {
        // Folders that hold only the other dataset are no mistake here.
        if (!(error instanceof UsageError) || flags.dataset !== undefined) throw error;
      }
    }
    const why = flags.why;
    if (typeof why === 'string') await context.print(whyText(inspections, why));
    else if (flags.json === true) {
      for (const unit of inspections.flatMap(({ units }) => units)) await context.print(`${JSON.stringify(unit)}\n`);
    } else await context.print(await statusText(inspections, settings));
  },
});
