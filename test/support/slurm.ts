/** A Slurm of one's own for the tests of a file: three nodes on loopback, which can be killed. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { messageOf } from '../../src/errors.js';

export interface TestSlurm {
  /** What a command of Slurm needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodes: readonly string[];
  /** A node dies at once: its slurmd, and everything that runs there. */
  readonly killNode: (node: string) => void;
  readonly startNode: (node: string) => Promise<void>;
  /** The controller dies at once, as in a power cut. */
  readonly killController: () => Promise<void>;
  readonly startController: () => Promise<void>;
  /** What the daemons and the queue say, for a test that failed. */
  readonly describe: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

const run = promisify(execFile);
const PROGRAMS = ['slurmctld', 'slurmd', 'sbatch', 'munged'];
const PACKAGES = ['slurmctld', 'slurmd', 'slurm-client', 'munge'];
const NODES = ['n1', 'n2', 'n3'];

/**
 * The running cluster, or why there cannot be one here.
 *
 * @throws Error when it is installed and does not start: that is a failure, and no reason to leave the tests out
 */
export const startSlurm = async (): Promise<TestSlurm | string> => {
  if (process.platform !== 'linux') return 'Slurm is tried on Linux alone';
  if (process.getuid?.() !== 0) return 'Slurm cannot be had here: its daemons are started by root';
  try {
    await install();
  } catch (error) {
    return `Slurm cannot be had here: ${messageOf(error).split('\n')[0]}`;
  }
  return openCluster();
};

const isInstalled = (program: string): boolean =>
  ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin'].some((folder) => existsSync(join(folder, program)));

