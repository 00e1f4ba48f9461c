/** One document: the formula with its counts, and the sentences that were counted, each with its label. */
import type { DocumentPage, Sentence } from '../../client/types.js';
import { button, element } from './dom.js';
import { pullsOf, readCount, withCounts, wordOf } from './formula.js';
import { count, decimal, metricName, whole } from './words.js';

export interface SheetOptions {
  readonly page: DocumentPage;
  readonly sentences: readonly Sentence[];
  /** When and of whom it is, in words. */
  readonly name: string;
  /** The metric that is explained at first. */
  readonly metric: string;
  readonly onMetric: (metric: string) => void;
}

type Metric = DocumentPage['metrics'][number];

export const drawSheet = (host: HTMLElement, { page, sentences, name, metric, onMetric }: SheetOptions): void => {
  const { document: row, metrics } = page;
  const title = typeof row.title === 'string' ? row.title : '';
  const chooser = element('select', { id: 'sheet-metric' });
  chooser.append(
    ...metrics.map((one) =>
      element(
        'option',
        { value: one.metric },
        `${metricName(one.metric)}: ${one.value === null ? 'no value' : decimal(one.value)}`,
      ),
    ),
  );
  const explained = element('div', { class: 'explained' });
  const explain = (chosen: string): void => {
    const found = metrics.find((one) => one.metric === chosen) ?? metrics[0];
    if (found === undefined) return;
    chooser.value = found.metric;
    explained.replaceChildren(...drawFormula(found), ...drawSentences(found, sentences));
  };
  chooser.addEventListener('change', () => {
    explain(chooser.value);
    onMetric(chooser.value);
  });
  explain(metric);
  host.replaceChildren(
    ...(title === '' ? [] : [element('p', { class: 'over' }, name)]),
    element('h2', { id: 'sheet-title', tabindex: -1 }, title || name),
    drawFacts(page),
    element('div', { class: 'choose' }, element('label', { for: chooser.id }, 'Metric'), chooser),
    explained,
  );
};

const drawFacts = ({ document: row, snapshot }: DocumentPage): HTMLElement => {
  const facts: readonly (readonly [string, string | HTMLElement | undefined])[] = [
    ['Document', element('span', { class: 'mono' }, row.document_id)],
    ['Kind', textOf(row.document_type)?.replaceAll('_', ' ')],
    ['Meeting', meetingOf(row.start_date, row.end_date)],
    ['Company', textOf(row.company)],
    ['Source', linkTo(row.source_url)],
    ['Sentences', typeof row.sentence_count === 'number' ? whole(row.sentence_count) : undefined],
    ['Snapshot', element('span', { class: 'mono' }, snapshot)],
  ];
  return element(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([term, value]) =>
      value === undefined ? [] : [element('div', {}, element('dt', {}, term), element('dd', {}, value))],
    ),
  );
};

const textOf = (value: string | number | null | undefined): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value);

const meetingOf = (start: string | number | null | undefined, end: string | number | null | undefined) => {
  const [first, last] = [textOf(start), textOf(end)];
  return first === undefined || last === undefined || first === last ? (first ?? last) : `${first} to ${last}`;
};

/** A link only where it leads to a page: an address is text from the source like any other. */
const linkTo = (value: string | number | null | undefined): HTMLElement | string | undefined => {
  const text = textOf(value);
  if (text === undefined || !URL.canParse(text)) return text;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return text;
  return element('a', { href: text, target: '_blank', rel: 'noopener noreferrer' }, hostname);
};

const drawFormula = ({ metric, value, formula, description, counts }: Metric): readonly HTMLElement[] => [
  element('p', { class: 'about' }, description),
  element(
    'p',
    { class: 'formula' },
    element('span', {}, `${metric} = ${formula.replaceAll(' - ', ' − ').replaceAll(' / ', ' ÷ ')}`),
    element(
      'span',
      {},
      `= ${withCounts(formula, counts)} = `,
      element('strong', {}, value === null ? 'no value' : decimal(value)),
    ),
  ),
  ...(value === null
    ? [element('p', { class: 'about' }, 'The denominator is zero: there is nothing to divide by. That is not a zero.')]
    : []),
];

interface Tag {
  readonly model: string;
  readonly label: string;
  readonly pull: string;
}

