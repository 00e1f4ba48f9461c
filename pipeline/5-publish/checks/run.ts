/** Asks the checks of a staged snapshot, and tells what they found. */
import type { Database, Row } from '../../../src/database.js';
import type { CheckReport } from '../../events.js';
import { CHECKS } from '../checks.js';
import type { CheckInput } from './input.js';

export interface CheckResult extends CheckReport {
  /** The first offending rows. */
  readonly rows: readonly Row[];
}

const NOTHING_KEPT: CheckInput['kept'] = { models: new Set(), metrics: new Set() };

/** What the checks of partitions ask: where it is the same, what passed them passes them again. */
export const partitionChecksSql = ({
  dataset,
  metrics,
  counts,
  settings,
}: Omit<CheckInput, 'now' | 'kept'>): readonly string[] => {
  const input: CheckInput = { dataset, metrics, counts, settings, now: new Date(0), kept: NOTHING_KEPT };
  return CHECKS.filter(({ within }) => within === 'partition').map(({ sql }) => sql(input));
};

export interface CheckOptions {
  /** Is there a last snapshot that can be compared with? */
  readonly comparable: boolean;
  /** Checks that may fail this time, with the reason that somebody gave. */
  readonly allowed: ReadonlyMap<string, string>;
}

/** Runs every check against the tables of that name in the database. */
export const runChecks = async (
  database: Database,
  input: CheckInput,
  { comparable, allowed }: CheckOptions,
): Promise<readonly CheckResult[]> => {
  const results: CheckResult[] = [];
  for (const { name, severity, about, sql, againstLast } of CHECKS) {
    if (againstLast === true && !comparable) continue;
    const query = sql(input);
    const [found] = await database.rows(`SELECT count(*) AS n FROM (${query})`);
    const offending = Number(found?.n ?? 0);
    const rows = offending === 0 ? [] : await database.rows(`SELECT * FROM (${query}) ORDER BY ALL LIMIT 20`);
    const reason = allowed.get(name);
    const overridden = offending > 0 && severity === 'block' && reason !== undefined ? { overridden: reason } : {};
    results.push({
      name,
      severity,
      about: typeof about === 'string' ? about : about(input),
      passed: offending === 0,
      offending,
      rows,
      ...overridden,
    });
  }
  return results;
};

/** Does it keep the snapshot from being published? */
export const isBlocking = ({ severity, passed, overridden }: CheckResult): boolean =>
  severity === 'block' && !passed && overridden === undefined;

/** Whether what is published of each partition has passed all of its checks, so that nobody need ask again. */
export const havePartitionsPassed = (results: readonly CheckResult[]): boolean =>
  CHECKS.filter(({ within }) => within === 'partition').every(({ name }) =>
    results.some((result) => result.name === name && result.passed),
  );
