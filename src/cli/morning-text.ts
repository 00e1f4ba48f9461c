/** The morning in words, for `fintext status`. */
import { DATASETS } from '../../data/catalog.js';
import { type FoundHolder, spanText } from '../../pipeline/run/holder.js';
import { keptText, keptWarning } from '../../pipeline/run/kept.js';
import type { RunRecord } from '../../pipeline/run/records/record.js';
import type { Morning, UnfinishedJob, Work } from './morning.js';
import { whole } from './numbers.js';

/** What a person must look at, in words; undefined where nothing. */
export const findTrouble = ({ dataset, last_run: last, job, fault }: Morning): string | undefined => {
  const found = [
    ...(['failed', 'stopped', 'died'].includes(last?.outcome ?? '') ? ['the last run did not end as it should'] : []),
    ...(job?.state === 'stalled' ? ['nobody goes on with its job'] : []),
    ...(fault === null ? [] : ['what is served is damaged']),
  ];
  return found.length === 0 ? undefined : `${dataset}: ${found.join(', and ')}`;
};

export const morningText = (morning: Morning, now: Date): string => {
  const { dataset, snapshot, fault, work } = morning;
  const lines = [
    `${dataset} (${DATASETS[dataset].name})`,
    ...lastRunLines(morning, now),
    ...jobLines(morning, now),
    ...(snapshot === null ? [] : snapshotLines(snapshot, now)),
    ...(fault === null ? [] : [line(snapshot === null ? 'snapshot' : '', `DAMAGED: ${fault}`)]),
    ...(snapshot === null && fault === null
      ? [line('snapshot', `nothing published yet. Next: fintext rebuild --dataset ${dataset}`)]
      : []),
    ...newestLines(morning, now),
    ...checkLines(morning.last_run),
    ...(morning.last_run?.signals ?? []).map(({ signal, fault }) => line(signal, `warning: ${fault}`)),
  ];
  if (work !== null) lines.push(...workLines(work, morning.last_run?.error ?? null));
  return `${lines.join('\n')}\n`;
};

const WIDTH = 12;
const line = (what: string, text: string): string => `  ${what.padEnd(WIDTH)} ${text}`;

const OUTCOMES: Readonly<Record<RunRecord['outcome'], string>> = {
  running: 'running',
  succeeded: 'succeeded',
  failed: 'FAILED',
  stopped: 'STOPPED before it was done',
  died: 'DIED before it was done',
};

const lastRunLines = ({ last_run: last, running }: Morning, now: Date): readonly string[] => {
  const busy = running === null ? [] : [line('running', runningText(running))];
  if (last === null) return [...busy, line('last run', 'none recorded')];
  if (last.outcome === 'running') {
    const done = last.stages.map(({ stage }) => stage).join(', ');
    return [...busy, line('', `${last.job}; done so far: ${done || 'nothing yet'}`)];
  }
  const took = last.seconds === null ? '' : `, took ${last.seconds.toFixed(0)} s`;
  const at = last.ended_at ?? last.began_at;
  const success = last.last_success;
  return [
    ...busy,
    line('last run', `${OUTCOMES[last.outcome]} ${ago(at, now)} (${last.job}, ${at}${took})`),
    ...(last.error === null ? [] : [line('', last.error)]),
    ...(last.outcome === 'succeeded' || success === null
      ? []
      : [line('', `The last one that succeeded ended ${ago(success.at, now)}.`)]),
    ...(last.totals === null ? [] : [line('', madeText(last))]),
    ...keptLines(last),
  ];
};

const JOB_STATES: Readonly<Record<UnfinishedJob['state'], string>> = {
  'under way': 'under way: fintext jobs status says how far',
  stalled: 'STALLED, for nobody goes on with it: fintext jobs resume',
  waiting: 'not done, and nobody can be asked here who goes on with it: fintext jobs status says how far it is',
};

const jobLines = ({ job }: Morning, now: Date): readonly string[] =>
  job === null ? [] : [line('job', `${job.id}, made ${ago(job.created_at, now)}, is ${JOB_STATES[job.state]}`)];

const keptLines = ({ listed }: RunRecord): readonly string[] => {
  if (listed === null) return [];
  const { documents, rejects, kept } = listed;
  const all = documents + rejects;
  const text = keptText(kept, all);
  const warning = keptWarning(kept);
  return [
    ...(text === undefined ? [] : [line('', `${whole(all)}: ${text}`)]),
    ...(warning === undefined ? [] : [line('', `warning: ${warning}`)]),
  ];
};

