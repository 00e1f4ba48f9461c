/** An object store of one's own for the tests of a file: a real S3 service, Ceph's, on loopback with its data in memory. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { messageOf } from '../../src/errors.js';

export interface TestStore {
  readonly port: number;
  /** The AWS_* variables of a user who may make buckets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Those of another user, to whom nothing belongs. */
  readonly stranger: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const PACKAGES = ['ceph-mon', 'ceph-osd', 'radosgw'];
const run = promisify(execFile);

/**
 * The running store, or why its packages cannot be had here.
 *
 * @throws Error when it is installed and does not start: that is a failure, and no reason to leave the tests out
 */
export const startCeph = async (): Promise<TestStore | string> => {
  try {
    await install();
  } catch (error) {
    return `Ceph cannot be had here (Debian's packages ${PACKAGES.join(', ')}): ${messageOf(error).split('\n')[0]}`;
  }
  return start();
};

/** Installs Debian's packages where they are missing and we may. */
const install = async (): Promise<void> => {
  const programs = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
  const missing = (): readonly string[] => programs.filter((name) => !existsSync(join('/usr/bin', name)));
  if (missing().length === 0) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(`${missing().join(', ')} missing`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = async (...args: readonly string[]): Promise<void> => {
    await run('apt-get', ['-o', 'DPkg::Lock::Timeout=90', ...args], { env, timeout: 190_000 });
  };
  const packages = ['install', '-y', '--no-install-recommends', ...PACKAGES];
  await apt(...packages).catch(async () => {
    await apt('update');
    await apt(...packages);
  });
  if (missing().length > 0) throw new Error(`the packages have no ${missing().join(', ')}`);
};

/** One monitor, one OSD that keeps everything in memory, one gateway. */
const start = async (): Promise<TestStore> => {
  const home = mkdtempSync(join(tmpdir(), 'ftceph-'));
  const [monitor, port] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  const path = (name: string): string => join(home, name);
  for (const name of ['mon', 'osd', 'run']) mkdirSync(path(name));
  writeFileSync(path('ceph.conf'), configuration({ fsid, monitor, port, home }));
  const children: ChildProcess[] = [];
  const kill = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.once('exit', kill);

  const ceph = async (program: string, ...args: readonly string[]): Promise<string> =>
    (await run(program, ['--conf', path('ceph.conf'), ...args], { timeout: 30_000 })).stdout;
  const daemon = (program: string, ...args: readonly string[]): void => {
    children.push(spawn(program, ['--conf', path('ceph.conf'), '-f', ...args], { stdio: 'ignore' }));
  };
  const stop = async (): Promise<void> => {
    const ended = children
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map((child) => new Promise((resolve) => child.once('exit', resolve)));
    kill();
    await Promise.all(ended);
    process.removeListener('exit', kill);
    rmSync(home, { recursive: true, force: true });
  };

  try {
    const caps = [
      ['mon.', ['mon', 'allow *']],
      ['client.admin', ['mon', 'allow *', 'osd', 'allow *']],
      ['client.rgw', ['mon', 'allow rw', 'osd', 'allow rwx']],
      ['osd.0', ['mon', 'allow profile osd', 'osd', 'allow *']],
    ] as const;
    for (const [index, [name, allowed]] of caps.entries()) {
      const pairs = Array.from({ length: allowed.length / 2 }, (_, at) => allowed.slice(at * 2, at * 2 + 2));
      const create = index === 0 ? ['--create-keyring'] : [];
      await run('ceph-authtool', [
        ...create,
        path('keyring'),
        ...['--gen-key', '-n', name],
        ...pairs.flatMap((pair) => ['--cap', ...pair]),
      ]);
    }
    const map = ['--create', '--clobber', '--addv', 'a', `[v2:127.0.0.1:${monitor}]`, '--fsid', fsid, path('monmap')];
    await run('monmaptool', map);
    await ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', path('monmap'), '--keyring', path('keyring'));
    daemon('ceph-mon', '-i', 'a');
    const osd = randomUUID();
    await ceph('ceph', 'osd', 'new', osd);
    await ceph('ceph', 'osd', 'crush', 'add', 'osd.0', '1', 'root=default', 'host=localhost');
    await ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
    daemon('ceph-osd', '-i', '0');
    daemon('radosgw', '-n', 'client.rgw');
    const address = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(address)).ok);
    const user = async (name: string): Promise<Readonly<Record<string, string>>> => {
      const [key, secret] = [`KEY${name}`, `SECRET${name}`];
      const keys = [`--access-key=${key}`, `--secret-key=${secret}`];
      await ceph('radosgw-admin', 'user', 'create', `--uid=${name}`, `--display-name=${name}`, ...keys);
      return { AWS_ENDPOINT_URL: address, AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret };
    };
    return { port, environment: await user('publisher'), stranger: await user('stranger'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const configuration = (at: {
  readonly fsid: string;
  readonly monitor: number;
  readonly port: number;
  readonly home: string;
}): string => `
[global]
fsid = ${at.fsid}
mon_host = [v2:127.0.0.1:${at.monitor}/0]
ms_bind_ipv4 = true
ms_bind_ipv6 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_allow_insecure_global_id_reclaim = false
keyring = ${at.home}/keyring
run_dir = ${at.home}/run
admin_socket = ${at.home}/run/$name.asok
pid_file = ${at.home}/run/$name.pid
crash_dir = ${at.home}/run
log_file = ${at.home}/$name.log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
mon_data_avail_warn = 1
[mon.a]
mon_data = ${at.home}/mon
[osd.0]
osd_data = ${at.home}/osd
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_class_load_list = *
osd_class_default_list = *
[client.rgw]
rgw_frontends = beast endpoint=127.0.0.1:${at.port}
rgw_enable_usage_log = false
rgw_run_sync_thread = false
rgw_num_rados_handles = 1
rgw_thread_pool_size = 32
`;

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (let left = 300; ; left -= 1) {
    if (await isSo().catch(() => false)) return;
    if (left === 0) throw new Error('radosgw does not answer');
    await setTimeout(200);
  }
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => {
    server.close(done);
  });
  return port;
};
