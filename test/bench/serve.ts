/**
 * The service under load: many connections, most asking for pages of 1,000 documents, the rest for summaries, with varied
 * filters. Beside it, in the same run, others that answer the same requests: the floor, a bare node:http that sends as many
 * bytes; what somebody would write in an afternoon, DuckDB and JSON.stringify; and json-server, which serves tables with
 * filters and pages and is taken as it comes. It has no summaries, so it is asked for lists alone, and so is the service
 * once more; nor can it choose columns, so it sends all where three are asked for. It is no dependency:
 *
 * npm install --prefix /somewhere/else json-server@0.17.4
 * node dist/test/bench/serve.js --earnings 300000 --wcb 15000 --connections 64 --seconds 60 --json-server /somewhere/else
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from 'duckdb';
import { CENTRAL_BANKS } from '../../data/catalog.js';
import { metricsOf } from '../../pipeline/4-aggregate/metrics.js';
import { openAccounts } from '../../src/accounts/open.js';
import { outputsIn } from '../../src/outputs.js';
import { entryPoint } from '../../src/package-root.js';
import { findCurrent } from '../../src/snapshot/snapshots.js';
import { publish } from '../support/published.js';

const { values } = parseArgs({
  options: {
    earnings: { type: 'string', default: '300000' },
    wcb: { type: 'string', default: '15000' },
    connections: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
    slow: { type: 'string', default: '16' },
    /** The folder that json-server was installed into. */
    'json-server': { type: 'string' },
    /** Started by this file itself: another server. */
    server: { type: 'string' },
    folder: { type: 'string' },
  },
});

type Kind = 'documents' | 'summary';
interface Question {
  readonly kind: Kind;
  readonly path: string;
}

const random = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

/** 70 of 100 for documents, 30 for summaries; one in six of wcb. */
const makeQuestions = (count: number, earnings: number): readonly Question[] => {
  const draw = random(7);
  const pick = <T>(from: readonly T[]): T => from[draw(from.length)] as T;
  const tickers = Math.max(3, Math.round(earnings / 60));
  const ticker = (): string => `T${String(draw(tickers)).padStart(4, '0')}`;
  const names = metricsOf('earnings', { uncertainty: 'ratio' }).map(({ name }) => name);
  return Array.from({ length: count }, () => {
    const kind: Kind = draw(10) < 7 ? 'documents' : 'summary';
    const dataset = draw(6) === 0 ? 'wcb' : 'earnings';
    const filter = new URLSearchParams();
    const year = String(dataset === 'wcb' ? 1996 + draw(29) : 2008 + draw(15));
    const shape = draw(6);
    if (shape === 1 || shape === 2) filter.set('year', year);
    if (dataset === 'wcb') {
      if (shape === 3 || shape === 4) filter.set('bank_name', pick(CENTRAL_BANKS));
    } else {
      if (shape === 2) filter.set('quarter', String(1 + draw(4)));
      if (shape === 3) filter.set('ticker', ticker());
      if (shape === 4) filter.set('metric', [pick(names), pick(names), pick(names)].join(','));
    }
    if (shape === 5) {
      filter.set('start_date', `${year}-0${1 + draw(9)}-01`);
      filter.set('end_date', `${Number(year) + 1}-0${1 + draw(9)}-15`);
    }
    if (kind === 'documents') {
      filter.set('limit', '1000');
      if (shape === 0) filter.set('offset', String(draw(Number(dataset === 'wcb' ? values.wcb : values.earnings))));
    }
    return { kind, path: `/v1/metrics/${dataset}/${kind}?${filter}` };
  });
};

interface Result {
  readonly seconds: number;
  readonly bytes: number;
  readonly failed: number;
  /** Seconds of processor time that the server took: what a busy machine does not change. */
  readonly processor: number;
  readonly times: Readonly<Record<Kind, number[]>>;
}

