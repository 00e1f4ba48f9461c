/** One stage of a run: which of its units are stale, and making those. */
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { RunEvent, StageReport } from '../events.js';
import { type Ingredients, type Stage, stageIngredient, WHOLE, type World } from '../stage.js';
import type { Executor } from './executors/executor.js';
import { checkUnit, type Freshness, makeUnit } from './units.js';
import type { OpenWorld } from './world.js';

export interface CheckedUnit {
  readonly partition: string;
  readonly folder: string;
  readonly ingredients: Ingredients;
  readonly freshness: Freshness;
}

/** The partitions that a stage has a unit for. */
export const partitionsOf = (stage: Stage, world: World): readonly string[] =>
  stage.scope === 'dataset' ? [WHOLE] : world.partitions;

/** Compares every unit of a stage with what it was made of. The stages before it must have their outputs. */
export const checkUnits = async (
  stage: Stage,
  world: World,
  partitions: readonly string[],
  forced: ReadonlySet<string>,
): Promise<readonly CheckedUnit[]> => {
  const queue = new PQueue({ concurrency: 8 });
  // Who redoes a part changes nothing of the rest, not even for the better.
  const how = { hash: world.hash, asItIs: world.redoDocuments !== undefined };
  return Promise.all(
    partitions.map((partition) =>
      queue.add(async (): Promise<CheckedUnit> => {
        const folder = world.outputs.unit(world.dataset.id, stage.name, partition);
        const ingredients = { ...stageIngredient(stage), ...(await stage.ingredients(partition, world)) };
        const freshness = forced.has(partition) ? ASKED_FOR : await checkUnit(folder, ingredients, how);
        const fault = freshness.state === 'fresh' ? await stage.findFault?.(partition, world) : undefined;
        return {
          partition,
          folder,
          ingredients,
          freshness: fault === undefined ? freshness : { state: 'stale', why: fault },
        };
      }),
    ),
  );
};

const ASKED_FOR: Freshness = { state: 'stale', why: 'asked for' };

/** Makes what is stale. Afterwards every unit of the stage has its output. */
export const runStage = async (
  stage: Stage,
  { world, setOutput }: OpenWorld,
  executor: Executor,
  forced: ReadonlySet<string>,
): Promise<StageReport> => {
  const { dataset, log, now, signal } = world;
  const began = now().getTime();
  const units = await checkUnits(stage, world, partitionsOf(stage, world), forced);
  const fresh: Readonly<Record<string, number>>[] = [];
  const made: Readonly<Record<string, number>>[] = [];
  const stale: CheckedUnit[] = [];
  for (const unit of units) {
    if (unit.freshness.state === 'stale') stale.push(unit);
    else {
      setOutput(stage.name, unit.partition, unit.freshness.output);
      fresh.push(unit.freshness.output.amounts);
    }
  }
  log({ type: 'stage-started', dataset: dataset.id, stage: stage.name, units: units.length, stale: stale.length });

  const facts =
    stale.length === 0 ? {} : await makeStale(stage, world, executor, stale, setOutput, (more) => made.push(more));
  const report: StageReport = {
    stage: stage.name,
    units: units.length,
    stale: stale.length,
    seconds: (now().getTime() - began) / 1000,
    amounts: sumOf([...fresh, ...made]),
    made: sumOf(made),
    facts,
  };
  signal.throwIfAborted();
  log({ type: 'stage-done', dataset: dataset.id, stage: stage.name, report });
  return report;
};

const sumOf = (all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const [name, value] of all.flatMap((amounts) => Object.entries(amounts))) sums[name] = (sums[name] ?? 0) + value;
  return sums;
};

const makeStale = async (
  stage: Stage,
  world: World,
  executor: Executor,
  stale: readonly CheckedUnit[],
  setOutput: OpenWorld['setOutput'],
  add: (more: Readonly<Record<string, number>>) => unknown,
): Promise<Readonly<Record<string, string>>> => {
  const { dataset, log, signal } = world;
  const byPartition = new Map(stale.map((unit) => [unit.partition, unit]));
  const partitions = [...byPartition.keys()];
  const open = await stage.open(partitions, world);
  let done = 0;
  try {
    await executor.runAll(
      partitions,
      open,
      async (partition) => {
        const unit = byPartition.get(partition);
        if (unit === undefined) throw new Error(`The partition ${partition} is not stale.`);
        const output = await makeUnit({
          folder: unit.folder,
          beside: join(world.outputs.work(dataset.id), stage.name),
          ingredients: unit.ingredients,
          make: (folder) => open.run(partition, folder),
        });
        setOutput(stage.name, partition, output);
        add(output.amounts);
        done += 1;
        const progress: RunEvent = {
          type: 'progress',
          dataset: dataset.id,
          stage: stage.name,
          what: 'partitions',
          done,
          total: partitions.length,
        };
        log(progress);
      },
      signal,
    );
  } catch (error) {
    // What closing says after a failure is its consequence.
    await open.close().catch(() => undefined);
    throw error;
  }
  const { amounts, facts } = await open.close();
  add(amounts ?? {});
  return facts ?? {};
};
