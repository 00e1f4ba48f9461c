/** What `rebuild` and `reprocess` share: their settings, and running and telling what came of it. */
import type { DatasetId } from '../../data/catalog.js';
import type { Engine } from '../../pipeline/run/executors/executor.js';
import { type FailedDataset, type RunRequest, run } from '../../pipeline/run/run.js';
import { planJobs, submitJob } from '../../pipeline/run/submit.js';
import type { SettingName, Settings } from '../settings.js';
import type { Context } from './context.js';
import { rememberInputs } from './options.js';
import { runSummary, runSummaryText, throwFailures } from './summary.js';

export const RUN_SETTINGS: readonly SettingName[] = [
  'outputs',
  'device',
  'variant',
  'executor',
  'tasks',
  'gpus',
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
  'publish',
  'webhook',
  'prometheus',
  'log',
];

export type Asked = Omit<RunRequest, 'settings' | 'signal' | 'log' | 'now' | 'random'>;

/** Hands it over to an engine, and says what to type to see how far it is. */
export const submitAndTell = async (
  context: Context,
  settings: Settings,
  asked: Asked,
  engine: Engine,
): Promise<void> => {
  const { signal, now } = context;
  const log = context.present(settings);
  const request = { ...asked, settings, signal, log, now, random: Math.random };
  const { jobs, failed } = await planJobs(request, engine);
  const refused: FailedDataset[] = [];
  for (const found of jobs) {
    const { dataset, id, documents, elements } = found.job;
    await rememberInputs(settings, [dataset], asked.inputs);
    try {
      await submitJob(found, engine, request);
    } catch (error) {
      refused.push({ dataset, error });
      continue;
    }
    await context.print(
      `Submitted ${id} (${dataset}): ${documents} documents to read, ${elements.read} tasks to read, ${elements.answer} to classify. fintext jobs status --outputs ${settings.outputs}\n`,
    );
  }
  throwFailures([...failed, ...refused]);
};

/** Runs, prints the summary of what was published, and throws what failed. */
export const runAndTell = async (
  context: Context,
  settings: Settings,
  asked: Asked,
  form: 'json' | 'text',
): Promise<void> => {
  const { signal, now } = context;
  const present = context.present(settings);
  const remembering: Promise<void>[] = [];
  const remember = (dataset: DatasetId): void => {
    const remembered = rememberInputs(settings, [dataset], asked.inputs);
    // It is waited for at the end; failing before that, it must not take the process down in the middle of the run.
    remembered.catch(() => undefined);
    remembering.push(remembered);
  };
  const { runs, failed } = await run({
    ...asked,
    settings,
    signal,
    // Remembered as soon as the folders are known to hold something, so that `status` looks there also after a failure.
    log: (event) => {
      if (event.type === 'listed') remember(event.dataset);
      present(event);
    },
    now,
    random: Math.random,
  }).finally(() => Promise.allSettled(remembering));
  await Promise.all(remembering);
  if (runs.length > 0) {
    await context.print(
      form === 'json'
        ? `${JSON.stringify(await runSummary(runs, settings))}\n`
        : await runSummaryText(runs, settings, context.columns),
    );
  }
  throwFailures(failed);
};
