/** Events as people and machines read them. Everything here goes to stderr. */
import { SingleBar, type TimeFormatter } from 'cli-progress';
import { pino } from 'pino';
import type { RunEvent } from '../../pipeline/events.js';
import type { Row } from '../database.js';
import type { Settings } from '../settings.js';
import { duration } from './inspection.js';
import { count } from './numbers.js';

export interface Presenter {
  readonly tell: (event: RunEvent) => void;
  /** Takes a half-drawn bar off the screen, so that what follows starts on a line of its own. */
  readonly stop: () => void;
}

/**
 * `auto` is text on a terminal and JSON lines elsewhere.
 *
 * @param term what the environment calls the terminal: on a `dumb` one nothing is drawn over
 */
export const openPresenter = (
  mode: Settings['log'],
  stderr: NodeJS.WriteStream,
  term: string | undefined,
): Presenter => {
  const chosen = mode === 'auto' ? (stderr.isTTY ? 'text' : 'json') : mode;
  switch (chosen) {
    case 'quiet':
      return { tell: () => undefined, stop: () => undefined };
    case 'json':
      return jsonLines();
    case 'text':
      return textLines(stderr, term === 'dumb' ? 'none' : 'bars');
    default:
      return chosen satisfies never;
  }
};

/** At most this many progress lines a stage: a log is read by people too. */
const PROGRESS_LINES = 10;

/** What somebody should look at. */
const WARNINGS: readonly RunEvent['type'][] = ['rejected', 'kept', 'doubted'];

const jsonLines = (): Presenter => {
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
  let said = -1;
  return {
    tell: (event) => {
      const { type, ...facts } = event;
      if (event.type === 'stage-started') said = -1;
      if (event.type === 'progress') {
        const tenth = Math.floor((event.done / Math.max(1, event.total)) * PROGRESS_LINES);
        if (tenth === said) return;
        said = tenth;
      }
      if (WARNINGS.includes(event.type)) logger.warn(facts, type);
      else logger.info(facts, type);
    },
    stop: () => undefined,
  };
};

const textLines = (stderr: NodeJS.WriteStream, progress: 'bars' | 'none'): Presenter => {
  let bar: SingleBar | undefined;
  let barOf = '';
  let doubts = 0;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
    barOf = '';
  };
  const line = (text: string): void => {
    stop();
    stderr.write(`${text}\n`);
  };
  return {
    stop,
    tell: (event) => {
      switch (event.type) {
        case 'run-started':
          return line(`Reading ${event.inputs.join(', ')}`);
        case 'listed':
          return line(
            event.rejects === 0
              ? `${event.dataset}: ${count(event.documents, 'document')} to read`
              : `${event.dataset}: ${(event.documents + event.rejects).toLocaleString('en')} found: ${count(event.documents, 'document')} to read, ${event.rejects === 1 ? '1 file or row' : `${event.rejects.toLocaleString('en')} files or rows`} that cannot be one`,
          );
        case 'doubted':
          doubts += 1;
          return;
        case 'stage-started':
          if (doubts > 0) {
            line(`  ${count(doubts, 'doubt')} about what the sources say of their documents; --log json lists them`);
            doubts = 0;
          }
          if (event.stale > 0) line(`  ${event.stage}: ${event.stale} of ${event.units} to do`);
          return;
        case 'progress': {
          if (progress === 'none') return;
          const key = `${event.dataset} ${event.stage} ${event.what}`;
          if (barOf !== key) {
            stop();
            barOf = key;
            bar = new SingleBar({
              stream: stderr,
              format: `  ${event.stage} [{bar}] {value}/{total} ${event.what}{eta_formatted}`,
              formatTime: leftText,
              hideCursor: true,
              etaBuffer: 50,
              clearOnComplete: true,
              barsize: 30,
            });
            bar.start(event.total, event.done);
          }
          bar?.update(event.done);
          if (event.done >= event.total) stop();
          return;
        }
        case 'rejected':
          return line(`  left out ${event.reject.subject}: ${event.reject.reason}`);
        case 'kept':
          return line(`  kept as read before: ${event.subject}: ${event.why}`);
        case 'note':
          return line(`  ${event.message}`);
        case 'checked':
          for (const { name, severity, passed, offending, about, first, overridden } of event.checks) {
            if (passed || (severity === 'block' && overridden === undefined)) continue;
            const allowed = overridden === undefined ? '' : ` Allowed: ${overridden}`;
            line(`  Check ${name}: not so for ${count(offending, 'row')}${exampleOf(first)}: ${about}.${allowed}`);
          }
          return;
        case 'stage-done':
          if (event.report.stale > 0) line(`  ${event.stage}: done in ${event.report.seconds.toFixed(1)} s`);
          return;
        default:
          event satisfies never;
      }
    },
  };
};

/** Before anything is done the library has no number: `0` as a text, `INF`, `NULL`. */
const leftText: TimeFormatter = (seconds) => (typeof seconds === 'number' ? `, ${duration(seconds)} left` : '');

const exampleOf = (first: Row | undefined): string =>
  first === undefined
    ? ''
    : `, first ${Object.entries(first)
        .map(([name, value]) => (name === 'why' ? `${value}` : `${name} ${value ?? 'none'}`))
        .join(', ')}`;
