/** What the reader chooses by: dataset, banks or tickers, metrics, period, and how it is drawn. */
import type { Coverage, Dataset } from '../../client/types.js';
import { fromDay, toDay } from './days.js';
import { button, element, get } from './dom.js';
import { openPicker, type Picker } from './picker.js';
import { type Selection, SMOOTHINGS } from './selection.js';
import { count, metricName, subjectName } from './words.js';

export interface Controls {
  /** @param last the newest day of the chosen ones, for "the last five years"; undefined where none has a day */
  readonly show: (
    selection: Selection,
    datasets: readonly Dataset[],
    dataset: Dataset,
    coverage: Coverage,
    last: number | undefined,
  ) => void;
}

const SPANS = [1, 3, 5, 10] as const;
const YEAR = 365.25;

export const openControls = (onChange: (change: Partial<Selection>) => void): Controls => {
  const [from, to] = [get('from', HTMLInputElement), get('to', HTMLInputElement)];
  const [smooth, charts] = [get('smooth', HTMLSelectElement), get('charts', HTMLSelectElement)];
  const asOf = get('as-of', HTMLInputElement);
  let picks = 'bank_name';
  const pickSubjects = (host: HTMLElement, label: string, hint: string): Picker =>
    openPicker({ host, label, hint, onChange: (chosen) => onChange({ subjects: chosen }) });
  let subjectPicker = pickSubjects(get('subjects', HTMLElement), 'Banks', 'Add a bank');
  const metricPicker = openPicker({
    host: get('metrics', HTMLElement),
    label: 'Metrics',
    hint: 'Add a metric',
    onChange: (chosen) => onChange({ metrics: chosen }),
  });

  get('controls', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  const readPeriod = (): void => {
    const read = (input: HTMLInputElement, end: string): string =>
      input.type === 'number' && /^\d{4}$/.test(input.value) ? `${input.value}-${end}` : input.value;
    const [first, last] = [read(from, '01-01'), read(to, '12-31')];
    const valid = [first, last].every((text) => text === '' || toDay(text) !== undefined);
    from.setCustomValidity(valid && first !== '' && last !== '' && first > last ? 'This is after the last day.' : '');
    if (valid && from.reportValidity()) onChange({ from: first, to: last });
  };
  for (const input of [from, to]) input.addEventListener('change', readPeriod);
  smooth.addEventListener('change', () =>
    onChange({ smooth: SMOOTHINGS.find((size) => String(size) === smooth.value) ?? 1 }),
  );
  charts.addEventListener('change', () => onChange({ charts: charts.value === 'one' ? 'one' : 'each' }));
  asOf.addEventListener('change', () => onChange({ asOf: toDay(asOf.value) === undefined ? '' : asOf.value }));

  const showPeriod = (selection: Selection, kind: 'years' | 'days'): void => {
    for (const [input, day] of [
      [from, selection.from],
      [to, selection.to],
    ] as const) {
      input.type = kind === 'years' ? 'number' : 'date';
      input.placeholder = kind === 'years' ? 'year' : '';
      input.min = kind === 'years' ? '1900' : '1900-01-01';
      input.max = kind === 'years' ? '2100' : '2100-12-31';
      const text = kind === 'years' ? day.slice(0, 4) : day;
      if (input.value !== text) input.value = text;
    }
  };

  return {
    show: (selection, datasets, dataset, coverage, last) => {
      get('datasets', HTMLFieldSetElement).replaceChildren(
        element('legend', { class: 'quiet' }, 'Dataset'),
        ...datasets.map(({ id, name }) => {
          const isChosen = id === dataset.id;
          return button(name, { class: 'segment', 'aria-pressed': String(isChosen) }, () => {
            if (!isChosen) onChange({ dataset: id, subjects: [], metrics: [], from: '', to: '', document: '' });
          });
        }),
      );
      if (picks !== coverage.by) {
        picks = coverage.by;
        subjectPicker =
          picks === 'ticker'
            ? pickSubjects(fresh('subjects'), 'Tickers', 'Add a ticker or company')
            : pickSubjects(fresh('subjects'), 'Banks', 'Add a bank');
      }
      subjectPicker.show(
        coverage.groups.map(({ value, name, documents, first_year: first, last_year: latest }) => ({
          value,
          name: picks === 'ticker' ? value : subjectName(value),
          note: `${name === null ? '' : `${name} · `}${count(documents, 'document')}, ${first === latest ? first : `${first}–${latest}`}`,
        })),
        selection.subjects,
      );
      metricPicker.show(
        dataset.metrics.map(({ name, description }) => ({ value: name, name: metricName(name), note: description })),
        selection.metrics,
      );
      showPeriod(selection, picks === 'ticker' ? 'years' : 'days');
      get('spans', HTMLElement).replaceChildren(
        ...(last === undefined
          ? []
          : SPANS.map((years) => {
              const first = fromDay(Math.round(last - years * YEAR));
              const start = picks === 'ticker' ? `${Number(first.slice(0, 4)) + 1}-01-01` : first;
              return button(
                years === 1 ? '1 year' : `${years} years`,
                { class: 'link', 'aria-pressed': String(selection.from === start && selection.to === '') },
                () => onChange({ from: start, to: '' }),
              );
            })),
        button('All', { class: 'link', 'aria-pressed': String(selection.from === '' && selection.to === '') }, () =>
          onChange({ from: '', to: '' }),
        ),
      );
      smooth.value = String(selection.smooth);
      charts.value = selection.charts;
      asOf.value = selection.asOf;
    },
  };
};

/** The same place without what listens there. */
const fresh = (id: string): HTMLElement => {
  const old = get(id, HTMLElement);
  const made = element('div', { id });
  old.replaceWith(made);
  return made;
};
