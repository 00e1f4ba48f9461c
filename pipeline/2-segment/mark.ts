/** Documents to sentences, with a mark on those that no model should be asked about. */
import type { Mark } from '../document.js';
import { findForeign } from './foreign.js';
import { findFurniture } from './furniture.js';
import { segmentBlocks } from './segment.js';
import type { SegmentOptions, Sentence } from './sentence.js';

export interface MarkedSentence {
  readonly sentence: Sentence;
  /** `furniture`: menus, notices, what is printed on every page. `foreign`: its paragraph is not in English. */
  readonly mark?: Mark;
  /** Where that is not English: ISO 639-1, `und` where only the script tells that it is not English. */
  readonly language?: string;
}

/** The sentences of a text, as `segment` cuts them. Nothing is left out: what is marked keeps its place and its span. */
export const segmentAndMark = async (text: string, options: SegmentOptions): Promise<readonly MarkedSentence[]> => {
  const { sentences, blocks } = segmentBlocks(text, options);
  const foreign = await findForeign(text, blocks);
  const furniture = findFurniture(sentences.map((sentence) => sentence.text));

  let place = 0;
  return sentences.map((sentence, at) => {
    while (sentence.start >= (blocks[place]?.end ?? Number.POSITIVE_INFINITY)) place += 1;
    const language = foreign.get(place);
    const isFurniture = furniture.has(at) || blocks[place]?.kind === 'edge';
    const mark = isFurniture ? 'furniture' : language === undefined ? undefined : 'foreign';
    return {
      sentence,
      ...(mark === undefined ? {} : { mark }),
      ...(language === undefined ? {} : { language }),
    };
  });
};
