import type { CommandModule } from 'yargs';
import { DATASETS, type DatasetId } from '../../../data/catalog.js';
import type { ModelId } from '../../../models/catalog.js';
import { findIsoDay } from '../../../pipeline/1-ingest/sources/dimensions.js';
import { inspect } from '../../../pipeline/run/inspect.js';
import type { Selection } from '../../../pipeline/run/plan.js';
import { UsageError } from '../../errors.js';
import type { Context } from '../context.js';
import { inspectionText } from '../inspection.js';
import {
  allowOption,
  datasetOption,
  inputOption,
  namedInputs,
  parseAllowed,
  parseBank,
  parseDatasets,
  recallInputs,
  settingsOf,
  withSettings,
} from '../options.js';
import { RUN_SETTINGS, runAndTell } from '../run-command.js';

/** `fintext reprocess`: the ad hoc job. */
export const reprocess = (context: Context): CommandModule => ({
  command: 'reprocess',
  describe: 'the ad hoc job: redo exactly this part, fresh or not, and publish',
  builder: (yargs) =>
    withSettings(...RUN_SETTINGS)(yargs)
      .option('dataset', { ...datasetOption, demandOption: true })
      .option('bank', { type: 'string', requiresArg: true, describe: 'documents of this central bank' })
      .option('ticker', { type: 'string', requiresArg: true, describe: 'documents of this company' })
      .option('year', { type: 'string', requiresArg: true, describe: 'documents of this year' })
      .option('from', {
        type: 'string',
        requiresArg: true,
        describe: 'documents of this day and later, as YYYY-MM-DD: the document’s own date, a day in UTC',
      })
      .option('to', { type: 'string', requiresArg: true, describe: 'documents of this day and earlier' })
      .option('document', { type: 'string', requiresArg: true, describe: 'this document_id' })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'only the predictions of this model, and what follows from them',
      })
      .option('input', { ...inputOption, describe: 'folders to read [those of the last rebuild]' })
      .option('dry-run', { type: 'boolean', describe: 'say what would be redone; change nothing' })
      .option('allow', allowOption)
      .option('json', { type: 'boolean', describe: 'print the summary as one line of JSON' })
      .example('$0 reprocess --dataset wcb --bank bank_of_japan --year 2005', 'read those files again')
      .example('$0 reprocess --dataset wcb --from 2024-01-01 --to 2024-03-31', 'the documents of a quarter')
      .example('$0 reprocess --dataset wcb --model cb_stance_label', 'ask one model again')
      .epilogue(
        'Options together mean documents that all of them fit. Every other document stays as the last run read it, whatever its folder says by now; a document without a date is in no span of days.',
      ),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const [dataset] = parseDatasets(flags.dataset);
    if (dataset === undefined) throw new UsageError('--dataset is missing.');
    const selection = parseSelection(dataset, flags);
    const model = parseModel(dataset, flags.model);
    if (Object.keys(selection).length === 0 && model === undefined) {
      throw new UsageError(
        'Say what to redo: --bank, --ticker, --year, --from, --to, --document or --model; for all of it: rebuild --full.',
      );
    }
    const inputs = namedInputs(flags.input) ?? (await recallInputs(settings, dataset));
    const allowedChecks = parseAllowed(flags.allow);
    const { signal, now } = context;
    const redo = { what: 'selection', selection, ...(model === undefined ? {} : { model }) } as const;
    if (flags['dry-run'] === true) {
      const inspections = await inspect({ datasets: [dataset], inputs, settings, signal, now, redo });
      await context.print(inspectionText(inspections, { redo }));
      return;
    }
    await runAndTell(
      context,
      settings,
      { datasets: [dataset], inputs, redo, allowedChecks },
      flags.json === true ? 'json' : 'text',
    );
  },
});

const parseSelection = (dataset: DatasetId, flags: Readonly<Record<string, unknown>>): Selection => {
  const text = (flag: string): string | undefined => {
    const value = flags[flag];
    if (Array.isArray(value)) throw new UsageError(`--${flag} is given ${value.length} times; give it once.`);
    return value === undefined ? undefined : String(value);
  };
  const bank = text('bank');
  const ticker = text('ticker');
  const year = text('year');
  const from = parseDay('from', text('from'));
  const to = parseDay('to', text('to'));
  const documentId = text('document');
  const has = (dimension: string): boolean => DATASETS[dataset].dimensions.some(({ name }) => name === dimension);
  if (bank !== undefined && !has('bank_name')) throw new UsageError(`--bank is of wcb; ${dataset} has --ticker.`);
  if (ticker !== undefined && !has('ticker')) throw new UsageError(`--ticker is of earnings; ${dataset} has --bank.`);
  if (year !== undefined && !/^\d{4}$/.test(year)) throw new UsageError(`--year is four digits; not "${year}".`);
  if (from !== undefined && to !== undefined && from > to) {
    throw new UsageError(`--from ${from} is after --to ${to}: no document is of such days.`);
  }
  return {
    ...(bank === undefined ? {} : { bank: parseBank(bank) }),
    ...(ticker === undefined ? {} : { ticker: ticker.toUpperCase() }),
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(documentId === undefined ? {} : { documentId }),
  };
};

const parseDay = (flag: 'from' | 'to', value: string | undefined): string | undefined => {
  const day = value === undefined ? undefined : findIsoDay(value);
  if (value !== undefined && day === undefined) {
    throw new UsageError(`--${flag} is a day that exists, written YYYY-MM-DD; not "${value}".`);
  }
  return day;
};

const parseModel = (dataset: DatasetId, value: unknown): ModelId | undefined => {
  if (value === undefined) return undefined;
  const { models } = DATASETS[dataset];
  const found = models.find((model) => model === value);
  if (found === undefined) throw new UsageError(`${dataset} asks the models ${models.join(', ')}; not "${value}".`);
  return found;
};
