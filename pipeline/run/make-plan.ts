/** What a run is to do, made under its lock; and what is said of it before anything is made. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DatasetId } from '../../data/catalog.js';
import { type HashFile, makeFolder } from '../../src/files.js';
import { outputsIn } from '../../src/outputs.js';
import type { Settings } from '../../src/settings.js';
import type { Recalled } from '../1-ingest/raw/recall.js';
import type { RunEvent } from '../events.js';
import { holdOthers, selectedUrls } from './hold.js';
import { countKept, keptWarning } from './kept.js';
import { type Listing, listingOf } from './listing.js';
import { type DatasetPlan, planDataset } from './plan.js';
import { whatIsRead } from './redo.js';
import { askRemote, askSome, lookUpRemote } from './remote.js';
import type { RunRequest } from './run.js';

interface Made {
  readonly plan: DatasetPlan;
  /** Documents that a person asked for; none where the run is for all of them. */
  readonly asked: ReadonlySet<string>;
}

/**
 * Under the lock, for addresses are asked and what they give is kept.
 *
 * @param hash how files are hashed: by their content, where it is not said
 */
export const makePlan = async (
  dataset: DatasetId,
  listing: Listing,
  request: RunRequest,
  hash?: HashFile,
): Promise<Made> => {
  const { settings, log, now, signal, random, redo, forget = [] } = request;
  const outputs = outputsIn(resolve(settings.outputs));
  const scratch = outputs.scratch(dataset);
  // What a killed run left there is of no use to anybody.
  await rm(scratch, { recursive: true, force: true });
  await makeFolder(scratch);
  const onProgress = (done: number, total: number): void =>
    log({ type: 'progress', dataset, stage: 'ingest', what: 'urls', done, total });
  const ask = askRemote({ outputs, settings, scratch, signal, now, random, onProgress });
  const options = { outputs, forget, signal, ...(hash !== undefined && { hash }) };
  if (redo.what !== 'selection') {
    return { plan: await planDataset(dataset, listing, { ...options, readRemote: ask }), asked: new Set() };
  }
  const { selection } = redo;
  const read = whatIsRead(redo);
  const urls = read === 'nothing' ? new Set<string>() : selectedUrls(listingOf(listing, dataset), selection);
  const readRemote = askSome(ask, lookUpRemote(outputs, hash), urls);
  const whole = await planDataset(dataset, listing, { ...options, readRemote });
  const { plan, selected, released } = await holdOthers(whole, { ...options, selection, read, scratch });
  if (released.length > 0) {
    const message = `Read as they are now, for what was last read of them is not kept: ${released.length} (${firstOf(released)}).`;
    log({ type: 'note', dataset, message });
  }
  return { plan, asked: selected };
};

export const countDocuments = ({ documents }: DatasetPlan): number =>
  [...documents.values()].reduce((sum, group) => sum + group.length, 0);

export const listedEvent = (plan: DatasetPlan, settings: Settings): Extract<RunEvent, { type: 'listed' }> => ({
  type: 'listed',
  dataset: plan.dataset,
  documents: countDocuments(plan),
  rejects: plan.rejects.length,
  kept: countKept(plan, settings),
});

/** Says what was found, before anything is made of it. */
export const announce = (plan: DatasetPlan, settings: Settings, log: RunRequest['log']): void => {
  const { dataset, urls, unanswered, doubles, recall } = plan;
  const listed = listedEvent(plan, settings);
  log(listed);
  for (const reject of plan.rejects) log({ type: 'rejected', reject });
  for (const { url, why } of unanswered) log({ type: 'note', dataset, message: `${url} gave nothing: ${why}.` });
  for (const { path, notes = [] } of [...plan.documents.values()].flat()) {
    for (const doubt of notes) log({ type: 'doubted', dataset, subject: path, doubt });
  }
  if (doubles.length > 0) {
    const shown = doubles.slice(0, 5).map(({ left, kept }) => `${left} for ${kept}`);
    const more = doubles.length > shown.length ? ', …' : '';
    const message = `Left out for a document of another input folder with the same document_id: ${doubles.length} (${shown.join(', ')}${more}).`;
    log({ type: 'note', dataset, message });
  }
  if (urls.all > 0) {
    const counts = [
      `${urls.changed} new or changed`,
      `${urls.unchanged} unchanged`,
      `${urls.kept} gave nothing and keep their last content`,
      `${urls.nothing} gave nothing yet`,
    ];
    log({ type: 'note', dataset, message: `Addresses asked: ${urls.all} (${counts.join(', ')}).` });
  }
  const idsOf = (why: Recalled['why']): readonly string[] =>
    recall.recalled.filter((one) => one.why === why).map(({ document_id: id }) => id);
  const gone = idsOf('gone');
  if (gone.length > 0) {
    const next = 'rebuild --forget <document_id> drops one for good.';
    const message = `Gone from their folders, and kept: ${gone.length} (${firstOf(gone)}); ${next}`;
    log({ type: 'note', dataset, message });
  }
  for (const [why, said] of STAYS) {
    const ids = idsOf(why);
    const subject = `${ids.length} document${ids.length === 1 ? '' : 's'} whose files are there (${firstOf(ids)})`;
    if (ids.length > 0) log({ type: 'kept', dataset, subject, why: said });
  }
  const warning = keptWarning(listed.kept);
  if (warning !== undefined) log({ type: 'note', dataset, message: `Warning: ${warning}` });
};

/** What is there, and stays as it was last read all the same. */
const STAYS: readonly (readonly [Recalled['why'], string])[] = [
  ['list', 'the list that named them is missing or cannot be read. Mend it: the rejects name it.'],
  ['unread', 'the disk or the network did not give them when the run began. The next run tries again.'],
];

const firstOf = (ids: readonly string[]): string => `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', …' : ''}`;
