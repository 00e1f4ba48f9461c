/** A disk that is as small as a test wants it: a tmpfs, which only root may mount. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  readonly resize: (kilobytes: number) => void;
  readonly close: () => void;
}

export const mountDisk = (folder: string, kilobytes: number): SmallDisk => {
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder);
  return {
    folder,
    resize: (to) => run('mount', '-o', `remount,size=${to}k`, folder),
    close: () => {
      // Lazily: a driver may let go of a file it has closed only when the garbage is collected.
      run('umount', '--lazy', folder);
      rmSync(folder, { recursive: true });
    },
  };
};

/** What keeps a disk from being mounted here, or undefined. */
export const findMountFault = (): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a tmpfs needs root on Linux';
  try {
    mountDisk(join(tmpdir(), `fintext-disk-${process.pid}`), 64).close();
    return undefined;
  } catch (error) {
    return String(error);
  }
};

const run = (command: string, ...args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 10_000 });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
};
