/**
 * Turns UTF-16 offsets into counts of Unicode code points, which is how Python, SQL and most readers of the published
 * files count. Offsets must be asked for in rising order: the whole document costs one pass.
 */
export const codePointCounter = (text: string): ((offset: number) => number) => {
  // Most documents hold no surrogate pair; then both counts are the same.
  if (!/[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text)) return (offset) => offset;
  let at = 0;
  let count = 0;
  return (offset) => {
    if (offset < at) throw new RangeError(`Offset ${offset} was asked for after ${at}.`);
    while (at < offset) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
      count += 1;
    }
    return count;
  };
};
