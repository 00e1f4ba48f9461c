/** How fast earlier runs were in the same outputs folder: what an estimate of time can rest on. */
import type { RunRecord } from './records/record.js';

export interface Pace {
  readonly per_second: number;
  /** When the run began that was as fast. */
  readonly began_at: string;
}

export interface Paces {
  /** Documents that are read and cut; null where no run tells. */
  readonly reading: Pace | null;
  /** Predictions, where every model of the dataset is asked; null where no run tells. */
  readonly answering: Pace | null;
}

/** In less than that, starting processes and loading models is most of it. */
const LONG_ENOUGH_SECONDS = 10;

/**
 * The pace of the run that did most: it hangs least on what costs the same however much there is to do.
 *
 * @param device what is asked for now; a run that asked for another tells nothing of it
 */
export const measurePaces = (runs: readonly RunRecord[], device: string): Paces => {
  const work = runs.map((run) => ({ run, ...workOf(run) }));
  const rebuilt = work.filter(({ run, device: asked }) => run.job === 'rebuild' && asked === device);
  return {
    reading: paceOf(work.map(({ run, documents, reading }) => ({ run, amount: documents, seconds: reading }))),
    answering: paceOf(
      rebuilt.map(({ run, predictions, answering }) => ({ run, amount: predictions, seconds: answering })),
    ),
  };
};

const workOf = ({ stages }: RunRecord) => {
  const [ingest, segment, classify] = ['ingest', 'segment', 'classify'].map((name) =>
    stages.find(({ stage }) => stage === name),
  );
  return {
    documents: ingest?.made.documents ?? 0,
    reading: (ingest?.seconds ?? 0) + (segment?.seconds ?? 0),
    predictions: classify?.made.predictions_made ?? 0,
    answering: classify?.seconds ?? 0,
    device: classify?.facts.device_asked,
  };
};

interface Done {
  readonly run: RunRecord;
  readonly amount: number;
  readonly seconds: number;
}

const paceOf = (all: readonly Done[]): Pace | null => {
  const [most] = all
    .filter(({ amount, seconds }) => amount > 0 && seconds >= LONG_ENOUGH_SECONDS)
    .sort((a, b) => b.amount - a.amount);
  return most === undefined ? null : { per_second: most.amount / most.seconds, began_at: most.run.began_at };
};
