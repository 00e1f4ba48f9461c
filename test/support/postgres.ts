/** A PostgreSQL cluster of one's own for the tests of a file: in a temporary folder, on a unix socket. */
import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { messageOf } from '../../src/errors.js';

export interface TestPostgres {
  /** Makes an empty database; its address. */
  readonly createDatabase: () => Promise<string>;
  /** Runs statements as the owner of the cluster. */
  readonly query: (sql: string, address?: string) => Promise<Record<string, unknown>[]>;
  /** The address of another role for the same database. */
  readonly asRole: (address: string, role: string) => string;
  /** The server dies at once, as in a power cut. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;

/**
 * The running cluster, or why its package cannot be had here.
 *
 * @throws Error when it is installed and does not start: that is a failure, and no reason to leave the tests out
 */
export const startPostgres = async (
  options: { readonly settings?: readonly string[] } = {},
): Promise<TestPostgres | string> => {
  let binaries: string;
  try {
    binaries = await getBinaries();
  } catch (error) {
    return `PostgreSQL cannot be had here: ${messageOf(error).split('\n')[0]}`;
  }
  return openCluster(binaries, options.settings ?? ['fsync=off']);
};

const openCluster = async (binaries: string, settings: readonly string[]): Promise<TestPostgres> => {
  const owner = isRoot ? findUser(['postgres', 'nobody']) : {};
  // Short: a socket's path has at most 107 characters. Not below another folder of ours: its owner is somebody else.
  const folder = mkdtempSync(join(tmpdir(), 'ftpg-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  const data = join(folder, 'data');
  const asOwner = { ...owner, cwd: folder };
  await run(join(binaries, 'initdb'), ['-D', data, '-U', 'fintext', '-A', 'trust', '-E', 'UTF8', '--no-sync'], asOwner);

  const addressOf = (database: string, role = 'fintext'): string =>
    `postgres://${role}@/${database}?host=${encodeURIComponent(folder)}`;

  const query = async (sql: string, address = addressOf('postgres')): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  let server: ReturnType<typeof spawn> | undefined;
  const start = async (): Promise<void> => {
    const flags = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=100', ...settings];
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags.flatMap((flag) => ['-c', flag])], {
      ...asOwner,
      stdio: 'ignore',
    });
    for (let left = 150; ; left -= 1) {
      try {
        await query('SELECT 1');
        return;
      } catch (error) {
        if (left === 0 || server.exitCode !== null) throw error;
        await setTimeout(100);
      }
    }
  };

  const end = async (): Promise<void> => {
    const running = server;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGQUIT');
    await ended;
  };

  await start();
  let databases = 0;
  return {
    createDatabase: async () => {
      databases += 1;
      await query(`CREATE DATABASE test_${databases}`);
      return addressOf(`test_${databases}`);
    },
    query,
    asRole: (address, role) => address.replace('//fintext@', `//${role}@`),
    kill: end,
    start,
    stop: async () => {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The folder of `initdb` and `postgres`; installs Debian's package where it is missing and we may. */
const getBinaries = async (): Promise<string> => {
  const found = await findBinaries();
  if (found !== undefined) return found;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) throw new Error('install the package postgresql');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-o', 'DPkg::Lock::Timeout=90', 'install', '-y', 'postgresql'], { env, timeout: 190_000 });
  const installed = await findBinaries();
  if (installed === undefined) throw new Error('the package postgresql has no initdb');
  return installed;
};

const findBinaries = async (): Promise<string | undefined> => {
  const home = '/usr/lib/postgresql';
  const versions = await readdir(home).catch(() => []);
  const found = versions
    .map((version) => join(home, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')));
  return found.sort().at(-1);
};

/** PostgreSQL does not run as root. */
const findUser = (names: readonly string[]): { readonly uid?: number; readonly gid?: number } => {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`there is no user ${names.join(' or ')} to run it as`);
};
