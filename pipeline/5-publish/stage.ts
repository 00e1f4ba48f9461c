import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, messageOf, RunError } from '../../src/errors.js';
import {
  canonicalJson,
  hashFile,
  hashText,
  makeFolder,
  syncPath,
  temporaryBeside,
  writeFileWhole,
} from '../../src/files.js';
import { rollbackCommand } from '../../src/snapshot/commands.js';
import { findLastMove, findTakenBack, readHistory, serve } from '../../src/snapshot/history.js';
import { MANIFEST_FILE } from '../../src/snapshot/manifest.js';
import { findCurrent, verifySnapshot } from '../../src/snapshot/snapshots.js';
import { together } from '../../src/together.js';
import type { CheckReport } from '../events.js';
import type { Stage, World } from '../stage.js';
import { keptIngredients } from './checks/input.js';
import { type CheckResult, havePartitionsPassed, isBlocking, runChecks } from './checks/run.js';
import { databaseFile } from './database-file.js';
import { describeMaking, describeSnapshot } from './describe.js';
import { inputsKey } from './last.js';
import { findPrevious, writeRecord } from './previous.js';
import { keepFailedReport } from './report/failed-report.js';
import { writeReport } from './report/report.js';
import { openStaged, writeTables } from './staged.js';

/** Tables to a checked snapshot: staged beside, checked, named by its content, and only then pointed to. */
export const publish: Stage = {
  name: 'publish',
  version: '5',
  scope: 'dataset',
  about: 'tables to a checked snapshot',
  // Everything that is in a snapshot's id, and what its checks go by.
  ingredients: async (_partition, world) => ({
    ...Object.fromEntries(
      world.partitions.map((source) => [
        `partition ${source}`,
        hashText(
          canonicalJson([
            world.output('ingest', source).files,
            world.output('segment', source).files,
            world.output('classify', source).files,
            world.output('aggregate', source).files,
          ]),
        ),
      ]),
    ),
    rejects: hashText(canonicalJson(world.listingRejects)),
    formulas: hashText(canonicalJson(describeMaking(world).formulas)),
    ...Object.fromEntries(world.fingerprints.map(({ model, fingerprint }) => [`model ${model}`, fingerprint])),
    checks: hashText(canonicalJson([world.settings.maxRejects, world.settings.maxDropped])),
    'input folders': inputsKey(world),
  }),
  findFault: async (_partition, world) => findPublishedFault(world),
  open: async (_partitions, world) => {
    const facts: Record<string, string> = {};
    return {
      concurrency: 1,
      run: async (_partition, folder) => {
        const published = await publishSnapshot(world, folder);
        facts.snapshot = published.id;
        const { files, hashes, amounts } = published;
        return { files, hashes, amounts };
      },
      close: async () => ({ facts }),
    };
  },
};

/** A snapshot that was damaged or deleted since is made again; one that somebody rolled back to goes on serving. */
const findPublishedFault = async ({ outputs, dataset, hash }: World): Promise<string | undefined> => {
  try {
    const current = await findCurrent(outputs, dataset.id);
    if (current === undefined) return 'no snapshot is pointed to';
    const [fault] = await verifySnapshot(outputs, dataset.id, current, hash);
    return fault === undefined ? undefined : `snapshot ${current}: ${fault}`;
  } catch (error) {
    return messageOf(error);
  }
};

const toReport = ({ rows: [first], ...check }: CheckResult): CheckReport => ({
  ...check,
  ...(first === undefined ? {} : { first }),
});

/** What a killed run left: the lock is ours, so nobody writes there now. */
const removeLeftovers = async (snapshots: string): Promise<void> => {
  for (const name of await readdir(snapshots)) {
    if (/^(staging|damaged-[0-9a-f]{16})\..*\.tmp$/.test(name)) {
      await rm(join(snapshots, name), { recursive: true, force: true });
    }
  }
};

interface Published {
  readonly id: string;
  /** What is left in the unit's folder. */
  readonly files: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly amounts: Readonly<Record<string, number>>;
}