const install = async (): Promise<void> => {
  if (PROGRAMS.every(isInstalled)) return;
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`install ${PACKAGES.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['-o', 'DPkg::Lock::Timeout=90', 'install', '-y', '--no-install-recommends', ...PACKAGES], {
    env,
    timeout: 190_000,
  });
  const missing = PROGRAMS.filter((program) => !isInstalled(program));
  if (missing.length > 0) throw new Error(`the packages have no ${missing.join(', ')}`);
};

const openCluster = async (): Promise<TestSlurm> => {
  // Short: a socket's path has at most 107 characters.
  const folder = mkdtempSync(join(tmpdir(), 'ftslurm-'));
  for (const name of ['state', 'log', 'run', 'munge', ...NODES.map((node) => `spool-${node}`)]) {
    mkdirSync(join(folder, name), { mode: 0o755 });
  }
  const config = join(folder, 'slurm.conf');
  writeFileSync(config, await configOf(folder));
  writeFileSync(join(folder, 'munge', 'key'), randomBytes(128), { mode: 0o600 });
  const env = { SLURM_CONF: config };
  const call = async (command: string, args: readonly string[]): Promise<string> =>
    (await run(command, args, { env: { ...process.env, ...env }, timeout: 20_000 })).stdout;
  const pidOf = (name: string): number => {
    const file = join(folder, 'run', `${name}.pid`);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  };

  await run('munged', [
    '--force',
    `--key-file=${join(folder, 'munge', 'key')}`,
    `--socket=${join(folder, 'munge', 'socket')}`,
    `--pid-file=${join(folder, 'run', 'munged.pid')}`,
    `--log-file=${join(folder, 'log', 'munged.log')}`,
    `--seed-file=${join(folder, 'munge', 'seed')}`,
  ]);

  const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    for (let left = 600; !(await holds().catch(() => false)); left -= 1) {
      if (left === 0) throw new Error(`${what} in vain: ${await describe()}`);
      await setTimeout(100);
    }
  };
  const describe = async (): Promise<string> => {
    const logs = readdirSync(join(folder, 'log')).map((name) => {
      const lines = readFileSync(join(folder, 'log', name), 'utf8')
        .trimEnd()
        .split('\n');
      return `== ${name}\n${lines.slice(-15).join('\n')}`;
    });
    const queue = await call('squeue', ['--array', '--long']).catch(messageOf);
    const nodes = await call('sinfo', ['-N', '-l']).catch(messageOf);
    return [queue, nodes, ...logs].join('\n');
  };
  const startController = async (): Promise<void> => {
    await call('slurmctld', ['-f', config]);
    await until('waited for the controller', async () => (await call('scontrol', ['ping'])).includes('is UP'));
  };
  const startNode = async (node: string): Promise<void> => {
    await call('slurmd', ['-f', config, '-N', node]);
    await until(`waited for ${node}`, async () =>
      /^(idle|mixed|allocated)$/m.test(await call('sinfo', ['-h', '-n', node, '-o', '%T'])),
    );
  };
  const kill = (pid: number): void => {
    try {
      if (pid > 1) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const killNode = (node: string): void => {
    kill(pidOf(`slurmd-${node}`));
    for (const pid of processesOf(config, node)) kill(pid);
  };

  const cluster: TestSlurm = {
    env,
    nodes: NODES,
    killNode,
    startNode,
    killController: async () => {
      const pid = pidOf('slurmctld');
      kill(pid);
      await until('waited for the end of the controller', async () => !existsSync(`/proc/${pid}`));
    },
    startController,
    describe,
    stop: async () => {
      for (const node of NODES) killNode(node);
      kill(pidOf('slurmctld'));
      kill(pidOf('munged'));
      await setTimeout(200);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await startController();
    for (const node of NODES) await startNode(node);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
};

/** What runs on a node of this cluster: the tasks, by their environment, and the slurmstepd above each. */
const processesOf = (config: string, node: string): readonly number[] => {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const environment = readFileSync(join('/proc', name, 'environ'), 'utf8').split('\0');
      if (!environment.includes(`SLURMD_NODENAME=${node}`) || !environment.includes(`SLURM_CONF=${config}`)) continue;
      found.push(Number(name));
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(join('/proc', name, 'status'), 'utf8'))?.[1] ?? '1';
      if (readFileSync(join('/proc', parent, 'comm'), 'utf8').startsWith('slurmstepd')) found.unshift(Number(parent));
    } catch {
      // It ended while it was looked at.
    }
  }
  return [...new Set(found)];
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const configOf = async (folder: string): Promise<string> => {
  const host = hostname().split('.')[0] ?? '';
  const address = await lookup(host).catch(() => undefined);
  // The daemons listen on loopback alone, where the machine's name leads there.
  const onLoopback = address?.address.startsWith('127.') ? ',NoInAddrAny' : '';
  const lines = [
    'ClusterName=fintext',
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${await freePort()}`,
    'SlurmUser=root',
    'SlurmdUser=root',
    'AuthType=auth/munge',
    'CredType=cred/munge',
    // A task of a lost node begins again once its credential has expired; less than 5 means 120.
    `AuthInfo=socket=${join(folder, 'munge', 'socket')},cred_expire=5`,
    `CommunicationParameters=NoCtldInAddrAny${onLoopback}`,
    `StateSaveLocation=${join(folder, 'state')}`,
    `SlurmdSpoolDir=${join(folder, 'spool-%n')}`,
    `SlurmctldPidFile=${join(folder, 'run', 'slurmctld.pid')}`,
    `SlurmdPidFile=${join(folder, 'run', 'slurmd-%n.pid')}`,
    `SlurmctldLogFile=${join(folder, 'log', 'slurmctld.log')}`,
    `SlurmdLogFile=${join(folder, 'log', 'slurmd-%n.log')}`,
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'JobAcctGatherType=jobacct_gather/none',
    'AccountingStorageType=accounting_storage/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core',
    'SchedulerType=sched/backfill',
    'SchedulerParameters=sched_min_interval=0,bf_interval=1,batch_sched_delay=0',
    'SlurmdParameters=config_overrides',
    'ReturnToService=2',
    'SlurmctldTimeout=10',
    'SlurmdTimeout=5',
    'MessageTimeout=3',
    'KillWait=2',
    'UnkillableStepTimeout=10',
    'InactiveLimit=0',
    'MinJobAge=300',
    'JobRequeue=1',
    'MpiDefault=none',
    'GresTypes=gpu',
  ];
  const devices: string[] = [];
  for (const node of NODES) {
    // No GPU, but a device file that Slurm counts as one.
    devices.push(`NodeName=${node} Name=gpu File=/dev/null`);
    lines.push(
      `NodeName=${node} NodeHostname=${node} NodeAddr=127.0.0.1 Port=${await freePort()} CPUs=2 RealMemory=1000 Gres=gpu:1 State=UNKNOWN`,
    );
  }
  writeFileSync(join(folder, 'gres.conf'), `${devices.join('\n')}\n`);
  lines.push(`PartitionName=all Nodes=${NODES.join(',')} Default=YES MaxTime=INFINITE State=UP`);
  return `${lines.join('\n')}\n`;
};
