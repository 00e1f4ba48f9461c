/** What is installed from the registry: the files of the package alone, packed, unpacked elsewhere and run. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, packageRoot } from '../../src/package-root.js';
import { temporaryFolder } from '../support/rig.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const installed = join(folder, 'node_modules', 'fintext-metrics');

beforeAll(async () => {
  // What is built already is packed: prepare would build it again.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: packageRoot });
  mkdirSync(installed, { recursive: true });
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['xzf', join(folder, archive), '--strip-components=1', '-C', installed]);
  symlinkSync(packagePath('node_modules'), join(installed, 'node_modules'));
}, 300_000);

describe('the packed package', () => {
  it('holds what runs and none of what made it', () => {
    expect(readdirSync(installed).sort()).toEqual([
      'LICENSE',
      'README.md',
      'data',
      'dist',
      'models',
      'node_modules',
      'package.json',
      'src',
    ]);
    expect(readdirSync(join(installed, 'src', 'serve', 'explorer')).sort()).toEqual([
      'explorer.css',
      'explorer.html',
      'icon.svg',
    ]);
  });

  describe('serve', () => {
    let address = '';
    let stop: () => Promise<unknown>;
    beforeAll(async () => {
      const entry = join(installed, 'dist', 'src', 'cli', 'fintext.js');
      const child = spawn(
        process.execPath,
        [
          entry,
          'serve',
          '--port',
          '0',
          '--outputs',
          join(folder, 'outputs'),
          '--accounts',
          join(folder, 'accounts.db'),
        ],
        {
          cwd: folder,
          env: { ...process.env, FINTEXT_DEVICE: 'cpu', FINTEXT_WORKERS: '1' },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const ended = new Promise((resolve) => child.once('exit', resolve));
      stop = () => {
        child.kill('SIGTERM');
        return ended;
      };
      address = await new Promise<string>((resolve, reject) => {
        child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
        child.once('exit', () => reject(new Error(stderr)));
      });
    });
    afterAll(() => stop());

    it('gives the page and each of its files', async () => {
      const page = await (await fetch(`${address}/`)).text();
      expect(page).toContain('<title>Fintext explorer</title>');
      for (const name of ['main.js', 'chart.js', 'explorer.css', 'icon.svg']) {
        const response = await fetch(`${address}/explorer/${name}`);
        expect([name, response.status, (await response.text()).length > 100]).toEqual([name, 200, true]);
      }
    });
  });
});