/** @param unit folder for what the next publishing can use again */
const publishSnapshot = async (world: World, unit: string): Promise<Published> => {
  const { dataset, outputs, settings, metrics, counts, database, log } = world;
  const snapshots = outputs.snapshots(dataset.id);
  await makeFolder(snapshots);
  await removeLeftovers(snapshots);
  const staging = temporaryBeside(join(snapshots, 'staging'));
  await mkdir(staging);
  try {
    const previous = await findPrevious(world);
    const { pieces, left, ...written } = await writeTables(world, { staging, unit, previous });
    const last = await findLast(world);
    const staged = await openStaged(world, { staging, unit, previous, pieces });
    try {
      const file = databaseFile(world, staging);
      const [checks, sha256] = await together([
        runChecks(
          database,
          {
            dataset,
            metrics,
            counts,
            settings,
            now: world.now(),
            kept: keptIngredients(staged.comparable, world),
          },
          { comparable: staged.comparable !== undefined, allowed: world.allowedChecks },
        ),
        hashFile(file),
      ]);
      log({ type: 'checked', dataset: dataset.id, checks: checks.map(toReport) });
      await writeReport({ world, staging, checks, last: staged.comparable?.snapshot ?? last });
      const failed = checks.filter(isBlocking);
      if (failed.length > 0) {
        const kept = await keepFailedReport(world, staging);
        throw new RunError(
          `Nothing was published for ${dataset.id}: ${failed
            .map(
              ({ name, about, offending, rows }) =>
                `${name} (${about}) fails for ${offending}, first ${JSON.stringify(rows[0])}`,
            )
            .join(
              '; ',
            )}. ${last === undefined ? 'There is no earlier snapshot.' : `Snapshot ${last} goes on serving.`} See ${kept}. If it is right as it is: --allow ${failed[0]?.name}="<reason>".`,
        );
      }
      const hashes = { ...written.hashes, [basename(file)]: sha256 };
      const manifest = await describeSnapshot({ world, staging, checks, ...written, hashes });
      await writeFileWhole(join(staging, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
      const id = manifest.snapshot;
      await world.confirmAlone();
      await putInPlace(world, staging, id);
      await serveUnlessTakenBack(world, id);
      const record = await writeRecord(world, unit, {
        ...left,
        snapshot: id,
        checked: havePartitionsPassed(checks),
      });
      const { unique_sentences: _, ...amounts } = manifest.counts;
      return { id, files: [record, ...Object.keys(left.files)], hashes: left.files, amounts };
    } finally {
      await staged.close();
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
};

/**
 * What somebody rolled back from is not served again by itself: what they rolled back to goes on serving until there is
 * something new.
 *
 * @throws RunError where that one is damaged: then somebody has to choose
 */
const serveUnlessTakenBack = async (world: World, id: string): Promise<void> => {
  const { outputs, dataset, log } = world;
  const history = await readHistory(outputs, dataset.id);
  const last = findLastMove(history);
  if (last === undefined || !findTakenBack(history).includes(id)) {
    await serve(outputs, dataset.id, { snapshot: id, at: world.now().toISOString(), by: 'publish' });
    return;
  }
  const since = `was rolled back to on ${last.at.slice(0, 10)}${last.reason === undefined ? '' : ` (${last.reason})`}`;
  const [fault] = await verifySnapshot(outputs, dataset.id, last.snapshot);
  if (fault !== undefined) {
    throw new RunError(
      `Snapshot ${last.snapshot}, which ${since}, is damaged: ${fault}. What can be made again is ${id}, which was rolled back from. Choose: ${rollbackCommand(outputs, dataset.id)} --to ${id}, or to another one that is whole.`,
    );
  }
  // The pointer may have been lost, which is why this was made.
  await serve(outputs, dataset.id, { ...last, at: world.now().toISOString() });
  const message = `What was made is ${id} again, which was rolled back from. ${last.snapshot}, which ${since}, goes on serving.`;
  log({ type: 'note', dataset: dataset.id, message });
};

/** A pointer that names nothing is replaced like one that is not there. */
const findLast = ({ outputs, dataset }: World): Promise<string | undefined> =>
  findCurrent(outputs, dataset.id).catch(() => undefined);

/** Gives the staged folder its name, unless the very same snapshot is there already. */
const putInPlace = async (world: World, staging: string, id: string): Promise<void> => {
  const { outputs, dataset } = world;
  const folder = outputs.snapshot(dataset.id, id);
  const faults = await verifySnapshot(outputs, dataset.id, id);
  if (faults.length === 0) return;
  const damaged = temporaryBeside(join(outputs.snapshots(dataset.id), `damaged-${id}`));
  await rename(folder, damaged).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  await syncPath(staging);
  await rename(staging, folder);
  await syncPath(outputs.snapshots(dataset.id));
  await rm(damaged, { recursive: true, force: true });
};
