/** Documents to sentences, with a mark on those that no model should be asked about. */
import type { Mark } from '../document.js';
import { findForeign } from './foreign.js';
import { findFurniture } from './furniture.js';
import type { Block, BlockKind } from './layout.js';
import { findNaming } from './naming.js';
import { findRepeats } from './repeats.js';
import { isPartHeading } from './sections.js';
import { segmentBlocks } from './segment.js';
import type { SegmentOptions, Sentence } from './sentence.js';
import { findTableCells } from './table-cells.js';

export interface MarkedSentence {
  readonly sentence: Sentence;
  /**
   * `furniture`: menus, notices, what is printed on every page, above the parts of a call or once more. `foreign`: its paragraph is not
   * in English. `speaker`: it only names who speaks or takes part. `table`: a cell or row of a table.
   */
  readonly mark?: Mark;
  /** Where that is not English: ISO 639-1, `und` where only the script tells that it is not English. */
  readonly language?: string;
}

/** The sentences of a text, as `segment` cuts them. Nothing is left out: what is marked keeps its place and its span. */
export const segmentAndMark = async (text: string, options: SegmentOptions): Promise<readonly MarkedSentence[]> => {
  const { sentences, blocks } = segmentBlocks(text, options);
  const languages = await findForeign(text, blocks);
  const units = toUnits(sentences, blocks);
  const marks = findMarks(units, languages);
  return units.map(({ sentence, place }, at) => {
    const mark = marks.get(at);
    const language = languages.get(place);
    return {
      sentence,
      ...(mark === undefined ? {} : { mark }),
      ...(language === undefined ? {} : { language }),
    };
  });
};

interface Unit {
  readonly sentence: Sentence;
  readonly text: string;
  readonly speaker: string | undefined;
  /** The place and kind of its block. */
  readonly place: number;
  readonly block: BlockKind | undefined;
}

/** Sentences and blocks are both in order. */
const toUnits = (sentences: readonly Sentence[], blocks: readonly Block[]): readonly Unit[] => {
  let place = 0;
  return sentences.map((sentence) => {
    while (sentence.start >= (blocks[place]?.end ?? Number.POSITIVE_INFINITY)) place += 1;
    return { sentence, text: sentence.text, speaker: sentence.speaker, place, block: blocks[place]?.kind };
  });
};

/** By the place of the unit. Whichever mark is found first stays. */
const findMarks = (units: readonly Unit[], languages: ReadonlyMap<number, string>): ReadonlyMap<number, Mark> => {
  const marks = new Map<number, Mark>();
  const mark = (places: Iterable<number>, as: Mark): void => {
    for (const place of places) if (!marks.has(place)) marks.set(place, as);
  };
  const placesOf = (isIt: (unit: Unit) => boolean): number[] =>
    units.flatMap((unit, place) => (isIt(unit) ? [place] : []));
  const texts = units.map(({ text }) => text);
  mark(findFurniture(texts), 'furniture');
  mark(findRepeats(texts), 'furniture');
  mark(
    placesOf(({ block }) => block === 'edge'),
    'furniture',
  );
  mark(
    placesOf(({ place }) => languages.has(place)),
    'foreign',
  );
  const isTranscript = units.some(({ speaker }) => speaker !== undefined);
  if (isTranscript)
    mark(
      placesOf(({ text }) => isPartHeading(text)),
      'furniture',
    );
  mark(findNaming(units, isTranscript), 'speaker');
  mark(
    findTableCells(texts, (place) => marks.has(place)),
    'table',
  );
  return marks;
};
