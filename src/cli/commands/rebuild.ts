import type { CommandModule } from 'yargs';
import { inspect } from '../../../pipeline/run/inspect.js';
import { run } from '../../../pipeline/run/run.js';
import type { Context } from '../context.js';
import { inspectionText } from '../inspection.js';
import {
  allowOption,
  inputOption,
  namedInputs,
  parseAllowed,
  parseDatasets,
  rememberInputs,
  SAMPLE,
  settingsOf,
  withSettings,
} from '../options.js';
import { runSummary, runSummaryText, throwFailures } from '../summary.js';

/** `fintext rebuild`: the nightly job. */
export const rebuild = (context: Context): CommandModule => ({
  command: 'rebuild',
  describe: 'the nightly job: make everything that is not fresh, then publish',
  builder: (yargs) =>
    withSettings(
      'outputs',
      'device',
      'executor',
      'workers',
      'models',
      'databaseMb',
      'maxRejects',
      'maxDropped',
      'maxAgeDays',
      'fetchMb',
      'fetchSeconds',
      'fetchGapMs',
      'privateAddresses',
      'uncertainty',
      'webhook',
      'prometheus',
      'log',
    )(yargs)
      .option('dataset', { type: 'string', requiresArg: true, describe: 'wcb, earnings or all', default: 'all' })
      .option('input', inputOption)
      .option('forget', {
        type: 'string',
        array: true,
        requiresArg: true,
        describe: 'drop for good a document_id that is kept although it is gone from its folder',
      })
      .option('full', { type: 'boolean', describe: 'make everything again, fresh or not, predictions too' })
      .option('dry-run', {
        type: 'boolean',
        describe: 'say what would be done and how long it would take; change nothing',
      })
      .option('allow', allowOption)
      .option('json', { type: 'boolean', describe: 'print the summary as one line of JSON' })
      .example('$0 rebuild', 'build both datasets from the bundled sample')
      .example('$0 rebuild --dataset wcb --input ~/corpora/WorldCentralBanks', 'build one from your documents'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const datasets = parseDatasets(flags.dataset);
    const inputs = namedInputs(flags.input) ?? [SAMPLE];
    const allowedChecks = parseAllowed(flags.allow);
    const forget = Array.isArray(flags.forget) ? flags.forget.map(String) : [];
    const { signal, now } = context;
    if (flags['dry-run'] === true) {
      const inspections = await inspect({ datasets, inputs, settings, signal, now, forget });
      await context.print(
        flags.json === true
          ? `${JSON.stringify(inspections.map(({ units, ...rest }) => ({ ...rest, stale: units.filter(({ state }) => state === 'stale').length })))}\n`
          : inspectionText(inspections, { full: flags.full === true }),
      );
      return;
    }
    const log = context.present(settings);
    const { runs, failed } = await run({
      datasets,
      inputs,
      settings,
      signal,
      log,
      now,
      random: Math.random,
      forget,
      redo: { what: flags.full === true ? 'everything' : 'nothing' },
      allowedChecks,
    });
    await rememberInputs(
      settings,
      runs.map(({ dataset }) => dataset),
      inputs,
    );
    if (runs.length > 0) {
      await context.print(
        flags.json === true
          ? `${JSON.stringify(await runSummary(runs, settings))}\n`
          : await runSummaryText(runs, settings, context.columns),
      );
    }
    throwFailures(failed);
  },
});
