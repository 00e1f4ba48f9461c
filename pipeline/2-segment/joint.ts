import { firstWordEnd, isTitleCase, tokenCount } from './line-shape.js';
import type { Line } from './lines.js';
import type { Wrap } from './wrap.js';

/** The place between two lines. */
export interface Joint {
  readonly text: string;
  /** The first line of the block that `previous` belongs to. */
  readonly opening: Line;
  readonly previous: Line;
  readonly next: Line;
  /** Blank and rule lines between. */
  readonly gap: number;
  readonly wrap: Wrap;
}

/** Whether the next word would not have fitted on the line: then the break says nothing. */
export const isFull = ({ text, previous, next, wrap }: Joint): boolean => {
  const length = previous.end - previous.start;
  if (wrap.width === 0) return length >= 60 && tokenCount(text, previous) >= 8 && !isTitleCase(text, previous);
  return length + 1 + (firstWordEnd(text, next) - next.start) >= wrap.width;
};
