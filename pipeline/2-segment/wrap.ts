/** How a stretch of text is wrapped: at which width, and with how many blank lines between the lines of one paragraph. */
import { lastWord } from './line-shape.js';
import type { Line } from './lines.js';
import { isContinuing } from './starters.js';

export interface Wrap {
  /** A line that reaches this far is full; 0 where nothing is known. */
  readonly width: number;
  /** Blank lines between two lines of a paragraph: 1 in double-spaced text. */
  readonly gap: number;
}

/** Lines on either side that tell about a line. */
const REACH = 24;
/** More blank lines than this, or a new page, end a stretch. */
const STRETCH_GAP = 4;
const BUCKET = 8;
const NARROWEST = 24;
const WIDEST = 400;

/** Finds, for the index of a line, how the text around it is wrapped; quick where indices change little from call to call. */
export const measureWrap = (text: string, lines: readonly Line[]): ((index: number) => Wrap) => {
  const { found, stretches } = findEvidence(text, lines);
  let low = 0;
  let high = 0;
  let measured = -1;
  let wrap: Wrap = UNKNOWN;
  return (index) => {
    const stretch = stretches[index] ?? 0;
    // Lines that lie together share a measurement; they are counted from the start of the stretch.
    const bucket = index - ((index - stretch) % BUCKET);
    if (bucket === measured) return wrap;
    measured = bucket;
    while (low < found.length && isBefore(found[low], bucket - REACH, stretch)) low++;
    while (low > 0 && !isBefore(found[low - 1], bucket - REACH, stretch)) low--;
    if (high < low) high = low;
    while (high < found.length && isWithin(found[high], bucket + BUCKET + REACH, stretch)) high++;
    while (high > low && !isWithin(found[high - 1], bucket + BUCKET + REACH, stretch)) high--;
    wrap = summarise(found.slice(low, high));
    return wrap;
  };
};

const UNKNOWN: Wrap = { width: 0, gap: 0 };

interface Evidence {
  readonly line: number;
  readonly stretch: number;
  readonly length: number;
  readonly gap: number;
}

/** A line whose sentence certainly goes on in the next one is a wrapped line. */
const findEvidence = (text: string, lines: readonly Line[]): { found: Evidence[]; stretches: Int32Array } => {
  const found: Evidence[] = [];
  const stretches = new Int32Array(lines.length);
  // A stretch is named by the index of its first line.
  let stretch = 0;
  let gap = 0;
  let previous: Line | undefined;
  for (const [index, line] of lines.entries()) {
    gap += line.gap;
    if (line.gap > STRETCH_GAP || line.newPage) {
      stretch = index;
      previous = undefined;
    }
    stretches[index] = stretch;
    if (line.kind === 'rule') continue;
    if (previous !== undefined && line.kind === 'text' && previous.kind === 'text') {
      const length = previous.end - previous.start;
      const open = previous.closes === 'word' || previous.closes === 'open' || previous.closes === 'hyphen';
      const wrapped =
        open &&
        line.mark === undefined &&
        (line.opens === 'lower' || (previous.closes === 'word' && isContinuing(lastWord(text, previous))));
      if (wrapped && length >= NARROWEST && length <= WIDEST) found.push({ line: index, stretch, length, gap });
    }
    previous = line;
    gap = 0;
  }
  return { found, stretches };
};

const isBefore = (evidence: Evidence | undefined, index: number, stretch: number): boolean =>
  evidence !== undefined && (evidence.stretch < stretch || (evidence.stretch === stretch && evidence.line < index));

const isWithin = (evidence: Evidence | undefined, index: number, stretch: number): boolean =>
  evidence !== undefined && (evidence.stretch < stretch || (evidence.stretch === stretch && evidence.line <= index));

const summarise = (found: readonly Evidence[]): Wrap => {
  if (found.length === 0) return UNKNOWN;
  const lengths = found.map(({ length }) => length).sort((a, b) => a - b);
  const typical = lengths[Math.floor(lengths.length * 0.6)] ?? 0;
  const spaced = found.filter(({ gap }) => gap >= 1).length;
  return { width: Math.round(typical * 0.88), gap: spaced * 4 >= found.length ? 1 : 0 };
};
