import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { outputsIn } from '../../src/outputs.js';
import { entryPoint } from '../../src/package-root.js';
import { findMountFault, mountDisk } from '../support/disk.js';
import { fintext } from '../support/fintext.js';
import { publish } from '../support/published.js';
import { temporaryFolder } from '../support/rig.js';

const folder = temporaryFolder();
const common = ['--outputs', join(folder, 'outputs'), '--accounts', join(folder, 'accounts.db')];

/** `fintext serve` until it is told to stop. */
const serve = async (...more: readonly string[]) => serveWith({}, ...more);

const serveWith = async (environment: NodeJS.ProcessEnv, ...more: readonly string[]) => {
  const child = spawn(process.execPath, [entryPoint('src/cli/fintext'), 'serve', '--port', '0', ...common, ...more], {
    env: { ...process.env, FINTEXT_DEVICE: 'cpu', FINTEXT_WORKERS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('exit', () => reject(new Error(stderr)));
  });
  return {
    address,
    pid: child.pid ?? 0,
    stderr: () => stderr,
    kill: () =>
      new Promise<void>((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
    stop: () =>
      new Promise<number | null>((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
};

describe('from nothing to an answer', () => {
  let running: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    running = await serve();
  });
  afterAll(async () => {
    await running.stop();
  });

  it('serve prints its address, says what an empty machine lacks, and picks up key and snapshot as they come', async () => {
    expect(running.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect.poll(running.stderr).toContain('Next: fintext rebuild');
    await expect.poll(running.stderr).toContain('Next: fintext keys create');
    // What a new machine lacks is an event like any other to what collects its log.
    const whole = running.stderr().split('\n').slice(0, -1);
    for (const line of whole) expect(JSON.parse(line)).toHaveProperty('msg');
    const made = await fintext([
      'keys',
      'create',
      '--email',
      'someone@example.org',
      '--accounts',
      join(folder, 'accounts.db'),
    ]);
    const client = createClient({ baseUrl: running.address, apiKey: made.stdout.trim() });
    expect((await client.models()).total).toBe(14);
    const { predictions } = await client.infer('cb_stance_label', ['Rates must rise.', 'The weather is fine.']);
    for (const { label } of predictions) expect(['Hawkish', 'Dovish', 'Neutral', 'Irrelevant']).toContain(label);

    await publish({ outputs: outputsIn(join(folder, 'outputs')), dataset: 'wcb', documents: 30, seed: 1 });
    // 503 until it is seen, about a second later: the client waits.
    expect((await client.documents('wcb')).total).toBe(30);
    expect((await client.usage()).quota.used).toBe(3);
  });
});

describe('serve', () => {
  it('ends with 0 on SIGTERM', async () => {
    const running = await serve('--log', 'quiet');
    expect(await running.stop()).toBe(0);
  });

  it('logs JSON lines where nobody watches, and readable ones where they are asked for', async () => {
    for (const [log, line] of [
      ['auto', /^\{"level":30,.*"path":"\/health\/live","status":200,.*\}$/m],
      ['text', /^\d\d:\d\d:\d\d GET {2}\/health\/live 200 [\d.]+ ms$/m],
    ] as const) {
      const running = await serve('--log', log);
      await fetch(`${running.address}/health/live`);
      await expect.poll(running.stderr).toMatch(line);
      await running.stop();
    }
  });

  it.runIf(existsSync('/usr/bin/script'))('logs readable lines on a terminal', async () => {
    const command = [process.execPath, entryPoint('src/cli/fintext'), 'serve', '--port', '0', ...common].join(' ');
    // util-linux's script gives the command a terminal and passes what it writes on.
    const child = spawn('/usr/bin/script', ['-qec', `exec ${command}`, '/dev/null'], {
      env: { ...process.env, NO_COLOR: '1', FINTEXT_DEVICE: 'cpu', FINTEXT_WORKERS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await expect.poll(() => screen, { timeout: 30_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\s/);
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(screen) ?? [];
    await fetch(`${address}/health/live`);
    await expect.poll(() => screen).toMatch(/^\d\d:\d\d:\d\d GET {2}\/health\/live 200 [\d.]+ ms\r?$/m);
    child.kill('SIGTERM');
    await ended;
  });

  it('says in one line what is wrong with its place', async () => {
    const running = await serve();
    const port = new URL(running.address).port;
    const taken = await fintext(['serve', '--port', port, ...common]);
    await running.stop();
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('choose another port with --port')]);
    const wrong = await fintext(['serve', '--port', '99999', ...common]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--port is a whole number')]);
  });
});

describe.runIf(process.platform === 'linux')('the rows of lists', () => {
  const fault = findMountFault();
  beforeAll(() => publish({ outputs: outputsIn(join(folder, 'outputs')), dataset: 'wcb', documents: 30, seed: 1 }));

  /** Serves from that temporary folder until the rows are kept; the names of the open files that hold them. */
  const keep = async (temporary: string) => {
    const running = await serveWith({ TMPDIR: temporary }, '--log', 'json');
    await expect.poll(running.stderr, { timeout: 30_000 }).toContain('"msg":"rows-kept"');
    const files = readdirSync(`/proc/${running.pid}/fd`).flatMap((name) => {
      try {
        return [readlinkSync(`/proc/${running.pid}/fd/${name}`)];
      } catch {
        // Closed since.
        return [];
      }
    });
    return { running, files: files.filter((name) => name.includes('.rows')) };
  };

  it('lie in the temporary folder, and nothing of them is left when the process is killed', async () => {
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const { running, files } = await keep(temporary);
    expect(files).toEqual([expect.stringMatching(/\.rows \(deleted\)$/)]);
    expect(files[0]?.startsWith(temporary)).toBe(true);
    await running.kill();
    const left = readdirSync(temporary, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  it.skipIf(fault !== undefined)('lie on a disk where the temporary folder is in memory', async () => {
    const disk = mountDisk(join(folder, 'memory'), 4096);
    try {
      const { running, files } = await keep(disk.folder);
      expect(files).toEqual([expect.stringMatching(/^\/var\/tmp\/fintext-serve-/)]);
      await running.stop();
    } finally {
      disk.close();
    }
  });
});