const load = async (
  { address, pid }: { readonly address: string; readonly pid: number },
  key: string,
  questions: readonly Question[],
  seconds: number,
): Promise<Result> => {
  const before = processorSeconds(pid);
  const connections = Number(values.connections);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: Record<Kind, number[]> = { documents: [], summary: [] };
  let [bytes, failed, next] = [0, 0, 0];
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      const question = questions[next % questions.length];
      next += 1;
      if (question === undefined) return;
      const asked = performance.now();
      const { status, length } = await ask(agent, `${address}${question.path}`, key);
      times[question.kind].push(performance.now() - asked);
      bytes += length;
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  const processor = processorSeconds(pid) - before;
  return { seconds: (performance.now() - started) / 1000, bytes, failed, processor, times };
};

interface Asked {
  readonly status: number;
  readonly length: number;
  /** Rows that meet the filters, where the server says. */
  readonly total: string;
}

const ask = (agent: Agent, address: string, key: string): Promise<Asked> =>
  new Promise((resolve, reject) => {
    get(address, { agent, headers: { 'x-api-key': key } }, (response) => {
      let length = 0;
      response.on('data', (piece: Buffer) => {
        length += piece.length;
      });
      const total = String(response.headers['x-total-count']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, length, total }));
      response.on('error', reject);
    }).on('error', reject);
  });

const percentile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

const show = (name: string, { seconds, bytes, failed, processor, times }: Result): string => {
  const requests = times.documents.length + times.summary.length;
  const asked = (['documents', 'summary'] as const).filter((kind) => times[kind].length > 0);
  const of = (kind: Kind): string =>
    `${kind} p50 ${percentile(times[kind], 0.5).toFixed(0)} ms, p99 ${percentile(times[kind], 0.99).toFixed(0)} ms`;
  return `${name.padEnd(24)} ${(requests / seconds).toFixed(0).padStart(6)} requests/s ${(bytes / seconds / 1e6).toFixed(0).padStart(6)} MB/s ${((processor / requests) * 1000).toFixed(1).padStart(6)} ms of processor a request  ${asked.map(of).join('; ')}; ${failed} failed`;
};

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });

