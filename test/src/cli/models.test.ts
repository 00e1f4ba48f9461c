import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packagePath } from '../../../src/package-root.js';
import { fintext } from '../../support/fintext.js';

const PACKAGES = packagePath('test', 'support', 'packages');

const Listed = z.object({
  id: z.string(),
  own: z.boolean(),
  folder: z.string(),
  training_datasets: z.array(z.string()),
  variants: z.array(z.string()),
  variant: z.string().nullable(),
  fingerprint: z.string(),
});

const list = async (...more: readonly string[]): Promise<ReadonlyMap<string, z.infer<typeof Listed>>> => {
  const { stdout, stderr, code } = await fintext(['models', 'list', '--json', ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  return new Map(lines.map((line) => Listed.parse(JSON.parse(line))).map((entry) => [entry.id, entry]));
};

describe('fintext models', () => {
  let models: string;

  beforeEach(async () => {
    models = await mkdtemp(join(tmpdir(), 'fintext-models-'));
    return () => rm(models, { recursive: true, force: true });
  });

  it('list says which variants there are, which one answers, and what it is known by', async () => {
    const [auto, full] = [
      (await list()).get('cb_stance_label'),
      (await list('--variant', 'full')).get('cb_stance_label'),
    ];
    expect(auto?.variants).toEqual(['full', 'quantized', 'fp16']);
    expect(full).toMatchObject({ variants: auto?.variants, variant: 'full' });
    expect(auto?.variants).toContain(auto?.variant);
    expect(auto?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(auto?.fingerprint === full?.fingerprint).toBe(auto?.variant === 'full');
  });

  it('evaluate says that the intervals of few texts mean little, and nothing of the kind of thirty', async () => {
    const labels = join(models, 'labels.jsonl');
    const evaluated = async (texts: number, ...more: readonly string[]): Promise<string> => {
      const line = JSON.stringify({ text: 'The Committee decided to raise the policy rate.', label: 'Hawkish' });
      await writeFile(labels, `${line}\n`.repeat(texts));
      const asked = ['models', 'evaluate', '--model', 'cb_stance_label', '--labels', labels, '--workers', '1'];
      const { stdout, stderr, code } = await fintext([...asked, ...more]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    const few = await evaluated(29);
    expect(few).toMatch(/^cb_stance_label \(central-bank, (full|quantized|fp16)\) on 29 texts\n/);
    expect(few).toContain('on 29 texts\n  accuracy    1.000 (95%: 1.000 to 1.000)\n');
    expect(few).toContain('\n  The 95% intervals mean little with fewer than 30 texts: ');
    expect(await evaluated(30)).not.toContain('mean little');
    expect(await evaluated(1)).toContain('on 1 text\n');
    expect(JSON.parse(await evaluated(1, '--json'))).toMatchObject({ texts: 1, intervals: { accuracy: [1, 1] } });
  });

  it('refuses what an action does not take, and says what is missing, where and what to do', async () => {
    const said = async (...typed: readonly string[]): Promise<string> => {
      const { stderr, code } = await fintext(['models', ...typed]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await said()).toContain('Say what to do with the models: list, verify, import, evaluate');
    expect(await said('list', 'mine', '--as', 'ec_growth')).toContain('models list takes no folder (mine)');
    expect(await said('verify', '--json')).toContain('models verify takes no --json');
    expect(await said('import', models)).toContain('models import needs --as');
    const typed = ['import', models, '--as', 'ec_growth'];
    expect(await said(...typed, '--variant', 'full')).toContain('models import takes no --variant');
    const evaluate = ['evaluate', '--model', 'cb_stance_label', '--labels'];
    expect(await said(...evaluate, models)).toContain(`${models} is a folder: name a file of JSON lines.`);
    await writeFile(join(models, 'labels.jsonl'), '{"text": "Prices rose.", "label": "Hawkish"}\n[1]\n');
    expect(await said(...evaluate, join(models, 'labels.jsonl'))).toContain('labels.jsonl, line 2 is no JSON object');
  });

  it('import says which variants came along and why another did not, and auto goes on with full', async () => {
    const mine = join(models, 'mine');
    await cp(join(PACKAGES, 'bert'), mine, { recursive: true });
    await mkdir(join(mine, 'onnx'));
    await cp(join(PACKAGES, 'bert-dynamic.onnx'), join(mine, 'onnx', 'model_quantized.onnx'));
    await cp(join(mine, 'model.onnx'), join(mine, 'onnx', 'model_fp16.onnx'));
    const folder = join(models, 'models');
    const imported = await fintext(['models', 'import', mine, '--as', 'ec_financial_sentiment', '--models', folder]);
    expect(imported.code).toBe(0);
    expect(imported.stdout).toMatch(/^Left out: model_quantized\.onnx gives a text other logits in another batch/);
    expect(imported.stdout).toContain('ec_financial_sentiment (full, fp16).');
    expect(imported.stdout).toContain('the bundled packages central-bank and earnings-call lie beside it now');
    const listed = await list('--models', folder);
    expect(listed.get('ec_financial_sentiment')).toMatchObject({
      own: true,
      folder: join(folder, 'ec_financial_sentiment'),
      training_datasets: [],
      variants: ['full', 'fp16'],
      variant: 'full',
    });
    expect(listed.get('ec_growth')).toMatchObject({ own: false, folder: join(folder, 'earnings-call') });
    const table = await fintext(['models', 'list', '--models', folder]);
    expect(table.stdout).toContain(`your own, ${join(folder, 'ec_financial_sentiment')}`);

    const asked = ['classify', '--model', 'ec_financial_sentiment', '--models', folder, '--variant'];
    const fp16 = await fintext([...asked, 'fp16'], { input: 'Revenue rose.\n' });
    expect({ code: fp16.code, lines: fp16.stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
    const quantized = await fintext([...asked, 'quantized'], { input: 'Revenue rose.\n' });
    expect(quantized.code).toBe(2);
    expect(quantized.stderr).toContain(
      'has no model_quantized.onnx, which the variant quantized is (it has full, fp16;',
    );
  });
});
