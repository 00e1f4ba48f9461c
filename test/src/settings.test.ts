import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/errors.js';
import { readSettings, SETTINGS, type SettingName } from '../../src/settings.js';

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** For each setting: two good values as written and as held, and values that are refused. */
const VALUES: Readonly<
  Record<
    SettingName,
    {
      readonly good: readonly (readonly [text: string, value: unknown])[];
      readonly bad: readonly string[];
      readonly allowed: string;
    }
  >
> = {
  outputs: {
    good: [
      ['a', 'a'],
      ['/b c', '/b c'],
    ],
    bad: ['', '  '],
    allowed: 'is empty',
  },
  models: {
    good: [
      ['a', 'a'],
      ['../m', '../m'],
    ],
    bad: ['', '\t'],
    allowed: 'is empty',
  },
  device: {
    good: [
      ['cpu', 'cpu'],
      ['cuda', 'cuda'],
    ],
    bad: ['CPU', 'gpu', ''],
    allowed: 'auto, cpu, cuda, webgpu',
  },
  variant: {
    good: [
      ['auto', 'auto'],
      ['fp16', 'fp16'],
    ],
    bad: ['int8', 'model_fp16.onnx', ''],
    allowed: 'auto, full, quantized, fp16',
  },
  executor: {
    good: [
      ['local', 'local'],
      ['slurm', 'slurm'],
    ],
    bad: ['spark', ''],
    allowed: 'local, slurm',
  },
  tasks: {
    good: [
      ['1', 1],
      ['1000', 1000],
    ],
    bad: ['0', '1001', ''],
    allowed: 'from 1 to 1000',
  },
  gpus: {
    good: [
      ['0', 0],
      ['8', 8],
    ],
    bad: ['-1', '65', 'all', ''],
    allowed: 'from 0 to 64',
  },
  workers: {
    good: [
      ['1', 1],
      ['256', 256],
    ],
    bad: ['0', '257', '1.5', '-1', 'two', '', '0x10', '1e2', ' 3'],
    allowed: 'from 1 to 256',
  },
  databaseMb: {
    good: [
      ['128', 128],
      ['2048', 2048],
    ],
    bad: ['127', '1048577', '1gb', ''],
    allowed: 'from 128 to 1048576',
  },
  maxRejects: {
    good: [
      ['0', 0],
      ['1', 1],
    ],
    bad: ['-0.1', '1.1', '10%', 'NaN', '', ' '],
    allowed: 'from 0 to 1',
  },
  maxDropped: {
    good: [
      ['0.25', 0.25],
      ['.5', 0.5],
    ],
    bad: ['-1', '2', 'Infinity', ''],
    allowed: 'from 0 to 1',
  },
  maxAgeDays: {
    good: [
      ['0', 0],
      ['120', 120],
    ],
    bad: ['-1', '1.5', '90d', '', '100001'],
    allowed: 'from 0 to 100000',
  },
  fetchMb: {
    good: [
      ['1', 1],
      ['4096', 4096],
    ],
    bad: ['0', '4097', '1.5', ''],
    allowed: 'from 1 to 4096',
  },
  fetchSeconds: {
    good: [
      ['1', 1],
      ['3600', 3600],
    ],
    bad: ['0', '3601', 'minute', ''],
    allowed: 'from 1 to 3600',
  },
  fetchGapMs: {
    good: [
      ['0', 0],
      ['600000', 600_000],
    ],
    bad: ['-1', '600001', ''],
    allowed: 'from 0 to 600000',
  },
  privateAddresses: {
    good: [
      ['refuse', 'refuse'],
      ['allow', 'allow'],
    ],
    bad: ['yes', 'true', ''],
    allowed: 'refuse, allow',
  },
  uncertainty: {
    good: [
      ['net', 'net'],
      ['ratio', 'ratio'],
    ],
    bad: ['gross', ''],
    allowed: 'ratio, net',
  },
  webhook: {
    good: [
      ['https://hooks.example.com/services/a', 'https://hooks.example.com/services/a'],
      ['http://localhost:9000/', 'http://localhost:9000/'],
    ],
    bad: ['hooks.example.com', 'ftp://example.com', 'mailto:example.com', ' '],
    allowed: 'an address, https://',
  },
  prometheus: {
    good: [
      ['fintext.prom', 'fintext.prom'],
      ['/var/lib/node_exporter/fintext.prom', '/var/lib/node_exporter/fintext.prom'],
    ],
    bad: [],
    allowed: '',
  },
  publish: {
    good: [
      ['s3://bucket/a/prefix/', 's3://bucket/a/prefix'],
      ['', ''],
    ],
    bad: ['bucket', 's3:/bucket', 's3://B', 's3://bucket/../other', 's3://bucket/a b', 'https://bucket/prefix'],
    allowed: 's3://bucket/prefix',
  },
  published: {
    good: [
      ['s3://a.bucket-1', 's3://a.bucket-1'],
      ['', ''],
    ],
    bad: ['bucket/prefix', 's3://', 's3:///prefix', 's3://bucket/./x'],
    allowed: 's3://bucket/prefix',
  },
  accounts: {
    good: [
      ['keys.db', 'keys.db'],
      ['postgres://name@host/db', 'postgres://name@host/db'],
    ],
    bad: ['', ' '],
    allowed: 'is empty',
  },
  host: {
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['localhost', 'localhost'],
    ],
    bad: ['', ' '],
    allowed: 'is empty',
  },
  port: {
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', '80.5', 'http', ''],
    allowed: 'from 0 to 65535',
  },
  log: {
    good: [
      ['json', 'json'],
      ['quiet', 'quiet'],
    ],
    bad: ['verbose', ''],
    allowed: 'auto, text, json, quiet',
  },
};

