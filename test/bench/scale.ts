/**
 * What a job costs at sizes that nobody has run, from what was measured at sizes that were; and a simulation of what
 * stragglers, lost nodes and uneven shards do to the step that is most of it. `node dist/test/bench/scale.js`: the same
 * figures every time. `pipeline/SCALE.md` explains them.
 */
import { type Random, seededRandom } from '../support/random.js';

/** Processor seconds of one core for a million sentences of generated documents: `node dist/test/bench/spread.js 20000 100000 200000`. */
export const MEASURED = { read: 86, cut: 15, answer: 113, finalize: 113, bytes: 415e6 } as const;

/** What the simulation supposes. The seconds until a task of a lost node runs elsewhere were measured on Slurm 22.05, three nodes. */
export const SUPPOSED = {
  /** Share of nodes that are slow, and how much slower. */
  slowShare: 0.05,
  slowFactor: 3,
  /** Standard deviation of the logarithm of the other nodes' speed. */
  speedSpread: 0.1,
  /** Of the logarithm of a shard's cost: cut by cost, and cut by number of texts. */
  evenSkew: 0.1,
  unevenSkew: 0.8,
  lossesANodeDay: 0.05,
  restartSeconds: 23,
  /** As the step `cut` has it: eight shards a task, and no shard of more texts than this. */
  shardsATask: 8,
  mostTexts: 32_768,
  runs: 200,
} as const;

const SIZES = [1e6, 1e7, 1e8, 1e9];
const WORKERS = [1, 10, 100, 1000];
/** Of the simulated job, with the share of distinct texts that the generated documents have. */
const SENTENCES = 1e8;
const DISTINCT = 0.875;
/** Bank and year: more tasks than partitions have nothing to read. */
const PARTITIONS = 570;

const write = (text: string): void => void process.stdout.write(`${text}\n`);
/** Rows as a table of Markdown, as `pipeline/SCALE.md` has it. */
const writeTable = (rows: readonly (readonly string[])[]): void => {
  for (const [at, row] of rows.entries()) {
    write(`| ${row.join(' | ')} |`);
    if (at === 0) write(`|${'---|'.repeat(row.length)}`);
  }
};

