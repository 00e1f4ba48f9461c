/** What `--dry-run` and `status --why` say. */
import { DATASETS } from '../../data/catalog.js';
import type { Inspection, UnitState } from '../../pipeline/run/inspect.js';
import type { Pace } from '../../pipeline/run/pace.js';
import type { Redo } from '../../pipeline/run/redo.js';
import { UsageError } from '../errors.js';

/**
 * Rates on two cores without a GPU, rounded from `npm run bench -- pipeline` over the public corpora: bytes of raw files
 * that are read and cut in a second, and distinct sentences that all models of a dataset answer in a second. They make an
 * estimate, not a promise.
 */
const BYTES_A_SECOND = 2_500_000;
const TEXTS_A_SECOND = 6_000;
const SECONDS_ANYWAY = 3;

export const inspectionText = (
  inspections: readonly Inspection[],
  asked: { readonly full?: boolean; readonly redo?: Extract<Redo, { what: 'selection' }> },
): string =>
  inspections
    .map((inspection) => {
      const { dataset, documents, rejects, units, sentences, predictions, urls, recalled } = inspection;
      const all = asked.full === true;
      const stale = all ? units : units.filter(({ state }) => state === 'stale');
      const total = sentences.known + sentences.estimated;
      const wanted = all ? total * DATASETS[dataset].models.length : predictions.known + predictions.estimated;
      const about = sentences.estimated > 0 || all ? 'about ' : '';
      return [
        `${dataset}`,
        `  documents    ${number(documents)} to read${rejects > 0 ? `, and ${number(rejects)} ${rejects === 1 ? 'file or row' : 'files or rows'} that cannot be one` : ''}`,
        ...(recalled === 0
          ? []
          : [
              `  kept         ${number(recalled)} of them as they were last read, for they were not found or cannot be read`,
            ]),
        ...(urls.all === 0
          ? []
          : [
              `  urls         ${number(urls.all)} would be asked${urls.unasked > 0 ? `, ${number(urls.unasked)} of them for the first time: nothing below counts their documents` : ''}`,
            ]),
        `  sentences    ${about}${number(total)}${sentences.estimated > 0 ? ` (${number(sentences.estimated)} of them estimated from the size of files not read yet)` : ''}`,
        `  predictions  ${about}${number(wanted)} to make`,
        `  units        ${number(stale.length)} of ${number(units.length)} to do${stagesOf(stale)}`,
        ...(asked.redo === undefined || inspection.asked === null
          ? []
          : [redoLine(inspection.asked, asked.redo.model)]),
        `  time         ${timeText(inspection, stale.length === 0 && inspection.asked === null)}`,
        '',
      ].join('\n');
    })
    .join('\n');

/** An estimate, and what it rests on: rates of another machine may be far from those of this one. */
const timeText = ({ dataset, work, paces }: Inspection, isNothing: boolean): string => {
  if (isNothing) return 'a few seconds';
  const { reading, answering } = paces;
  const texts = answering === null ? TEXTS_A_SECOND : answering.per_second / DATASETS[dataset].models.length;
  const seconds =
    (reading === null ? work.bytes / BYTES_A_SECOND : work.documents / reading.per_second) + work.texts / texts;
  return `about ${duration(seconds + SECONDS_ANYWAY)}, ${basisText(paces)}`;
};

const basisText = ({ reading, answering }: Inspection['paces']): string => {
  if (reading === null && answering === null)
    return 'by the rates of two cores without a GPU: no earlier run here was long enough to tell its own';
  const by = (pace: Pace | null): string =>
    pace === null
      ? 'by the rates of two cores without a GPU'
      : `as fast as in the run of ${pace.began_at.slice(0, 10)} here`;
  return by(reading) === by(answering) ? by(reading) : `read ${by(reading)}, classified ${by(answering)}`;
};

const redoLine = ({ documents, partitions }: NonNullable<Inspection['asked']>, model: string | undefined): string => {
  const what = `${number(documents)} ${documents === 1 ? 'document' : 'documents'} in ${number(partitions)} ${partitions === 1 ? 'partition' : 'partitions'}`;
  return model === undefined
    ? `  redo         ${what} on top: their files are read and cut again; texts are asked again only with --model`
    : `  redo         ${what} on top: ${model} is asked again for their sentences`;
};

export const whyText = (inspections: readonly Inspection[], unit: string): string => {
  const units = inspections.flatMap((inspection) => inspection.units);
  const found = units.filter(
    ({ stage, partition, dataset }) => unit === `${stage}/${partition}` || unit === `${dataset}/${stage}/${partition}`,
  );
  if (found.length === 0) {
    const some = units.slice(0, 3).map(({ stage, partition }) => `${stage}/${partition}`);
    throw new UsageError(`There is no unit ${unit}. Units are named <stage>/<partition>: ${some.join(', ')}…`);
  }
  return found
    .map(
      ({ dataset, stage, partition, state, why }) =>
        `${dataset}/${stage}/${partition} is ${state}${why === null ? '' : `: ${why}`}\n`,
    )
    .join('');
};

const stagesOf = (stale: readonly UnitState[]): string => {
  const counts = new Map<string, number>();
  for (const { stage } of stale) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return stale.length === 0 ? '' : ` (${[...counts].map(([stage, n]) => `${stage} ${n}`).join(', ')})`;
};

export const duration = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
};

const number = (value: number): string => Math.round(value).toLocaleString('en');
