import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import type { CommandModule } from 'yargs';
import { MODELS } from '../../../models/catalog.js';
import { openAccounts } from '../../accounts/open.js';
import { codeOf, RunError } from '../../errors.js';
import { describeModels } from '../../inference/models.js';
import { openClassifier } from '../../inference/pool.js';
import { type Outputs, outputsIn } from '../../outputs.js';
import { packageVersion } from '../../package-root.js';
import { type Mirror, openMirror } from '../../serve/mirror.js';
import { buildServer, type Server } from '../../serve/server.js';
import type { Settings } from '../../settings.js';
import { parseStoreAddress } from '../../store/address.js';
import type { ObjectStore } from '../../store/object-store.js';
import { openStore } from '../../store/open.js';
import type { Context } from '../context.js';
import { toLogLine } from '../log-lines.js';
import { settingsOf, withSettings } from '../options.js';

/** `fintext serve`: the API, until SIGTERM or SIGINT. */
export const serve = (context: Context): CommandModule => ({
  command: 'serve',
  describe: 'the API over what is published; prints its address',
  builder: (yargs) =>
    withSettings(
      'host',
      'port',
      'outputs',
      'published',
      'accounts',
      'models',
      'device',
      'variant',
      'workers',
      'log',
    )(yargs)
      .example('$0 serve --port 8080', 'then http://127.0.0.1:8080/docs')
      .example('$0 serve --published s3://bucket/prefix', 'what was brought there by rebuild --publish'),
  handler: async (flags) => {
    const settings = settingsOf(flags);
    context.signal.throwIfAborted();
    const accounts = await openAccounts(settings.accounts);
    const { scratch, rows } = await openScratch();
    const remote = await openRemote(settings, context.signal);
    const logger = openLogger(settings.log, process.stderr);
    try {
      const server = await buildServer({
        outputs: remote?.outputs ?? outputsIn(settings.outputs),
        snapshots: { rows, ...(remote === undefined ? {} : { source: remote.mirror, pollMs: STORE_POLL_MS }) },
        accounts,
        models: describeModels(settings.models),
        openClassifier: () =>
          openClassifier({
            models: MODELS.filter(({ listed }) => listed).map(({ id }) => id),
            modelsFolder: settings.models,
            device: settings.device,
            variant: settings.variant,
            workers: settings.workers,
          }),
        logger,
        scratch,
        version: packageVersion,
        now: context.now,
      });
      try {
        checkRemote(server, remote);
        await context.print(`${await listen(server, settings)}\n`);
        await sayWhatIsMissing(server, settings, logger, context.now());
        // In the background: whoever asks for labels first need not wait for the models.
        void server.service.inference.warm();
        await stopped(context.signal);
      } finally {
        await server.stop();
      }
    } finally {
      remote?.store.close();
      await accounts.close();
      await rm(scratch, { recursive: true, force: true });
    }
  },
});

/**
 * A folder for what answers are made from. Rows of lists are kept on a disk alone, where they cost no memory: where the
 * system's temporary folder lies in memory, below /var/tmp, and where that does too they are not kept.
 */
const openScratch = async (): Promise<{ readonly scratch: string; readonly rows: 'kept' | 'made' }> => {
  for (const folder of [tmpdir(), '/var/tmp']) {
    if (await liesInMemory(folder)) continue;
    const scratch = await mkdtemp(join(folder, 'fintext-serve-')).catch(() => undefined);
    if (scratch !== undefined) return { scratch, rows: 'kept' };
  }
  return { scratch: await mkdtemp(join(tmpdir(), 'fintext-serve-')), rows: 'made' };
};

const liesInMemory = async (folder: string): Promise<boolean> => {
  const found = await statfs(folder).catch(() => undefined);
  return process.platform === 'linux' && found !== undefined && IN_MEMORY.includes(found.type);
};

/** The types of tmpfs and ramfs, of Linux' magic.h. */
const IN_MEMORY: readonly number[] = [0x01021994, 0x858458f6];

/** Milliseconds between questions to a store: each costs a request for each dataset. */
const STORE_POLL_MS = 3000;

interface Remote {
  readonly store: ObjectStore;
  /** Where what is served lies here. */
  readonly outputs: Outputs;
  readonly mirror: Mirror;
}

const openRemote = async (
  { published, outputs: folder }: Settings,
  signal: AbortSignal,
): Promise<Remote | undefined> => {
  if (published === '') return undefined;
  const store = await openStore(parseStoreAddress('published', published), signal);
  const outputs = outputsIn(folder).fetched(store.address);
  return { store, outputs, mirror: await openMirror({ store, outputs, signal }) };
};

/** Whoever starts it should know at once that nothing can be had; what was had before is served meanwhile. */
const checkRemote = ({ service }: Server, remote: Remote | undefined): void => {
  const fault = remote?.mirror.fault();
  if (fault !== undefined && service.snapshots.states().every(({ current }) => current === undefined)) throw fault;
};

/** `auto` is readable lines on a terminal and JSON lines elsewhere. */
const openLogger = (mode: Settings['log'], stderr: NodeJS.WriteStream): Logger => {
  const options = {
    base: null,
    level: mode === 'quiet' ? 'silent' : 'info',
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (mode === 'json' || mode === 'quiet' || (mode === 'auto' && !stderr.isTTY))
    return pino(options, pino.destination({ dest: 2, sync: false }));
  const colours = stderr.isTTY && !process.env.NO_COLOR ? 'with' : 'without';
  return pino(options, { write: (line: string) => stderr.write(toLogLine(line, { colours })) });
};

const listen = async (server: Server, { host, port }: Settings): Promise<string> => {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const hint = HINTS[codeOf(error) ?? ''];
    throw hint === undefined ? error : new RunError(`${host}:${port} ${hint}`, { cause: error });
  }
};

const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: choose another port with --port.',
  EACCES: 'may not be listened on by this user: choose a port above 1023 with --port.',
  EADDRNOTAVAIL: 'is no address of this machine: choose another with --host.',
  ENOTFOUND: 'is no address: choose another with --host.',
};

/** What a new machine lacks, with the command that makes it. */
const sayWhatIsMissing = async (
  { service }: Server,
  { published }: Settings,
  logger: Logger,
  now: Date,
): Promise<void> => {
  if (service.snapshots.states().every(({ current }) => current === undefined)) {
    const next = published === '' ? 'fintext rebuild' : `fintext rebuild --publish ${published}`;
    logger.warn(`Nothing is published yet; the metrics answer 503 until then. Next: ${next}`);
  }
  if (!(await service.accounts.list(now)).some(({ state }) => state === 'active'))
    logger.warn('There is no API key yet. Next: fintext keys create --email name@example.org');
};

const stopped = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
