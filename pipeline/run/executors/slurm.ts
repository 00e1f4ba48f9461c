/** Slurm: each step is a job or an array of jobs, held until the one before has succeeded. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { codeOf, RunError } from '../../../src/errors.js';
import { entryPoint } from '../../../src/package-root.js';
import { type Alive, ATTEMPTS, ELEMENT, type Engine, type Step, TRY_AGAIN } from './executor.js';

/**
 * What a cluster wants besides (partition, account, time, memory), sbatch takes from `SBATCH_*` variables. Steps go by
 * their names, not by numbers: those of a controller that lost its state begin again.
 */
export const slurm: Engine = {
  name: 'slurm',
  submit: async (steps, logs) => {
    const numbers = new Map<string, string>();
    for (const step of steps) {
      const before = step.after === null ? undefined : numbers.get(step.after);
      const said = await call('sbatch', sbatchArgs(step, before, logs), scriptOf(step));
      numbers.set(step.name, said.trim().split(';')[0] ?? '');
    }
  },
  findAlive: async (steps) => {
    if (steps.length === 0) return [];
    return findAliveIn(
      await call('squeue', ['--noheader', '--array', `--name=${steps.join(',')}`, '--format=%j %T %r']),
    );
  },
  cancel: async (steps) => {
    // One at a time: with several names some versions look at the first alone.
    for (const step of steps) await call('scancel', ['--quiet', `--name=${step}`]);
  },
};

/** On its way out: what it does still is of no use to anybody. */
const ENDED = ['COMPLETING', 'CANCELLED', 'COMPLETED', 'FAILED'];

/**
 * Who goes on, of lines of name, state and reason. A task that Slurm holds ("launch failed requeued held", after a node
 * that it could not begin on) waits for an operator for ever, and so does what waits for that task alone: none is alive.
 */
export const findAliveIn = (listing: string): readonly Alive[] => {
  const tasks = listing
    .split('\n')
    .map((line) => line.trim().split(' '))
    .map(([step = '', state = '', ...reason]) => ({ step, state, reason: reason.join(' ') }))
    .filter(({ step, state }) => step !== '' && !ENDED.includes(state));
  const isHeld = ({ state, reason }: { state: string; reason: string }): boolean =>
    state === 'PENDING' && /held|DependencyNeverSatisfied/i.test(reason);
  const free = tasks.filter((task) => !isHeld(task));
  if (free.length < tasks.length && free.every(({ reason }) => reason === 'Dependency')) return [];
  const counts = new Map<string, Alive>();
  for (const { step, state } of free) {
    const key = `${step} ${state}`;
    counts.set(key, { step, state, tasks: (counts.get(key)?.tasks ?? 0) + 1 });
  }
  return [...counts.values()];
};

/** The flags of a step. */
export const sbatchArgs = (step: Step, before: string | undefined, logs: string): readonly string[] => [
  '--parsable',
  `--job-name=${step.name}`,
  ...(step.elements === 'one' ? [] : [`--array=0-${step.elements - 1}`]),
  // A step whose predecessor failed would wait for ever.
  ...(before === undefined ? [] : [`--dependency=afterok:${before}`, '--kill-on-invalid-dep=yes']),
  `--cpus-per-task=${step.cpus}`,
  ...(step.gpus === 0 ? [] : [`--gres=gpu:${step.gpus}`]),
  '--requeue',
  '--open-mode=append',
  `--output=${join(logs, step.elements === 'one' ? `${step.name}.log` : `${step.name}-%a.log`)}`,
  `--chdir=${logs}`,
];

/** How often an element is tried again after it was killed, or said that it may succeed later. */
const MOST_RESTARTS = 2;

/**
 * What an element does. Slurm starts tasks of a lost machine again by itself; those that were killed on a machine that
 * lives it calls failed, so that they ask for it themselves.
 */
export const scriptOf = (step: Step): string => {
  const words = [process.execPath, entryPoint('src/cli/fintext'), ...step.args].map((word) => {
    if (word === ELEMENT) return '"$element"';
    if (word === ATTEMPTS) return '"slurm $self"';
    return `'${word.replaceAll("'", "'\\''")}'`;
  });
  return `#!/bin/bash
element="\${SLURM_ARRAY_TASK_ID:-0}"
self="$SLURM_JOB_ID"
if [ -n "$SLURM_ARRAY_JOB_ID" ]; then self="\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"; fi
echo "== element $element on \${SLURMD_NODENAME:-?}, attempt $((\${SLURM_RESTART_COUNT:-0} + 1))" >&2
${words.join(' ')}
ended=$?
if [ $ended -eq ${TRY_AGAIN} ] || [ $ended -ge 128 ]; then
  if [ "\${SLURM_RESTART_COUNT:-0}" -lt ${MOST_RESTARTS} ]; then
    echo "== ended with $ended: asking for another attempt" >&2
    scontrol requeue "$self" && sleep 60
  fi
fi
exit $ended
`;
};

/** What a command of Slurm printed. */
const call = (command: string, args: readonly string[], input = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    let complained = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    child.on('error', (error) =>
      reject(
        codeOf(error) === 'ENOENT'
          ? new RunError(`There is no ${command} here: run this where the commands of Slurm are installed.`, {
              cause: error,
            })
          : error,
      ),
    );
    child.on('close', (code) => {
      if (code === 0) resolve(said);
      else reject(new RunError(`${command} ended with ${code}: ${complained.trim().split('\n').join(' ')}`));
    });
    child.stdin?.on('error', () => undefined).end(input);
  });
