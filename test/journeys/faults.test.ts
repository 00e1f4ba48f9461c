/**
 * Runs that are killed, or told by the system that something cannot be written, at chosen places: the n-th change of a file
 * below the outputs folder. `npm test` takes a few places evenly spread; FINTEXT_FAULTS=200 takes that many seeded ones of
 * each kind.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildInjector, type Effect, type Fault, type Injector } from '../support/faults/faults.js';
import { copyOutputs, findServed, listTree, openSmall, rebuildSmall, type Small } from '../support/faults/rig.js';
import type { Ended } from '../support/fintext.js';
import { seededRandom } from '../support/random.js';

const ASKED = Number(process.env.FINTEXT_FAULTS ?? 0);
const FEW = 12;

const small: Small = await openSmall();
const injector = buildInjector(small.folder);
afterAll(() => small.close());

/** A night without a fault: what it changes, and what it ends in. */
interface Night {
  readonly name: string;
  readonly input: string;
  /** What the outputs folder is copied from; without it the night begins with nothing. */
  readonly before: string | undefined;
  readonly changes: number;
  readonly ids: readonly (string | undefined)[];
  readonly tree: readonly string[];
}

const observe = async (
  { env, changes }: Injector,
  name: string,
  input: string,
  before: Night | undefined,
): Promise<Night> => {
  const outputs = join(small.folder, `undisturbed-${name}`);
  const log = join(small.folder, `${name}.log`);
  const start = before === undefined ? undefined : join(small.folder, `undisturbed-${before.name}`);
  if (start !== undefined) await copyOutputs(start, outputs);
  const ended = await rebuildSmall(input, outputs, { env: env(outputs, log) });
  if (ended.code !== 0) throw new Error(`The undisturbed run ended with ${ended.code}: ${ended.stderr}`);
  const { id } = await findServed(outputs);
  return {
    name,
    input,
    before: start,
    changes: (await changes(outputs, log)).length,
    ids: [before?.ids.at(-1), id],
    tree: await listTree(outputs),
  };
};

/** One faulty run and the run after it; what does not hold, a line each. */
const suffer = async (injector: Injector, night: Night, fault: Fault, place: string): Promise<readonly string[]> => {
  const outputs = join(small.folder, place);
  const log = `${outputs}.log`;
  const wrong: string[] = [];
  try {
    if (night.before !== undefined) await copyOutputs(night.before, outputs);
    const ended = await rebuildSmall(night.input, outputs, { env: injector.env(outputs, log, fault) });
    const [hit] = await injector.changes(outputs, log);
    wrong.push(...faultsOfEnd(ended, fault, hit, outputs));
    const served = await findServed(outputs);
    if (!night.ids.includes(served.id)) wrong.push(`the pointer names ${served.id}`);
    wrong.push(...served.faults);

    const again = await rebuildSmall(night.input, outputs);
    if (again.code !== 0) wrong.push(`the run after it ended with ${again.code}: ${again.stderr}`);
    const after = await findServed(outputs);
    if (after.id !== night.ids.at(-1)) wrong.push(`the run after it ended in ${after.id}`);
    wrong.push(...after.faults, ...differences(night.tree, await listTree(outputs)));
    return wrong.map((line) => `${night.name}, ${fault.effect} at ${fault.at} (${hit ?? 'not reached'}): ${line}`);
  } finally {
    await rm(outputs, { recursive: true, force: true });
  }
};

const faultsOfEnd = (
  { code, signal, stderr }: Ended,
  { effect }: Fault,
  hit: string | undefined,
  outputs: string,
): readonly string[] => {
  // Threads do not always make as many changes.
  if (hit === undefined) return code === 0 ? [] : [`ended with ${code}, and no fault: ${stderr}`];
  if (effect === 'kill') return signal === 'SIGKILL' ? [] : [`was not killed: ${code}`];
  // A record that cannot be written is a note, and fails no run: nor what files look like: it may have been that or something else here.
  if (code === 0 && /\bwork\/wcb(\/(runs|last-run|looks)\b.*)?$/.test(hit)) return [];
  const lines = stderr.trim().split('\n');
  const [said = ''] = lines;
  return [
    ...(code === 1 ? [] : [`ended with ${code ?? signal}`]),
    ...(lines.length === 1 && said.startsWith('fintext: ') ? [] : [`says more or less than a line: ${stderr}`]),
    ...(said.includes(outputs) ? [] : [`does not say where: ${stderr}`]),
    ...(/should not happen|\b(SELECT|COPY|INSERT|CREATE|FROM)\b/.test(stderr) ? [`says it badly: ${stderr}`] : []),
    ...(effect === 'ENOSPC' && !said.includes('free some space') ? [`does not say what to do: ${stderr}`] : []),
  ];
};

const differences = (expected: readonly string[], found: readonly string[]): readonly string[] => [
  ...found.filter((path) => !expected.includes(path)).map((path) => `left ${path}`),
  ...expected.filter((path) => !found.includes(path)).map((path) => `lacks ${path}`),
];

const placesIn = (nights: readonly Night[]): readonly (readonly [Night, Fault])[] => {
  const effects: readonly Effect[] = ['kill', 'ENOSPC', 'EIO'];
  if (ASKED === 0) {
    return Array.from({ length: FEW }, (_none, at) => {
      const night = nights[at % nights.length] ?? never();
      const place = { at: 1 + Math.floor(((at + 0.5) / FEW) * night.changes), effect: effects[at % 3] ?? never() };
      return [night, place] as const;
    });
  }
  const random = seededRandom(6);
  return Array.from({ length: 2 * ASKED }, (_none, at) => {
    const night = random.of(nights);
    const effect = at < ASKED ? 'kill' : random.of(['ENOSPC', 'EIO'] as const);
    return [night, { at: 1 + random.below(night.changes), effect }] as const;
  });
};

const never = (): never => {
  throw new RangeError('There is always one.');
};

describe.skipIf(typeof injector === 'string')(
  `a run with a fault${typeof injector === 'string' ? ` (${injector})` : ''}`,
  () => {
    let nights: readonly Night[] = [];
    beforeAll(async () => {
      if (typeof injector === 'string') return;
      const first = await observe(injector, 'first', small.nights[0], undefined);
      nights = [first, await observe(injector, 'second', small.nights[1], first)];
    });

    it(
      'says so in a line, publishes nothing half, and is made good by the next run',
      async () => {
        if (typeof injector === 'string') return;
        const queue = new PQueue({ concurrency: 2 });
        const found = await queue.addAll(
          placesIn(nights).map(
            ([night, fault], at) =>
              () =>
                suffer(injector, night, fault, `place-${at}`),
          ),
        );
        expect(found.flat()).toEqual([]);
      },
      ASKED === 0 ? 400_000 : 4 * 3600_000,
    );
  },
);