describe.each(NAMES)('the setting %s', (name) => {
  const { flag, env, fallback } = SETTINGS[name];
  const { good, bad, allowed } = VALUES[name];
  const [[first, firstValue], [second, secondValue]] = good as readonly [
    readonly [string, unknown],
    readonly [string, unknown],
  ];

  it('is the flag, else the environment, else the default', () => {
    expect(readSettings({ [name]: first }, { [env]: second })[name]).toBe(firstValue);
    expect(readSettings({ [name]: undefined }, { [env]: second })[name]).toBe(secondValue);
    expect(readSettings({}, {})[name]).toEqual(fallback());
  });

  it('is the default where the variable is empty', () => {
    expect(readSettings({}, { [env]: '' })[name]).toEqual(fallback());
  });

  it.each(bad)('is refused as %j on the command line, by naming the flag and what is allowed', (text) => {
    const refused = ((): unknown => {
      try {
        return readSettings({ [name]: text }, {});
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toContain(`--${flag} is`);
    expect(String(refused)).toContain(allowed);
    if (text.trim() !== '') expect(String(refused)).toContain(`"${text}"`);
  });

  it.each(bad.filter((text) => text !== ''))('is refused as %j in the environment, by naming the variable', (text) => {
    expect(() => readSettings({}, { [env]: text })).toThrow(UsageError);
    expect(() => readSettings({}, { [env]: text })).toThrow(`${env}: --${flag} is`);
  });

  it('is not looked at in the environment where the flag is given', () => {
    const [wrong] = bad.filter((text) => text !== '');
    expect(readSettings({ [name]: first }, { [env]: wrong })[name]).toBe(firstValue);
  });
});

it('a webhook that is refused is named without its password', () => {
  for (const text of ['ftp://me:secret@example.com/a', 'me:secret@example.com'])
    expect(() => readSettings({ webhook: text }, {})).toThrow(/not "…@example\.com/);
});

describe('the settings', () => {
  it('have a flag and a variable each, of one form, and say what they are about', () => {
    const entries = Object.values(SETTINGS);
    expect(new Set(entries.map(({ flag }) => flag)).size).toBe(entries.length);
    for (const { flag, env, about } of entries) {
      expect(flag).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(env).toBe(`FINTEXT_${flag.toUpperCase().replaceAll('-', '_')}`);
      expect(about.length).toBeGreaterThan(10);
    }
  });

  it('have defaults that a person could write as well', () => {
    for (const name of NAMES) {
      const { parse, fallback } = SETTINGS[name];
      expect(parse(String(fallback()))).toEqual(fallback());
    }
  });

  it('leave other variables alone', () => {
    expect(readSettings({}, { FINTEXT_NOTHING: 'x', PATH: '/bin' })).toEqual(readSettings({}, {}));
  });
});