/** The sentences with the labels of the models that the formula asks, and buttons that leave some out. */
const drawSentences = (metric: Metric, sentences: readonly Sentence[]): readonly HTMLElement[] => {
  const pulls = pullsOf(metric.formula, metric.counts);
  const asked = Object.keys(metric.counts).map(readCount);
  const given = asked.find((one) => one.given !== undefined)?.given;
  const models = [...new Set(asked.flatMap((one) => [one.model, ...(one.given ? [one.given.model] : [])]))];
  const [main = ''] = models;
  const pullOf = (model: string, label: string): string => {
    const found = [...pulls].find(([column]) => {
      const counted = readCount(column);
      return counted.model === model && counted.word === wordOf(label);
    });
    return found?.[1] ?? 'plain';
  };
  const isGiven = ({ labels }: Sentence): boolean =>
    given === undefined || wordOf(labels[given.model] ?? '') === given.word;
  const counted = sentences.filter(isGiven);
  const tagsOf = (sentence: Sentence): readonly Tag[] => {
    if (isMarked(sentence)) return [{ model: NOT_ASKED, label: `Left out: ${sentence.mark}`, pull: 'out' }];
    return models.flatMap((model) => {
      const label = sentence.labels[model];
      // A label that only counts beside another one does nothing without it.
      const pull = label !== null && label !== undefined && isGiven(sentence) ? pullOf(model, label) : 'plain';
      return label === null || label === undefined ? [] : [{ model, label, pull }];
    });
  };

  const left = sentences.filter(isMarked);
  const list = element('ol', { class: 'sentences' });
  const labels = [...new Set(counted.map(({ labels: all }) => all[main] ?? ''))].filter(Boolean);
  const amount = (label: string): number => counted.filter(({ labels: all }) => all[main] === label).length;
  const filters: readonly { readonly text: string; readonly rows: readonly Sentence[]; readonly pull: string }[] = [
    { text: `All ${whole(sentences.length)}`, rows: sentences, pull: 'plain' },
    ...(given === undefined
      ? []
      : [{ text: `${labelOf(sentences, given)} ${whole(counted.length)}`, rows: counted, pull: 'plain' }]),
    ...labels
      .sort((a, b) => order(pullOf(main, a)) - order(pullOf(main, b)) || (a < b ? -1 : 1))
      .map((label) => ({
        text: `${label} ${whole(amount(label))}`,
        rows: counted.filter(({ labels: all }) => all[main] === label),
        pull: pullOf(main, label),
      })),
    ...(left.length === 0 ? [] : [{ text: `Left out ${whole(left.length)}`, rows: left, pull: 'out' }]),
  ];
  const heading = element('p', { class: 'about', role: 'status' });
  const buttons: HTMLButtonElement[] = filters.map(({ text, rows, pull }, at) =>
    button(text, { class: `chip ${pull}`, 'aria-pressed': 'false' }, () => choose(rows, at)),
  );
  const choose = (rows: readonly Sentence[], at: number): void => {
    for (const [place, one] of buttons.entries()) one.setAttribute('aria-pressed', String(place === at));
    heading.textContent = `${count(rows.length, 'sentence')}, in the order of the text`;
    list.replaceChildren(...rows.map((sentence, place) => drawSentence(sentence, tagsOf(sentence), rows[place - 1])));
  };
  choose(sentences, 0);
  return [element('div', { class: 'filters', role: 'group', 'aria-label': 'Labels' }, ...buttons), heading, list];
};

/** In another language than English, or no sentence of the text: no model was asked. */
const isMarked = ({ mark }: Sentence): boolean => mark !== null && mark !== undefined;

const NOT_ASKED = 'No model was asked, and no metric counts it';

/** The label as the model gives it, where a sentence has it. */
const labelOf = (sentences: readonly Sentence[], { model, word }: { readonly model: string; readonly word: string }) =>
  sentences.map(({ labels }) => labels[model] ?? '').find((label) => wordOf(label) === word) ?? word;

const order = (pull: string): number => ['up', 'down', 'plain', 'out'].indexOf(pull);

const drawSentence = (sentence: Sentence, tags: readonly Tag[], before: Sentence | undefined): HTMLElement => {
  const speaker = spokenBy(sentence);
  // A line that names the speaker is heading enough.
  const isNew = speaker !== '' && sentence.mark !== 'speaker' && speaker !== spokenBy(before);
  const pull = tags.find((tag) => tag.pull !== 'plain')?.pull ?? 'plain';
  return element(
    'li',
    { class: pull, value: sentence.sentence_index + 1 },
    isNew ? element('p', { class: 'speaker' }, speaker) : undefined,
    element('p', { class: 'text' }, sentence.text),
    element(
      'p',
      { class: 'tags' },
      ...tags.map((tag) => element('span', { class: `tag ${tag.pull}`, title: tag.model }, tag.label)),
    ),
  );
};

/** Name and role, which an operator's name says already. */
const spokenBy = (sentence: Sentence | undefined): string =>
  [sentence?.speaker, sentence?.speaker?.toLowerCase() === sentence?.role ? null : sentence?.role]
    .filter(Boolean)
    .join(', ');
