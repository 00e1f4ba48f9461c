/** Reading a chart: by pointer, by touch and by keys; a drag with the mouse chooses a stretch of time. */
import type { ChartOptions, Spot } from './chart-options.js';
import { element } from './dom.js';
import { crossAt, shapeAt, swatch } from './looks.js';
import { count, decimal } from './words.js';

export interface ReadoutOptions {
  readonly area: HTMLElement;
  readonly spots: readonly Spot[];
  readonly chosen: SVGPathElement;
  readonly stretch: SVGRectElement;
  readonly options: ChartOptions;
  readonly dayAt: (x: number) => number;
  readonly showDay: (day: number | undefined) => void;
}

/** What opens the document, by what the reader reads with. */
const HINTS = {
  keys: 'Enter: its sentences',
  mouse: 'Click: its sentences. Drag: a closer look',
  touch: 'Tap again: its sentences',
} as const;

/** Pixels that a press may move and still be a click. */
const CLICK = 6;

export const drawReadout = ({ area, spots, chosen, stretch, options, dayAt, showDay }: ReadoutOptions): void => {
  const { lines, width, onOpen, onRead, onZoom, smooth } = options;
  const box = element('div', { class: 'readout' });
  const said = element('p', { class: 'quiet', 'aria-live': 'polite' });
  box.hidden = true;
  area.append(box, said);
  let active: Spot | undefined;
  let pressedAt: number | undefined;

  const valueText = ({ point }: Spot): string =>
    point.value === null ? 'no value: nothing to divide by' : decimal(point.value);
  const meanText = ({ point }: Spot): string | undefined =>
    smooth > 1 && point.line !== null ? `mean of ${smooth}: ${decimal(point.line)}` : undefined;

  const show = (spot: Spot | undefined, way: keyof typeof HINTS): void => {
    active = spot;
    showDay(spot?.point.day);
    onRead(spot?.point.day);
    box.hidden = spot === undefined;
    chosen.setAttribute('d', spot === undefined ? '' : markOf(spot));
    chosen.setAttribute('class', spot === undefined ? 'chosen' : `chosen look${spot.line.look}`);
    if (spot === undefined) return;
    const name = options.nameOf(spot.point);
    const sentences = Number(spot.point.document.sentence_count ?? 0);
    const mean = meanText(spot);
    box.replaceChildren(
      element('p', { class: 'who' }, swatch(spot.line.look), spot.line.name),
      element('p', { class: 'value' }, valueText(spot)),
      ...(mean === undefined ? [] : [element('p', {}, mean)]),
      element('p', { class: 'note' }, `${name} · ${count(sentences, 'sentence')}`),
      element('p', { class: 'note' }, HINTS[way]),
    );
    const isRight = spot.x > width / 2;
    box.style.left = isRight ? 'auto' : `${spot.x + 14}px`;
    box.style.right = isRight ? `${width - spot.x + 14}px` : 'auto';
    box.style.top = `${Math.max(0, Math.min(spot.y - 30, area.clientHeight - 110))}px`;
    if (way === 'keys')
      said.textContent = [spot.line.name, name, valueText(spot), mean].filter((part) => part !== undefined).join(', ');
  };

  const placeOf = (event: PointerEvent | MouseEvent): readonly [number, number] => {
    const { left, top } = area.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };

  area.addEventListener('pointermove', (event) => {
    const [x, y] = placeOf(event);
    if (pressedAt !== undefined && event.pointerType === 'mouse') {
      const [from, to] = [Math.min(pressedAt, x), Math.max(pressedAt, x)];
      stretch.setAttribute('x', String(from));
      stretch.setAttribute('width', String(to - from > CLICK ? to - from : 0));
      if (to - from > CLICK) {
        show(undefined, 'mouse');
        return;
      }
    }
    show(nearest(spots, x, y), event.pointerType === 'mouse' ? 'mouse' : 'touch');
  });
  area.addEventListener('pointerleave', () => {
    if (pressedAt === undefined) show(undefined, 'mouse');
  });
  area.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    [pressedAt] = placeOf(event);
    area.setPointerCapture(event.pointerId);
  });
  area.addEventListener('pointercancel', () => {
    pressedAt = undefined;
    stretch.setAttribute('width', '0');
  });
  let before: Spot | undefined;
  area.addEventListener('pointerup', (event) => {
    const [x, y] = placeOf(event);
    const pressed = pressedAt;
    pressedAt = undefined;
    stretch.setAttribute('width', '0');
    if (pressed !== undefined && Math.abs(x - pressed) > CLICK)
      return onZoom(Math.ceil(dayAt(Math.min(x, pressed))), Math.floor(dayAt(Math.max(x, pressed))));
    const spot = nearest(spots, x, y);
    if (spot === undefined || (event.pointerType === 'mouse' && event.button !== 0)) return;
    // A finger has no hover: its first tap reads, its second opens.
    if (event.pointerType === 'mouse' || before === spot) onOpen(spot.point, spot.line);
    else show(spot, 'touch');
    before = spot;
  });

  area.addEventListener('keydown', (event) => {
    const start = active ?? spots.findLast(({ line }) => line === lines[0]) ?? spots.at(-1);
    if (start === undefined) return;
    const own = spots.filter(({ line }) => line === start.line);
    const at = own.indexOf(start);
    const other = (step: number): Spot | undefined => {
      const line = lines[(lines.indexOf(start.line) + step + lines.length) % lines.length];
      return nearest(
        spots.filter((spot) => spot.line === line),
        start.x,
        start.y,
      );
    };
    const targets: Readonly<Record<string, () => Spot | undefined>> = {
      ArrowLeft: () => (active === undefined ? start : own[Math.max(0, at - 1)]),
      ArrowRight: () => (active === undefined ? start : own[Math.min(own.length - 1, at + 1)]),
      ArrowUp: () => other(-1),
      ArrowDown: () => other(1),
      Home: () => own[0],
      End: () => own.at(-1),
      Escape: () => undefined,
    };
    const target = Object.hasOwn(targets, event.key) ? targets[event.key] : undefined;
    if (target !== undefined) {
      event.preventDefault();
      show(target(), 'keys');
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== undefined) {
      event.preventDefault();
      onOpen(active.point, active.line);
    }
  });
  area.addEventListener('blur', () => show(undefined, 'keys'));
};

const markOf = ({ point, line, x, y }: Spot): string =>
  point.value === null ? crossAt(x, y, 5) : shapeAt(line.look, x, y, 6);

/** By time first, because that is what is being looked for; by height among those. */
const nearest = (spots: readonly Spot[], x: number, y: number): Spot | undefined => {
  let best: Spot | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) {
    const distance = Math.abs(spot.x - x) * 3 + Math.abs(spot.y - y);
    if (distance < least) [best, least] = [spot, distance];
  }
  return best;
};
