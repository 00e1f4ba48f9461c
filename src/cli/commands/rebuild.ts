import type { CommandModule } from 'yargs';
import { findEngine } from '../../../pipeline/run/executors/index.js';
import { inspect } from '../../../pipeline/run/inspect.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { inspectionText } from '../inspection.js';
import {
  allowOption,
  inputOption,
  inputsToBuild,
  namedInputs,
  parseAllowed,
  parseDatasets,
  settingsOf,
  withSettings,
} from '../options.js';
import { RUN_SETTINGS, runAndTell, submitAndTell } from '../run-command.js';

/** `fintext rebuild`: the nightly job. */
export const rebuild = (context: Context): CommandModule => ({
  command: 'rebuild',
  describe: 'the nightly job: make everything that is not fresh, then publish',
  builder: (yargs) =>
    withSettings(...RUN_SETTINGS)(yargs)
      .option('dataset', {
        type: 'string',
        requiresArg: true,
        describe: 'wcb (documents of central banks), earnings (earnings calls) or all',
        default: 'all',
      })
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
      .option('attempts', {
        type: 'string',
        requiresArg: true,
        describe:
          'a name that all attempts of this night have, and no other night, where an engine starts it again: a later one takes over from an earlier one at once',
      })
      .option('json', { type: 'boolean', describe: 'print the summary as one line of JSON' })
      .example('$0 rebuild', 'build both datasets from the bundled sample')
      .example('$0 rebuild --dataset wcb --input ~/corpora/WorldCentralBanks', 'build one from your documents')
      .example('$0 rebuild --allow documents_kept="<reason>"', 'publish what that check refused')
      .epilogue(
        'Stopped or killed, it goes on where it was when the same command is run again. fintext status says how the last one went.',
      ),
  handler: async (flags) => {
    // Where an engine's variable is not set, any two runs would be attempts of one, and the later end the earlier.
    if (flags.attempts === '') throw new UsageError('--attempts is empty: give the name that this night has.');
    const settings = settingsOf(flags);
    const datasets = parseDatasets(flags.dataset);
    const inputs = await inputsToBuild(settings, datasets, namedInputs(flags.input));
    const allowedChecks = parseAllowed(flags.allow);
    const forget = Array.isArray(flags.forget) ? flags.forget.map(String) : [];
    const { signal, now } = context;
    const redo = { what: flags.full === true ? 'everything' : 'nothing' } as const;
    if (flags['dry-run'] === true) {
      const log = context.present(settings);
      const inspections = await inspect({ datasets, inputs, settings, signal, now, forget, redo, log });
      await context.print(
        flags.json === true
          ? `${JSON.stringify(inspections.map(({ units, ...rest }) => ({ ...rest, stale: units.filter(({ state }) => state === 'stale').length })))}\n`
          : inspectionText(inspections, { full: flags.full === true }),
      );
      return;
    }
    const engine = findEngine(settings.executor);
    if (engine !== undefined && flags.full !== true) {
      if (flags.attempts !== undefined) {
        throw new UsageError(
          `--attempts is for a run on one machine: the tasks that ${engine.name} starts again name their attempts themselves.`,
        );
      }
      const asked = { datasets, inputs, forget, redo: { what: 'nothing' }, allowedChecks } as const;
      return submitAndTell(context, settings, asked, engine);
    }
    await runAndTell(
      context,
      settings,
      {
        datasets,
        inputs,
        forget,
        redo,
        allowedChecks,
        ...(flags.attempts !== undefined && { attempts: String(flags.attempts) }),
      },
      flags.json === true ? 'json' : 'text',
    );
  },
});
