/** A problem on the page: its sentence, and what can be done. */
import { button, element } from './dom.js';
import { toProblem } from './problem.js';

export interface ProblemOptions {
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Back to where a key is entered. */
  readonly onKey: () => void;
}

/** What counts down in a place, to be stopped with it. */
const countdowns = new WeakMap<HTMLElement, ReturnType<typeof setInterval>>();

export const clearProblem = (host: HTMLElement): void => {
  clearInterval(countdowns.get(host));
  host.replaceChildren();
  host.hidden = true;
};

export const drawProblem = (host: HTMLElement, { error, onRetry, onKey }: ProblemOptions): void => {
  clearProblem(host);
  const { title, text, next } = toProblem(error);
  const retry = (): void => {
    clearProblem(host);
    onRetry();
  };
  host.append(element('h2', {}, title), element('p', {}, text));
  host.hidden = false;
  if (next === 'nothing') return;
  if (next === 'key') {
    host.append(button('Enter another key', {}, onKey));
    return;
  }
  host.append(button('Ask again', {}, retry));
  if (next === 'retry') return;
  let left = next.retryIn;
  // Seen and not heard: it changes every second.
  const said = element('span', { class: 'note', 'aria-hidden': 'true' });
  const say = (): void => {
    said.textContent = ` or by itself in ${left} s`;
  };
  say();
  host.append(said);
  countdowns.set(
    host,
    setInterval(() => {
      left -= 1;
      if (left <= 0) retry();
      else say();
    }, 1000),
  );
};
