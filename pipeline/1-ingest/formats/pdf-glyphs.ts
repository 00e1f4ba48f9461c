/** Where a page sets its glyphs, by the part of PDF's operators that tells (ISO 32000-1, 9.3 and 9.4). */
import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Glyph } from '../pdf-layout/false-spaces.js';

export type PdfPage = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** In the order of the page's content. */
export const readGlyphs = async (page: PdfPage): Promise<readonly Glyph[]> => {
  addBufferTransfer();
  const { OPS, AnnotationMode } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: AnnotationMode.DISABLE });
  const glyphs: Glyph[] = [];
  const saved: State[] = [];
  let state: State = { matrix: IDENTITY, size: 0, characterSpacing: 0, wordSpacing: 0, scale: 1, leading: 0 };
  let line = IDENTITY;
  /** How far along the line the next glyph starts, and where the last one ended. */
  let along = 0;
  let end: { readonly line: Matrix; readonly matrix: Matrix; readonly along: number } | undefined;

  const setLine = (matrix: Matrix): void => {
    line = matrix;
    along = 0;
  };
  const distance = (): Pick<Glyph, 'gap' | 'shift'> => {
    if (end === undefined) return { gap: 0, shift: 0 };
    const { matrix, size } = state;
    if (end.line === line && end.matrix === matrix) return { gap: (along - end.along) / size, shift: 0 };
    const from = multiply(end.matrix, shift(end.line, end.along, 0));
    const to = multiply(matrix, shift(line, along, 0));
    const [x, y] = [to[4] - from[4], to[5] - from[5]];
    const [emX, emY] = [to[0] * size, to[1] * size];
    const square = emX ** 2 + emY ** 2;
    return { gap: (x * emX + y * emY) / square, shift: (x * emY - y * emX) / square };
  };
  const show = (shown: readonly Shown[]): void => {
    const { matrix, size, scale, characterSpacing, wordSpacing } = state;
    for (const each of shown) {
      if (typeof each === 'number') {
        along -= (each / 1000) * size * scale;
        continue;
      }
      glyphs.push({ text: each.unicode, ...distance() });
      const width = (each.width / 1000) * size;
      end = { line, matrix, along: along + width * scale };
      along += (width + characterSpacing + (each.isSpace === true ? wordSpacing : 0)) * scale;
    }
  };

  for (const [index, operator] of fnArray.entries()) {
    const args: readonly unknown[] = argsArray[index] ?? [];
    const [x, y] = [Number(args[0]), Number(args[1])];
    switch (operator) {
      case OPS.save:
        saved.push(state);
        break;
      case OPS.paintFormXObjectBegin:
        saved.push(state);
        state = { ...state, matrix: multiply(state.matrix, toMatrix(args[0])) };
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        state = saved.pop() ?? state;
        break;
      case OPS.transform:
        state = { ...state, matrix: multiply(state.matrix, toMatrix(args)) };
        break;
      case OPS.setFont:
        state = { ...state, size: y };
        break;
      case OPS.setCharSpacing:
        state = { ...state, characterSpacing: x };
        break;
      case OPS.setWordSpacing:
        state = { ...state, wordSpacing: x };
        break;
      case OPS.setHScale:
        state = { ...state, scale: x / 100 };
        break;
      case OPS.setLeading:
        state = { ...state, leading: x };
        break;
      case OPS.beginText:
        setLine(IDENTITY);
        break;
      case OPS.setTextMatrix:
        setLine(toMatrix(args[0]));
        break;
      case OPS.moveText:
        setLine(shift(line, x, y));
        break;
      case OPS.setLeadingMoveText:
        state = { ...state, leading: -y };
        setLine(shift(line, x, y));
        break;
      case OPS.nextLine:
        setLine(shift(line, 0, -state.leading));
        break;
      case OPS.showText:
        show(args[0] as readonly Shown[]);
        break;
    }
  }
  return glyphs;
};

/** A distance that is taken back, or a glyph; in thousandths of the font's size. */
type Shown = number | { readonly unicode: string; readonly width: number; readonly isSpace?: boolean };

interface State {
  readonly matrix: Matrix;
  readonly size: number;
  readonly characterSpacing: number;
  readonly wordSpacing: number;
  readonly scale: number;
  readonly leading: number;
}

type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

const toMatrix = (value: unknown): Matrix => {
  if (typeof value !== 'object' || value === null) return IDENTITY;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(value as ArrayLike<number>);
  return [a, b, c, d, e, f];
};

const multiply = ([a, b, c, d, e, f]: Matrix, by: Matrix): Matrix => [
  a * by[0] + c * by[1],
  b * by[0] + d * by[1],
  a * by[2] + c * by[3],
  b * by[2] + d * by[3],
  a * by[4] + c * by[5] + e,
  b * by[4] + d * by[5] + f,
];

const shift = (matrix: Matrix, x: number, y: number): Matrix => multiply(matrix, [1, 0, 0, 1, x, y]);

/** The library hands the data of fonts on by a method that Node has from version 22 on. */
const addBufferTransfer = (): void => {
  if ('transferToFixedLength' in ArrayBuffer.prototype) return;
  Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', {
    configurable: true,
    writable: true,
    value(this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      const made = new ArrayBuffer(length);
      new Uint8Array(made).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
      return made;
    },
  });
};
