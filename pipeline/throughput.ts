/** How fast a stage was, for the record of the run and for the report. */
import type { StageName } from './document.js';
import type { StageReport } from './events.js';

export interface Throughput {
  /** What was counted: `documents`, `sentences`, `predictions_made`. */
  readonly amount: string;
  readonly per_second: number;
}

/** The amount by which a stage's speed is told. */
const PACE: Readonly<Record<StageName, string>> = {
  ingest: 'documents',
  segment: 'sentences',
  classify: 'predictions_made',
  aggregate: 'documents',
  publish: 'sentences',
};

/** Of what was made in this run, what is fresh left out; null where nothing was made, or in no time. */
export const throughputOf = ({ stage, made, seconds }: StageReport): Throughput | null => {
  const amount = PACE[stage];
  const done = made[amount] ?? 0;
  return done > 0 && seconds > 0.01 ? { amount, per_second: Number((done / seconds).toPrecision(4)) } : null;
};
