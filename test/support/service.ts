/** A service of its own for tests: snapshots that were made for it, accounts in memory, a clock, models that need no file. */
import { join } from 'node:path';
import { DuckDBInstance } from 'duckdb';
import { pino } from 'pino';
import type { DatasetId } from '../../data/catalog.js';
import { MODELS, type ModelId } from '../../models/catalog.js';
import type { Accounts, NewAccount } from '../../src/accounts/accounts.js';
import { openAccounts } from '../../src/accounts/open.js';
import type { Classifier, Predictions } from '../../src/inference/pool.js';
import { type Outputs, outputsIn } from '../../src/outputs.js';
import { buildServer, type Server, type ServerOptions } from '../../src/serve/server.js';

export interface Running {
  readonly server: Server;
  readonly address: string;
  readonly accounts: Accounts;
  readonly outputs: Outputs;
  /** A key with a quota that no test spends. */
  readonly key: string;
  readonly newKey: (account?: Partial<NewAccount>) => Promise<string>;
  /** What was logged, one object a line. */
  readonly lines: readonly Record<string, unknown>[];
  /** A request with the key; more headers, or others. */
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  readonly post: (path: string, body: unknown, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

export const NOW = new Date('2026-03-10T12:00:00Z');

export const startService = async (folder: string, options: Partial<ServerOptions> = {}): Promise<Running> => {
  const outputs = options.outputs ?? outputsIn(join(folder, 'outputs'));
  const accounts = options.accounts ?? (await openAccounts(':memory:'));
  const lines: Record<string, unknown>[] = [];
  const now = options.now ?? (() => NOW);
  const server = await buildServer({
    outputs,
    accounts,
    openClassifier: async () => fakeClassifier(),
    logger: pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    scratch: join(folder, 'scratch'),
    version: '0.0.0-test',
    now,
    snapshots: { pollMs: 25 },
    ...options,
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const newKey = async (account: Partial<NewAccount> = {}): Promise<string> => {
    const made = await accounts.create(
      { email: 'someone@example.org', tier: 'enterprise', monthlyLimit: 1_000_000_000, ...account },
      now(),
    );
    return made.key;
  };
  const key = await newKey();
  return {
    server,
    address,
    accounts,
    outputs,
    key,
    newKey,
    lines,
    get: (path, headers = {}) => fetch(`${address}${path}`, { headers: { 'x-api-key': key, ...headers } }),
    post: (path, body, headers = {}) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    stop: async () => {
      await server.stop();
      if (options.accounts === undefined) await accounts.close();
    },
  };
};

/** What the fake classifier says of a text: a function of the text alone. */
export const fakeLabel = (model: ModelId, text: string): string => {
  const labels = MODELS.find(({ id }) => id === model)?.labels ?? [];
  let sum = 0;
  for (const character of text) sum += character.codePointAt(0) ?? 0;
  return labels[sum % labels.length] ?? '';
};

export interface FakeClassifier extends Classifier {
  /** How many texts each call had. */
  readonly calls: number[];
}

export const fakeClassifier = (
  answer: (texts: readonly string[]) => Promise<void> = async () => undefined,
): FakeClassifier => {
  const calls: number[] = [];
  return {
    calls,
    report: {
      provider: 'cpu',
      requested: 'auto',
      tried: [],
      onnxruntime: '0',
      threads: 1,
      variants: new Map(),
      workers: 1,
    },
    models: new Map(),
    classify: async (models, texts) => {
      calls.push(texts.length);
      await answer(texts);
      return new Map(
        models.map((model): [ModelId, Predictions] => [
          model,
          {
            labels: texts.map((text) => fakeLabel(model, text)),
            scores: Float32Array.from(texts, () => 0.75),
            truncated: Uint8Array.from(texts, (text) => (text.length > 1000 ? 1 : 0)),
          },
        ]),
      );
    },
    close: async () => undefined,
  };
};

/** A second look at a snapshot, by SQL written apart from the service's. */
export const openOracle = async (outputs: Outputs, dataset: DatasetId, id: string) => {
  const file = join(outputs.snapshot(dataset, id), `${dataset}.duckdb`);
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' });
  const connection = await instance.connect();
  return {
    rows: async (sql: string): Promise<Record<string, string | number | null>[]> =>
      (await connection.runAndReadAll(sql))
        .getRowObjects()
        .map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value === null || typeof value === 'number' || typeof value === 'string'
                ? value
                : typeof value === 'bigint'
                  ? Number(value)
                  : String(value),
            ]),
          ),
        ),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};