const start = async (args: readonly string[]): Promise<{ address: string; pid: number; stop: () => Promise<void> }> => {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await firstLine(child);
  return {
    address,
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
};

/** User and system time, in hundredths of a second in the fields after the name of the process. */
const processorSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Reads a large CSV page a little at a time, all at once; the most memory that the server took. */
const readSlowly = async (address: string, key: string, pid: number): Promise<number> => {
  const agent = new Agent({ maxSockets: 1000 });
  let most = residentMb(pid);
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 50);
  await Promise.all(
    Array.from(
      { length: Number(values.slow) },
      (_, at) =>
        new Promise<void>((resolve, reject) => {
          const path = `/v1/metrics/earnings/documents?limit=10000&format=csv&offset=${at * 1000}`;
          get(`${address}${path}`, { agent, headers: { 'x-api-key': key } }, (response) => {
            response.on('data', () => {
              response.pause();
              setTimeout(() => response.resume(), 10);
            });
            response.on('end', resolve);
            response.on('error', reject);
          }).on('error', reject);
        }),
    ),
  );
  clearInterval(watch);
  return most;
};

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'fintext-bench-serve-'));
  const seconds = Number(values.seconds);
  try {
    const outputs = outputsIn(join(folder, 'outputs'));
    const sizes = { earnings: Number(values.earnings), wcb: Number(values.wcb) };
    for (const dataset of ['wcb', 'earnings'] as const)
      await publish({ outputs, dataset, documents: sizes[dataset], seed: 1, counts: 'drawn' });
    const database = join(folder, 'accounts.db');
    const accounts = await openAccounts(database);
    const { key } = await accounts.create(
      { email: 'bench@example.org', tier: 'enterprise', monthlyLimit: 1_000_000_000 },
      new Date(),
    );
    await accounts.close();
    const questions = makeQuestions(5000, sizes.earnings);

    const opening = performance.now();
    const service = await start([
      entryPoint('src/cli/fintext'),
      ...['serve', '--port', '0', '--outputs', outputs.folder, '--accounts', database, '--log', 'quiet'],
    ]);
    say(
      `opened in ${((performance.now() - opening) / 1000).toFixed(1)} s, ${residentMb(service.pid).toFixed(0)} MB resident`,
    );
    const lengths: Record<string, number> = {};
    const totals: Record<string, string> = {};
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    for (const { path, kind } of questions.slice(0, 600)) {
      const { length, total } = await ask(agent, `${service.address}${path}`, key);
      lengths[path] = length;
      if (kind === 'documents') totals[path] = total;
    }
    writeFileSync(join(folder, 'lengths.json'), JSON.stringify(lengths));
    say(show('fintext serve', await load(service, key, questions, seconds)));
    say(`resident after the load  ${residentMb(service.pid).toFixed(0)} MB`);
    const most = await readSlowly(service.address, key, service.pid);
    say(`${values.slow} slow readers of 10,000 rows as CSV: at most ${most.toFixed(0)} MB resident`);
    const lists = questions.filter(({ kind }) => kind === 'documents');
    say(show('fintext serve, lists', await load(service, key, lists, Math.min(seconds, 20))));
    await service.stop();

    for (const [name, server] of [
      ['floor: bare node:http', 'floor'],
      ['DuckDB + JSON.stringify', 'plain'],
    ] as const) {
      const other = await start([fileURLToPath(import.meta.url), '--server', server, '--folder', folder]);
      try {
        const known = questions.filter(({ path }) => path in lengths);
        say(show(name, await load(other, key, known, Math.min(seconds, 20))));
      } finally {
        await other.stop();
      }
    }

    const found = values['json-server'] ?? '';
    if (!existsSync(join(found, 'node_modules', 'json-server')) || found === '') {
      say(
        'json-server, lists       left out: it is not in the folder of --json-server; how to get it: test/bench/serve.ts',
      );
      return;
    }
    const tables = await start([
      '--max-old-space-size=8192',
      fileURLToPath(import.meta.url),
      ...['--server', 'tables', '--folder', folder, '--json-server', found],
    ]);
    try {
      for (const [path, total] of Object.entries(totals).slice(0, 50)) {
        const answer = await ask(agent, `${tables.address}${toTablePath(path)}`, key);
        if (answer.total !== total) throw new Error(`${path} has ${total} rows, and ${answer.total} by json-server.`);
      }
      const questions = lists.map(({ kind, path }) => ({ kind, path: toTablePath(path) }));
      say(show('json-server, lists', await load(tables, key, questions, Math.min(seconds, 20))));
    } finally {
      await tables.stop();
      agent.destroy();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Sends as many bytes as the service did, and does nothing else. */
const serveFloor = async (folder: string): Promise<void> => {
  const lengths = JSON.parse(readFileSync(join(folder, 'lengths.json'), 'utf8')) as Record<string, number>;
  const bytes = Buffer.alloc(Math.max(...Object.values(lengths)), 'x');
  listen((url, answer) => answer(bytes.subarray(0, lengths[url] ?? 0)));
};

/** One query a request, rows as objects, one string. */
const servePlain = async (folder: string): Promise<void> => {
  const outputs = outputsIn(join(folder, 'outputs'));
  const connections = new Map<string, Awaited<ReturnType<DuckDBInstance['connect']>>>();
  for (const dataset of ['wcb', 'earnings'] as const) {
    const id = (await findCurrent(outputs, dataset)) ?? '';
    const file = join(outputs.snapshot(dataset, id), `${dataset}.duckdb`);
    const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
    connections.set(dataset, await instance.connect());
  }
  listen((address, answer) => {
    const url = new URL(address, 'http://x');
    const [, , , dataset = '', kind] = url.pathname.split('/');
    const query = url.searchParams;
    const names =
      query.get('metric')?.split(',') ??
      metricsOf(dataset === 'wcb' ? 'wcb' : 'earnings', { uncertainty: 'ratio' }).map(({ name }) => name);
    const where = ['year', 'quarter', 'ticker', 'bank_name']
      .filter((name) => query.has(name))
      .map((name) => `CAST(${name} AS VARCHAR) = '${query.get(name)}'`);
    if (query.has('start_date')) where.push(`date BETWEEN '${query.get('start_date')}' AND '${query.get('end_date')}'`);
    const from = `FROM documents ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`;
    const sql =
      kind === 'summary'
        ? `SELECT ${names.map((name) => `avg(${name}), min(${name}), max(${name}), count(${name})`).join(', ')} ${from}`
        : `SELECT document_id, date, year, ${names.join(', ')} ${from} ORDER BY date, document_id LIMIT 1000 OFFSET ${query.get('offset') ?? 0}`;
    void connections
      .get(dataset)
      ?.runAndReadAll(sql)
      .then((result) => answer(Buffer.from(JSON.stringify(result.getRowObjectsJson()))));
  });
};

/** A question in json-server's words; its rows lie in the order of the listing. */
const toTablePath = (path: string): string => {
  const url = new URL(path, 'http://x');
  const query = new URLSearchParams({ _start: '0', _limit: '1000' });
  const names: Readonly<Record<string, string>> = {
    offset: '_start',
    limit: '_limit',
    start_date: 'date_gte',
    end_date: 'date_lte',
  };
  for (const [name, value] of url.searchParams) if (name !== 'metric') query.set(names[name] ?? name, value);
  return `/${url.pathname.split('/')[3]}?${query}`;
};

/** What is used of json-server, which has no types. */
interface JsonServer {
  readonly create: () => RequestListener & { readonly use: (...handlers: readonly unknown[]) => void };
  readonly defaults: (options: { readonly logger: boolean; readonly readOnly: boolean }) => readonly unknown[];
  readonly router: (tables: Readonly<Record<string, readonly unknown[]>>) => unknown;
}

const serveTables = async (folder: string, installed: string): Promise<void> => {
  const outputs = outputsIn(join(folder, 'outputs'));
  const tables: Record<string, readonly unknown[]> = {};
  for (const dataset of ['wcb', 'earnings'] as const) {
    const id = (await findCurrent(outputs, dataset)) ?? '';
    const instance = await DuckDBInstance.create(join(outputs.snapshot(dataset, id), `${dataset}.duckdb`), {
      access_mode: 'READ_ONLY',
    });
    const connection = await instance.connect();
    const sql =
      'SELECT * EXCLUDE (path, file_sha256, text_sha256), document_id AS id FROM documents ORDER BY date NULLS LAST, document_id';
    tables[dataset] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    connection.closeSync();
    instance.closeSync();
  }
  const jsonServer = createRequire(join(installed, 'package.json'))('json-server') as JsonServer;
  const app = jsonServer.create();
  app.use(...jsonServer.defaults({ logger: false, readOnly: true }));
  app.use(jsonServer.router(tables));
  announce(createServer(app));
};

const listen = (respond: (url: string, answer: (body: Buffer) => void) => void): void => {
  const server = createServer((request, response) => {
    respond(request.url ?? '', (body) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  });
  announce(server);
};

const announce = (server: Server): void => {
  // Longer than a busy machine makes a connection wait.
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1', () => say(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  process.on('SIGTERM', () => process.exit(0));
};

if (values.server === 'floor') await serveFloor(values.folder ?? '');
else if (values.server === 'plain') await servePlain(values.folder ?? '');
else if (values.server === 'tables') await serveTables(values.folder ?? '', values['json-server'] ?? '');
else await main();
