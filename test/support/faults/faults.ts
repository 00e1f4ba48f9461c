/** Makes the n-th change of a file below a folder fail, or kills the process there: faults.c, preloaded. Linux with a C compiler. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { packagePath } from '../../../src/package-root.js';

export type Effect = 'kill' | 'ENOSPC' | 'EIO';

export interface Fault {
  /** Which change, from 1. */
  readonly at: number;
  readonly effect: Effect;
}

export interface Injector {
  /** The environment of a run whose changes below `folder` are counted and, with a fault, one of them made to fail. */
  readonly env: (folder: string, log: string, fault?: Fault) => Readonly<Record<string, string>>;
  /** What a run's log holds: all its changes or, with a fault, the one that failed; without the folder's own path. */
  readonly changes: (folder: string, log: string) => Promise<readonly string[]>;
}

/** Compiles the library into `folder`. @returns what keeps it from being used here, where something does */
export const buildInjector = (folder: string): Injector | string => {
  if (process.platform !== 'linux') return 'LD_PRELOAD is of Linux.';
  const library = join(folder, 'faults.so');
  const source = packagePath('test', 'support', 'faults', 'faults.c');
  const { error, status, stderr } = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error !== undefined) return `There is no C compiler (cc): ${error.message}`;
  if (status !== 0) return `faults.c does not compile here: ${stderr}`;
  return {
    env: (below, log, fault) => ({
      LD_PRELOAD: library,
      FAULTS_FOLDER: `${below}/`,
      FAULTS_LOG: log,
      ...(fault === undefined ? {} : { FAULTS_AT: String(fault.at), FAULTS_DO: codeOf(fault.effect) }),
    }),
    changes: async (below, log) =>
      (await readFile(log, 'utf8').catch(() => ''))
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => line.replace(`${below}/`, '')),
  };
};

const codeOf = (effect: Effect): string => {
  switch (effect) {
    case 'kill':
      return 'kill';
    case 'ENOSPC':
    case 'EIO':
      return String(constants.errno[effect]);
    default:
      return effect satisfies never;
  }
};
