/**
 * EVERY SETTING, as data: flag > environment > default. The command line, its `--help` and the README's table are made
 * from this list.
 */
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { shownAddress } from './credentials.js';
import { UsageError } from './errors.js';
import { VARIANT_NAMES, type VariantChoice } from './inference/variants.js';
import { packagePath } from './package-root.js';
import { parseStoreAddress } from './store/address.js';

interface Setting<T> {
  readonly flag: string;
  readonly env: string;
  readonly about: string;
  readonly fallback: () => T;
  /** What the user wrote becomes what the program holds; throws a UsageError that says what is allowed. */
  readonly parse: (text: string) => T;
  /** Shown instead of the default where the default depends on the machine. */
  readonly fallbackText?: string;
}

const oneOf =
  <const T extends string>(flag: string, allowed: readonly T[]) =>
  (text: string): T => {
    const found = allowed.find((value) => value === text);
    if (found === undefined) throw new UsageError(`--${flag} is ${allowed.join(', ')}; not "${text}".`);
    return found;
  };

const wholeNumber =
  (flag: string, least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new UsageError(`--${flag} is a whole number from ${least} to ${most}; not "${text}".`);
    }
    return value;
  };

const share =
  (flag: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= 0 && value <= 1)) {
      throw new UsageError(`--${flag} is a share from 0 to 1; not "${text}".`);
    }
    return value;
  };

const someText =
  (flag: string) =>
  (text: string): string => {
    if (text.trim() === '') throw new UsageError(`--${flag} is empty.`);
    return text;
  };

const webAddress =
  (flag: string) =>
  (text: string): string => {
    const isWeb = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
    if (text !== '' && !isWeb) throw new UsageError(`--${flag} is an address, https://…; not "${shownAddress(text)}".`);
    return text;
  };

const storeAddress =
  (flag: string) =>
  (text: string): string =>
    text === '' ? '' : parseStoreAddress(flag, text).text;

const setting = <T>(entry: Setting<T>): Setting<T> => entry;

