import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import type { DatasetId } from '../../../data/catalog.js';
import { findEngine } from '../../../pipeline/run/executors/index.js';
import { type FoundJob, findLastJob, settingsOfJob } from '../../../pipeline/run/job.js';
import type { FailedDataset, RunRequest } from '../../../pipeline/run/run.js';
import { cancelJob, isDone, type JobState, planJobs, readJobState, submitJob } from '../../../pipeline/run/submit.js';
import { RunError, UsageError } from '../../errors.js';
import { outputsIn } from '../../outputs.js';
import type { Settings } from '../../settings.js';
import type { Context } from '../context.js';
import { datasetOption, parseDatasets, settingsOf, withSettings } from '../options.js';
import { throwFailures } from '../summary.js';

/** `fintext jobs`: what was handed to an engine. */
export const jobs = (context: Context): CommandModule => ({
  command: 'jobs <action>',
  describe: 'rebuilds that were handed to an engine: status, resume, cancel',
  builder: (yargs) =>
    withSettings(
      'outputs',
      'log',
    )(yargs)
      .positional('action', {
        choices: ['status', 'resume', 'cancel'] as const,
        describe:
          'how far the last job is; submit again what is missing, with the finalize step; end what is under way',
        demandOption: true,
      })
      .option('dataset', datasetOption)
      .option('json', { type: 'boolean', describe: 'one line of JSON a job' })
      .epilogue('status exits 1 where a job is neither done nor under way: then resume it.'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    const found = await findJobs(parseDatasets(flags.dataset), settings);
    switch (flags.action) {
      case 'resume':
        return forEach(found, context, (one) => resume(one, settings, context));
      case 'cancel':
        return forEach(found, context, async (one) => {
          await cancelJob(one);
          await context.print(
            `Cancelled ${one.job.id} (${one.job.dataset}). What is made stays; jobs resume goes on.\n`,
          );
        });
      default:
        return tell(found, context, flags.json === true);
    }
  },
});

const findJobs = async (datasets: readonly DatasetId[], settings: Settings): Promise<readonly FoundJob[]> => {
  const outputs = outputsIn(resolve(settings.outputs));
  const found = await Promise.all(datasets.map((dataset) => findLastJob(outputs, dataset)));
  const there = found.filter((one) => one !== undefined);
  if (there.length === 0) {
    throw new UsageError(`No job was started in ${outputs.folder}: fintext rebuild --executor slurm starts one.`);
  }
  return there;
};

/** What one job cannot do keeps none of the others. */
const forEach = async (
  found: readonly FoundJob[],
  { signal }: Context,
  act: (one: FoundJob) => Promise<void>,
): Promise<void> => {
  const failed: FailedDataset[] = [];
  for (const one of found) {
    signal.throwIfAborted();
    await act(one).catch((error: unknown) => failed.push({ dataset: one.job.dataset, error }));
  }
  throwFailures(failed);
};

const tell = async (found: readonly FoundJob[], context: Context, json: boolean): Promise<void> => {
  const states = await Promise.all(found.map(readJobState));
  for (const state of states) await context.print(json ? `${JSON.stringify(state)}\n` : stateText(state));
  const stalled = states.filter(({ state }) => state === 'stalled');
  if (stalled.length > 0) {
    const names = stalled.map(({ dataset }) => dataset).join(' and ');
    throw new RunError(
      `Nobody goes on with the job of ${names}: fintext jobs resume. Its logs: ${stalled[0]?.folder}/logs`,
    );
  }
};

export const stateText = ({ id, dataset, engine, state, created_at, folder, steps }: JobState): string => {
  const lines = steps.map(({ step, done, all, what, alive }) => {
    const living = alive.map(({ state: word, tasks }) => `${tasks} ${word.toLowerCase()}`).join(', ');
    return `  ${step.padEnd(9)} ${done} of ${all} ${what} done${living === '' ? '' : `; ${engine}: ${living}`}\n`;
  });
  return `${dataset}: job ${id} of ${created_at}, ${state}\n${lines.join('')}  ${folder}\n`;
};

/** A new plan by the same settings: what is made is fresh, and what is missing is all that there is to do. */
const resume = async ({ folder, job }: FoundJob, settings: Settings, context: Context): Promise<void> => {
  if (await isDone({ folder, job })) {
    await context.print(`The job ${job.id} (${job.dataset}) is done: there is nothing to resume.\n`);
    return;
  }
  const engine = findEngine(job.engine);
  if (engine === undefined) throw new RunError(`The job ${job.id} was given to ${job.engine}: start it again there.`);
  await cancelJob({ folder: '', job });
  const request: RunRequest = {
    datasets: [job.dataset],
    inputs: job.inputs,
    settings: settingsOfJob(job, process.env),
    signal: context.signal,
    log: context.present(settings),
    now: context.now,
    random: Math.random,
    forget: job.forget,
    redo: { what: 'nothing' },
    allowedChecks: new Map(job.allowed),
  };
  const {
    jobs: [found],
    failed,
  } = await planJobs(request, engine);
  throwFailures(failed);
  if (found === undefined) throw new RunError(`There is nothing of ${job.dataset} to resume.`);
  await submitJob(found, engine, request);
  await context.print(`Submitted ${found.job.id} (${job.dataset}) in the place of ${job.id}: fintext jobs status.\n`);
};
