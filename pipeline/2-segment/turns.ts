import type { Line } from './lines.js';
import type { SegmentOptions, Sentence } from './sentence.js';
export const readTurns = (
  _text: string,
  lines: readonly Line[],
  _options: SegmentOptions,
): {
  lines: readonly Line[];
  speakerAt: (p: number) => Pick<Sentence, 'speaker' | 'role' | 'section'> | undefined;
} => ({ lines, speakerAt: () => undefined });