export const SETTINGS = {
  outputs: setting({
    flag: 'outputs',
    env: 'FINTEXT_OUTPUTS',
    about: 'folder for work, predictions and published snapshots',
    fallback: () => 'outputs',
    parse: someText('outputs'),
  }),
  models: setting({
    flag: 'models',
    env: 'FINTEXT_MODELS',
    about: 'folder of the model packages',
    fallback: () => packagePath('models'),
    fallbackText: 'models/ of the package',
    parse: someText('models'),
  }),
  device: setting({
    flag: 'device',
    env: 'FINTEXT_DEVICE',
    about: 'where models run: auto takes a GPU when one is there and says which',
    fallback: () => 'auto' as 'auto' | 'cpu' | 'cuda' | 'webgpu',
    parse: oneOf('device', ['auto', 'cpu', 'cuda', 'webgpu']),
  }),
  variant: setting({
    flag: 'variant',
    env: 'FINTEXT_VARIANT',
    about: 'which file of a model package answers: auto is the one that the package names for the device, else full',
    fallback: (): VariantChoice => 'auto',
    parse: oneOf('variant', ['auto', ...VARIANT_NAMES]),
  }),
  executor: setting({
    flag: 'executor',
    env: 'FINTEXT_EXECUTOR',
    about: 'how the stages run: local on this machine, slurm on the machines of a cluster',
    fallback: () => 'local' as 'local' | 'slurm',
    parse: oneOf('executor', ['local', 'slurm']),
  }),
  tasks: setting({
    flag: 'tasks',
    env: 'FINTEXT_TASKS',
    about: 'tasks at most that an engine is given for each step of a job',
    fallback: () => 8,
    parse: wholeNumber('tasks', 1, 1000),
  }),
  gpus: setting({
    flag: 'gpus',
    env: 'FINTEXT_GPUS',
    about: 'GPUs that an engine is asked for, for each task that needs the models',
    fallback: () => 0,
    parse: wholeNumber('gpus', 0, 64),
  }),
  workers: setting({
    flag: 'workers',
    env: 'FINTEXT_WORKERS',
    about: 'threads that classify and processes that read PDFs',
    fallback: () => Math.max(1, Math.min(4, cpus().length)),
    fallbackText: 'the cores, at most 4',
    parse: wholeNumber('workers', 1, 256),
  }),
  databaseMb: setting({
    flag: 'database-mb',
    env: 'FINTEXT_DATABASE_MB',
    about: 'megabytes DuckDB may hold before it spills to disk',
    fallback: () => 384,
    parse: wholeNumber('database-mb', 128, 1_048_576),
  }),
  maxRejects: setting({
    flag: 'max-rejects',
    env: 'FINTEXT_MAX_REJECTS',
    about: 'share of documents that may be rejected (20 always may) before nothing is published',
    fallback: () => 0.1,
    parse: share('max-rejects'),
  }),
  maxDropped: setting({
    flag: 'max-dropped',
    env: 'FINTEXT_MAX_DROPPED',
    about:
      'share of the last snapshot’s documents, or of their sentences, that may be missing before nothing is published; also of the documents that were not found and are kept, before a warning says so',
    fallback: () => 0.2,
    parse: share('max-dropped'),
  }),
  maxAgeDays: setting({
    flag: 'max-age-days',
    env: 'FINTEXT_MAX_AGE_DAYS',
    about:
      'days that the newest document of a bank or ticker may be old before it is said, counted from the end of its calendar year or quarter where it has no day; 0 never says it',
    fallback: () => 0,
    parse: wholeNumber('max-age-days', 0, 100_000),
  }),
  fetchMb: setting({
    flag: 'fetch-mb',
    env: 'FINTEXT_FETCH_MB',
    about: 'megabytes that a document at a url may have',
    fallback: () => 64,
    parse: wholeNumber('fetch-mb', 1, 4096),
  }),
  fetchSeconds: setting({
    flag: 'fetch-seconds',
    env: 'FINTEXT_FETCH_SECONDS',
    about: 'seconds that one answer may take; after a failure that passes it is asked up to three more times',
    fallback: () => 60,
    parse: wholeNumber('fetch-seconds', 1, 3600),
  }),
  fetchGapMs: setting({
    flag: 'fetch-gap-ms',
    env: 'FINTEXT_FETCH_GAP_MS',
    about: 'milliseconds between two requests to one host, which come one after the other',
    fallback: () => 1000,
    parse: wholeNumber('fetch-gap-ms', 0, 600_000),
  }),
  privateAddresses: setting({
    flag: 'private-addresses',
    env: 'FINTEXT_PRIVATE_ADDRESSES',
    about: 'urls that lead to loopback, private or link-local addresses: refuse or allow',
    fallback: () => 'refuse' as 'refuse' | 'allow',
    parse: oneOf('private-addresses', ['refuse', 'allow']),
  }),
  uncertainty: setting({
    flag: 'uncertainty',
    env: 'FINTEXT_UNCERTAINTY',
    about: 'wcb uncertainty: ratio is uncertain / total, net is (uncertain - certain) / total',
    fallback: () => 'ratio' as 'ratio' | 'net',
    parse: oneOf('uncertainty', ['ratio', 'net']),
  }),
  webhook: setting({
    flag: 'webhook',
    env: 'FINTEXT_WEBHOOK',
    about: 'address that gets the record of every run as JSON, be it done or failed',
    fallback: () => '',
    fallbackText: 'none',
    parse: webAddress('webhook'),
  }),
  prometheus: setting({
    flag: 'prometheus',
    env: 'FINTEXT_PROMETHEUS',
    about:
      'file for Prometheus, rewritten after every run (textfile collector of the node exporter); its folder is there',
    fallback: () => '',
    fallbackText: 'none',
    parse: (text) => text,
  }),
  publish: setting({
    flag: 'publish',
    env: 'FINTEXT_PUBLISH',
    about: 's3://bucket/prefix that every published snapshot is brought to as well',
    fallback: () => '',
    fallbackText: 'none',
    parse: storeAddress('publish'),
  }),
  published: setting({
    flag: 'published',
    env: 'FINTEXT_PUBLISHED',
    about: 's3://bucket/prefix of the snapshots that are served or managed, instead of those in the outputs folder',
    fallback: () => '',
    fallbackText: 'none',
    parse: storeAddress('published'),
  }),
  accounts: setting({
    flag: 'accounts',
    env: 'FINTEXT_ACCOUNTS',
    about: 'API keys and their usage: a file, or postgres://… for several hosts',
    fallback: () => 'data/accounts.db',
    parse: someText('accounts'),
  }),
  host: setting({
    flag: 'host',
    env: 'FINTEXT_HOST',
    about: 'address to listen on: 0.0.0.0 for every network that the machine is in',
    fallback: () => '127.0.0.1',
    parse: someText('host'),
  }),
  port: setting({
    flag: 'port',
    env: 'FINTEXT_PORT',
    about: 'port to listen on, 0 for any that is free',
    fallback: () => 8080,
    parse: wholeNumber('port', 0, 65_535),
  }),
  log: setting({
    flag: 'log',
    env: 'FINTEXT_LOG',
    about: 'how progress is told on stderr: auto is text on a terminal, JSON lines elsewhere',
    fallback: () => 'auto' as 'auto' | 'text' | 'json' | 'quiet',
    parse: oneOf('log', ['auto', 'text', 'json', 'quiet']),
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['fallback']> };

/**
 * What the user wrote, on the command line or in the environment, as what the program holds.
 *
 * @param flags values by the setting's name, undefined where the flag was not given
 */
export const readSettings = (
  flags: Readonly<Partial<Record<SettingName, string | undefined>>>,
  environment: Readonly<Record<string, string | undefined>>,
): Settings =>
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, entry]) => {
      const flag = flags[name as SettingName];
      const variable = environment[entry.env];
      if (flag !== undefined) return [name, entry.parse(flag)];
      if (variable !== undefined && variable !== '') return [name, parseVariable(entry, variable)];
      return [name, entry.fallback()];
    }),
  ) as unknown as Settings;

const parseVariable = (entry: Setting<unknown>, text: string): unknown => {
  try {
    return entry.parse(text);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${entry.env}: ${error.message}`);
    throw error;
  }
};

/** What a run publishes hangs on these, and where it is brought: a command that is to publish the same again repeats them. */
export const REPEATED = ['models', 'device', 'variant', 'uncertainty', 'publish'] as const satisfies SettingName[];

type Repeatable = Readonly<Record<(typeof REPEATED)[number], string>>;

/** As they are written on a command line. */
export type Repeated = Partial<Repeatable>;

/**
 * Those of a run that are others than `given`, what a command has of itself. A folder is whole: the next command may be typed
 * elsewhere.
 */
export const findRepeated = (settings: Repeatable, given: Repeatable = readSettings({}, {})): Repeated => {
  const ours = withWholeFolder(settings);
  const others = withWholeFolder(given);
  return Object.fromEntries(REPEATED.filter((name) => ours[name] !== others[name]).map((name) => [name, ours[name]]));
};

const withWholeFolder = (settings: Repeatable): Repeatable => ({ ...settings, models: resolve(settings.models) });
