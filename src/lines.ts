/**
 * Lines as `wc -l` counts them, without their ends (`\n`, `\r\n`): other characters that end a line somewhere, as U+2028,
 * are of the text, or the answers would no longer lie beside the lines that were asked. A byte order mark at the beginning is
 * the file's, not the text's.
 */
export const readLines = async function* (input: NodeJS.ReadableStream): AsyncGenerator<string> {
  // Decoded by the stream: a character may lie across two pieces.
  input.setEncoding('utf8');
  let pieces: string[] = [];
  let atStart = true;
  for await (const piece of input) {
    // Of a character that is cut in two the first half is no text yet.
    const text = atStart ? String(piece).replace(/^\ufeff/, '') : String(piece);
    if (String(piece) !== '') atStart = false;
    const [first = '', ...more] = text.split('\n');
    pieces.push(first);
    for (const next of more) {
      yield withoutReturn(pieces.join(''));
      pieces = [next];
    }
  }
  const last = pieces.join('');
  if (last !== '') yield withoutReturn(last);
};

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
