/** How lines are told apart: by colour, by the shape of their points and by their dashes, so that no one needs colours. */
import { mark } from './dom.js';

/** Shapes around a place, of about the same weight; `r` is half their size. */
const SHAPES: readonly ((x: number, y: number, r: number) => string)[] = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r * 0.9} ${y - r * 0.9}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (x, y, r) => `M${x} ${y - 1.2 * r}l${1.15 * r} ${2.1 * r}h${-2.3 * r}z`,
  (x, y, r) => `M${x} ${y - 1.3 * r}l${1.3 * r} ${1.3 * r}l${-1.3 * r} ${1.3 * r}l${-1.3 * r} ${-1.3 * r}z`,
  (x, y, r) => `M${x} ${y + 1.2 * r}l${1.15 * r} ${-2.1 * r}h${-2.3 * r}z`,
  (x, y, r) => `M${x - 1.3 * r} ${y - r * 0.45}h${2.6 * r}v${r * 0.9}h${-2.6 * r}z`,
  (x, y, r) => `M${x - r * 0.45} ${y - 1.3 * r}h${r * 0.9}v${2.6 * r}h${-r * 0.9}z`,
  (x, y, r) =>
    `M${x - r * 0.4} ${y - 1.2 * r}h${0.8 * r}v${0.8 * r}h${0.8 * r}v${0.8 * r}h${-0.8 * r}v${0.8 * r}h${-0.8 * r}v${-0.8 * r}h${-0.8 * r}v${-0.8 * r}h${0.8 * r}z`,
];

const rounded = (path: string): string =>
  path.replaceAll(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10));

/** The point of a line as a path. */
export const shapeAt = (look: number, x: number, y: number, r: number): string =>
  rounded((SHAPES[look % SHAPES.length] ?? SHAPES[0])?.(x, y, r) ?? '');

/** A document without a value: a cross, in no one's shape. */
export const crossAt = (x: number, y: number, r = 3): string =>
  rounded(`M${x - r} ${y - r}l${2 * r} ${2 * r}M${x - r} ${y + r}l${2 * r} ${-2 * r}`);

/** A piece of the line with a point on it, for legends. */
export const swatch = (look: number): SVGElement =>
  mark(
    'svg',
    { class: `swatch look${look % SHAPES.length}`, width: 30, height: 14, viewBox: '0 0 30 14', 'aria-hidden': 'true' },
    mark('path', { class: 'line', d: 'M1 7H29' }),
    mark('path', { class: 'points', d: shapeAt(look, 15, 7, 3.6) }),
  );