const runningText = ({ pid, host, since, silent_s: silent }: FoundHolder): string =>
  `process ${pid} on ${host} since ${since}${silent === null ? '' : `, last heard of ${spanText(silent)} ago`}`;

const madeText = ({ outcome, stages, totals }: RunRecord): string => {
  const units = stages.reduce((sum, { stale }) => sum + stale, 0);
  return units === 0
    ? outcome === 'succeeded'
      ? 'everything was fresh'
      : 'nothing was made'
    : `${whole(units)} units made, ${whole(totals?.predictions_made ?? 0)} predictions made`;
};

const snapshotLines = (
  { id, published_at: at, served, documents, rejects }: NonNullable<Morning['snapshot']>,
  now: Date,
): readonly string[] => [
  line('snapshot', `${id}, published ${ago(at, now)}`),
  line('', `${whole(documents + rejects)} in all: ${whole(documents)} documents published, ${whole(rejects)} left out`),
  ...(served?.by === 'rollback'
    ? [line('', `rolled back to ${ago(served.at, now)}${served.reason === undefined ? '' : `: ${served.reason}`}`)]
    : []),
];

const newestLines = ({ last_run: last, snapshot }: Morning, now: Date): readonly string[] => {
  if (last?.newest?.date == null) return [];
  const { date, period, too_old: old } = last.newest;
  const [first] = old;
  const text = period === null ? `${date}, ${ago(`${date}T00:00:00Z`, now)}` : periodText(period, date, now);
  // It was looked up when a run last succeeded; since then somebody may have rolled back, or a run have published and failed.
  const of = last.last_success?.snapshot;
  const isOfAnother = of !== undefined && snapshot !== null && of !== snapshot.id;
  return [
    line('newest', isOfAnother ? `${text} (of ${of}, which was served before)` : text),
    ...(first === undefined
      ? []
      : [
          line(
            '',
            `warning: ${whole(old.length)} too old, the oldest ${first.subject}: ${first.newest} (${first.days} days)`,
          ),
        ]),
  ];
};

/** No document has that day. A fiscal quarter may end on another one, which nothing here knows. */
const periodText = (period: string, end: string, now: Date): string => {
  const what = period.includes('Q') ? 'fiscal quarter' : 'year';
  const over = now.getTime() >= Date.parse(`${end}T00:00:00Z`);
  const when = over ? `ended on ${end}, ${ago(`${end}T00:00:00Z`, now)}` : `ends on ${end}`;
  return `${period} by ${what}, its day is not known; the calendar’s ${period} ${when}`;
};

const checkLines = (last: RunRecord | null): readonly string[] => {
  if (last === null || last.checks.length === 0) return [];
  const failed = last.checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return [line('checks', `all ${last.checks.length} passed${whenPublished(last)}`)];
  return failed.map(({ name, severity, offending, overridden }, at) =>
    line(
      at === 0 ? 'checks' : '',
      `${severity === 'warn' ? 'warning' : overridden === undefined ? 'FAILED' : 'allowed'}: ${name} for ${whole(offending)}${overridden === undefined ? '' : ` (${overridden})`}`,
    ),
  );
};

/** A snapshot that is published stays as it was checked; what has grown too old since is said above. */
const whenPublished = ({ newest }: RunRecord): string =>
  (newest?.too_old.length ?? 0) === 0 ? '' : ' when it was published: nothing was too old then';

const MOST_STAGES = 5;

/** @param failed what the last run ended with, which is said above */
const workLines = (work: Work, failed: string | null): readonly string[] => {
  if ('fault' in work) {
    return [
      line('to do', work.fault === failed ? 'cannot be told, for the same reason' : `cannot be told: ${work.fault}`),
    ];
  }
  const { fresh, stale } = work;
  if (stale.length === 0) return [line('to do', `nothing: all ${whole(fresh)} units are fresh`)];
  const stages = [...new Set(stale.map(({ stage }) => stage))].slice(0, MOST_STAGES);
  return stages.map((stage, at) => {
    const mine = stale.filter((unit) => unit.stage === stage);
    const [first] = mine;
    return line(at === 0 ? 'to do' : '', `${stage} ${whole(mine.length)}, first ${first?.partition}: ${first?.why}`);
  });
};

const ago = (time: string, now: Date): string => {
  const minutes = Math.max(0, Math.round((now.getTime() - new Date(time).getTime()) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${whole(Math.round(minutes / 1440))} days ago`;
};