const duration = (seconds: number): string => {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  if (seconds < 2 * 3600) return `${(seconds / 60).toFixed(0)} min`;
  return seconds < 48 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} days`;
};

/** Seconds of each step with so many workers of one core; `answer` times `weight` for models that cost more. */
const costOf = (sentences: number, workers: number, weight: number) => {
  const millions = sentences / 1e6;
  const read = (MEASURED.read * millions) / Math.min(workers, PARTITIONS);
  const answer = (MEASURED.answer * weight * millions) / workers;
  const [cut, finalize] = [MEASURED.cut * millions, MEASURED.finalize * millions];
  return { read, cut, answer, finalize, all: read + cut + answer + finalize };
};

const onPaper = (weight: number): void => {
  const rows: (readonly string[])[] = [
    ['sentences', 'workers', 'read', 'cut', 'answer', 'finalize', 'all', 'of it on one machine'],
  ];
  for (const sentences of SIZES) {
    for (const workers of WORKERS) {
      const { read, cut, answer, finalize, all } = costOf(sentences, workers, weight);
      const alone = `${(((cut + finalize) / all) * 100).toFixed(0)} %`;
      rows.push([
        sentences.toLocaleString('en'),
        String(workers),
        ...[read, cut, answer, finalize, all].map(duration),
        alone,
      ]);
    }
  }
  writeTable(rows);
};

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

interface Weather {
  readonly slowShare: number;
  readonly lossesANodeDay: number;
  readonly skew: number;
}

interface Simulated {
  /** Seconds, in units of what the work would take on so many equal nodes. */
  readonly makespan: number;
  /** Work that was begun and lost, as a share of all. */
  readonly twice: number;
}

/**
 * One job of `workers` tasks. `dealt`: each task has its shards from the beginning, as it is built. `claimed`: whoever is
 * free takes the next, which is not built and shown beside it.
 */
export const simulate = (
  { workers, seconds, how }: { readonly workers: number; readonly seconds: number; readonly how: 'dealt' | 'claimed' },
  { slowShare, lossesANodeDay, skew }: Weather,
  random: Random,
): Simulated => {
  const count = Math.max(workers * SUPPOSED.shardsATask, Math.ceil((SENTENCES * DISTINCT) / SUPPOSED.mostTexts));
  const shards = Array.from({ length: count }, () => Math.exp(normal(random) * skew));
  const sum = shards.reduce((all, one) => all + one, 0);
  const costs = shards.map((one) => (one / sum) * seconds);
  const speed = (): number =>
    random.next() < slowShare ? 1 / SUPPOSED.slowFactor : Math.exp(normal(random) * SUPPOSED.speedSpread);
  const lossRate = lossesANodeDay / 86_400;
  const nodes = Array.from({ length: workers }, () => ({ clock: 0, speed: speed() }));
  let lost = 0;
  const run = (node: { clock: number; speed: number }, cost: number): void => {
    for (;;) {
      const needs = cost / node.speed;
      const until = lossRate === 0 ? Number.POSITIVE_INFINITY : -Math.log(1 - random.next()) / lossRate;
      if (until >= needs) {
        node.clock += needs;
        return;
      }
      lost += until * node.speed;
      node.clock += until + SUPPOSED.restartSeconds;
      node.speed = speed();
    }
  };
  for (const [at, cost] of costs.entries()) {
    const dealt = nodes[at % workers];
    const free = nodes.reduce((best, node) => (node.clock < best.clock ? node : best));
    run(how === 'dealt' && dealt !== undefined ? dealt : free, cost);
  }
  return { makespan: Math.max(...nodes.map(({ clock }) => clock)) / (seconds / workers), twice: lost / seconds };
};

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const inWeather = (weight: number): void => {
  const { slowShare, lossesANodeDay, evenSkew, unevenSkew } = SUPPOSED;
  const weathers: readonly (readonly [string, Weather])[] = [
    ['nothing', { slowShare: 0, lossesANodeDay: 0, skew: evenSkew }],
    ['stragglers', { slowShare, lossesANodeDay: 0, skew: evenSkew }],
    ['lost nodes', { slowShare: 0, lossesANodeDay, skew: evenSkew }],
    ['uneven shards', { slowShare: 0, lossesANodeDay: 0, skew: unevenSkew }],
    ['all of it', { slowShare, lossesANodeDay, skew: unevenSkew }],
  ];
  const rows: (readonly string[])[] = [
    ['workers', 'what happens', 'dealt', '95 of 100', 'claimed', '95 of 100', 'done twice'],
  ];
  const seconds = (MEASURED.answer * weight * SENTENCES) / 1e6;
  for (const workers of WORKERS.filter((count) => count > 1)) {
    for (const [name, weather] of weathers) {
      const run = (how: 'dealt' | 'claimed'): readonly Simulated[] =>
        Array.from({ length: workers >= 1000 ? SUPPOSED.runs / 10 : SUPPOSED.runs }, (_, seed) =>
          simulate({ workers, seconds, how }, weather, seededRandom(seed + 1)),
        );
      const [dealt, claimed] = [run('dealt'), run('claimed')];
      const shown = (all: readonly Simulated[]): readonly string[] =>
        [0.5, 0.95].map((share) =>
          quantile(
            all.map(({ makespan }) => makespan),
            share,
          ).toFixed(2),
        );
      const twice = dealt.reduce((all, one) => all + one.twice, 0) / dealt.length;
      rows.push([String(workers), name, ...shown(dealt), ...shown(claimed), `${(twice * 100).toFixed(2)} %`]);
    }
  }
  writeTable(rows);
};

/** Models that cost so many times what the bundled ones do: supposed, for nobody measured others here. */
const HEAVY = 100;

write('The bundled models, on one core each:');
onPaper(1);
write(`\nModels that cost ${HEAVY} times as much:`);
onPaper(HEAVY);
write(
  `\nMakespan of answering 100,000,000 sentences with models that cost ${HEAVY} times as much, 1 being even work on equal nodes:`,
);
inWeather(HEAVY);
write(`\nThe outputs of 100,000,000 sentences: ${((MEASURED.bytes * 100) / 2 ** 30).toFixed(0)} GiB.`);
