import type { Row, Value } from '../../../src/database.js';
import { type CheckResult, isBlocking } from '../checks/run.js';
import { type Cell, foreign, type Html, html, sourceLink, table } from './html.js';
import type { ReportPlan } from './plan.js';
import { shareBar, toneOf } from './plots.js';
import type { RejectGroup, ReportData, ReportFormula } from './types.js';
import { capitalise, decimal, groupName, MISSING, metricName, percent, plural, spaced, whole } from './words.js';

const SHOWN_SUBJECTS = 5;
const SHOWN_DOCUMENTS = 25;
const SHOWN_FORMULAS = 13;

export const renderShares = ({ shares, counts }: ReportData): Html => {
  const compared = shares.some(({ labels }) => labels.some(({ before }) => before !== null));
  const asked = counts.sentences - counts.marked.reduce((sum, { sentences }) => sum + sentences, 0);
  return html`<p class="note">Shares of all ${plural(asked, 'sentence')} that the models were asked about, one bar a model.${
    compared ? '' : ' There is no comparable snapshot before this one.'
  }</p>
${compared ? html`<p class="keys"><span class="key"><i class="tick"></i>where the label ended in the previous snapshot</span></p>` : null}
<div class="shares">${shares.map(
    (model) => html`<div><h4>${model.name} <span class="note mono">${model.model}</span></h4>
${shareBar(model)}<ul>${model.labels.map(
      ({ label, share, before }, index) =>
        html`<li><i class="${toneOf(index, model.labels.length)}"></i>${label} ${percent(share)}${
          before === null ? null : html` <span>was ${percent(before)}</span>`
        }</li>`,
    )}</ul></div>`,
  )}</div>`;
};

/** What each mark says of a sentence; one that is not here is named as it is. */
const MARKS: Readonly<Record<string, string>> = {
  foreign: 'in a paragraph that is not in English',
  furniture: 'menus, notices, what is printed on every page',
  speaker: 'names of who speaks or takes part',
  table: 'cells and rows of tables',
};

const renderMarked = (marked: ReportData['counts']['marked']): Html =>
  html`${marked.map(
    ({ mark, sentences, documents }) =>
      html`<p class="note">${plural(sentences, 'sentence')} of ${plural(documents, 'document')} asked of no model and not counted: ${MARKS[mark] ?? mark}.</p>
`,
  )}`;

export const renderRejects = ({ rejects, counts, checks }: ReportData): Html => {
  const marked = renderMarked(counts.marked);
  if (counts.rejects === 0)
    return html`<p>No document was left out.</p>
${marked}`;
  const found = counts.rejects + counts.documents;
  return html`<p class="note">${whole(found)} found: ${plural(counts.documents, 'document')} ${checks.some(isBlocking) ? 'held back by a check' : 'published'}, ${whole(counts.rejects)} left out (${percent(counts.rejects / found)}), by reason.${
    rejects.more > 0 ? ` Another ${whole(rejects.more)} have rarer reasons, and are in rejects.parquet.` : ''
  }</p>
<ol class="reasons">${rejects.groups.map(rejectGroup)}</ol>
${marked}`;
};

const rejectGroup = ({ stage, reason, n, examples }: RejectGroup): Html => {
  const line = ({ subject, reason: own }: RejectGroup['examples'][number]): Html =>
    html`<li><span class="mono">${foreign(subject, 200)}</span>${own === null ? null : html` — ${foreign(own, 300)}`}</li>\n`;
  const hidden = examples.slice(SHOWN_SUBJECTS);
  return html`<li><div class="count">${whole(n)}</div><div><p class="what">${foreign(reason, 300)} <span class="note">(${stage})</span></p>
<ul class="subjects">${examples.slice(0, SHOWN_SUBJECTS).map(line)}</ul>${
    hidden.length === 0
      ? null
      : html`<details><summary>${whole(hidden.length)} more${
          examples.length < n ? ` of ${whole(n - SHOWN_SUBJECTS)}` : ''
        }</summary><ul class="subjects">${hidden.map(line)}</ul></details>`
  }</div></li>\n`;
};

export const renderChecks = ({ checks }: ReportData): Html => {
  const failed = checks.filter(({ passed }) => !passed);
  return html`${table({
    caption: 'Checks before publishing',
    columns: [
      { name: 'Result' },
      { name: 'Check' },
      { name: 'What must hold' },
      { name: 'Offending rows', kind: 'number' },
    ],
    className: 'named',
    rows: [...checks]
      .sort((a, b) => urgency(a) - urgency(b))
      .map((check) => [
        { content: result(check) },
        { content: html`<span class="mono">${foreign(check.name)}</span>`, kind: 'head' as const },
        { content: check.about },
        { content: check.passed ? MISSING : whole(check.offending), kind: 'number' as const },
      ]),
  })}${failed.map(offendingRows)}`;
};

/** What is to be looked at stands first, else in the order in which it was checked. */
const urgency = (check: CheckResult): number => (isBlocking(check) ? 0 : check.passed ? 2 : 1);

const result = ({ passed, severity, overridden }: CheckResult): Html => {
  if (passed) return html`<span class="pass">✓ passed</span>`;
  if (overridden !== undefined) return html`<span class="warning">! allowed: ${foreign(overridden, 300)}</span>`;
  return severity === 'block' ? html`<span class="fail">✗ failed</span>` : html`<span class="warning">! warning</span>`;
};

const offendingRows = ({ name, rows, offending }: CheckResult): Html => {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return html``;
  return html`<h3>Offending rows of <span class="mono">${name}</span></h3>
<p class="note">${rows.length < offending ? `The first ${rows.length} of ${whole(offending)}.` : plural(offending, 'row')}</p>
${table({
  caption: `Offending rows of ${name}`,
  className: 'fit',
  columns: columns.map((column) => ({ name: spaced(column) })),
  rows: rows.map((row) => columns.map((column): Cell => anyCell(row[column] ?? null))),
})}`;
};

const anyCell = (value: Value): Cell => {
  if (value === null) return { content: MISSING };
  return typeof value === 'number' ? { content: shortNumber(value) } : { content: foreign(value) };
};

const shortNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));

export const renderDocuments = ({ documents, counts }: ReportData, plan: ReportPlan): Html => {
  const metrics = plan.main.filter((name) => documents[0] !== undefined && name in documents[0]);
  const part = (rows: readonly Row[], which: string): Html =>
    table({
      caption: `Metrics of the newest documents${which}`,
      columns: [
        { name: capitalise(plan.group.one) },
        ...plan.beside.map((name) => ({ name: capitalise(spaced(name)) })),
        { name: 'Document' },
        { name: 'Sentences', kind: 'number' as const },
        ...metrics.map((name) => ({ name: metricName(name), kind: 'number' as const })),
      ],
      rows: rows.map((row) => documentCells(row, plan, metrics)),
      className: 'documents',
    });
  const hidden = documents.slice(SHOWN_DOCUMENTS);
  const ahead = documents.filter(isAhead).length;
  if (documents.length === 0) return html`<p>There is none.</p>`;
  return html`<p class="note">${
    documents.length < counts.documents
      ? `The newest ${documents.length} of ${whole(counts.documents)}`
      : plural(documents.length, 'document')
  }; ${MISSING} where the denominator of a metric is zero. All metrics are in documents.parquet.${
    ahead === 0
      ? null
      : ` ${plural(ahead, 'document')} dated after the day of the run ${ahead === 1 ? 'comes' : 'come'} last.`
  }</p>
${part(documents.slice(0, SHOWN_DOCUMENTS), '')}${
  hidden.length === 0
    ? null
    : html`<details><summary>${hidden.length} more</summary>${part(hidden, ', continued')}</details>`
}`;
};

const isAhead = (row: Row): boolean => row.dated_ahead === 1;

const documentCells = (row: Row, plan: ReportPlan, metrics: readonly string[]): readonly Cell[] => [
  { content: foreign(groupName(String(row[plan.group.column] ?? MISSING)), 60), kind: 'head' },
  ...plan.beside.map((name): Cell => {
    const value = row[name] ?? null;
    const text = value === null ? MISSING : spaced(String(value));
    return { content: /^[\d-]+$/.test(text) ? html`<span class="day">${text}</span>` : text };
  }),
  {
    content: html`<div class=\"title\">${sourceLink(textOf(row.source_url), foreign(textOf(row.title) ?? textOf(row.document_id) ?? MISSING, 90))}${isAhead(row) ? html` <span class="warning">dated ahead</span>` : null}</div>`,
  },
  { content: whole(Number(row.sentence_count ?? 0)), kind: 'number' },
  ...metrics.map((name): Cell => {
    const value = row[name];
    return { content: decimal(typeof value === 'number' ? value : null, 3), kind: 'number' };
  }),
];

const textOf = (value: Value | undefined): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

export const renderModels = ({ models, formulas, settings }: ReportData): Html => html`<h3>Models</h3>
<p class="note">A fingerprint is a hash of the files that answer: another one means other answers. Here are their first 16 digits.</p>
${table({
  caption: 'Models with fingerprints',
  columns: [{ name: 'Model' }, { name: 'Labels' }, { name: 'Fingerprint' }],
  rows: models.map(({ id, name, labels, fingerprint, own }) => [
    {
      content: html`${name} <span class="note mono">${id}</span>${own ? html` <span class="note">your own</span>` : null}`,
      kind: 'head' as const,
    },
    { content: labels.join(' · ') },
    { content: html`<code title="${fingerprint}">${fingerprint.slice(0, 16)}</code>` },
  ]),
})}
<h3>Formulas</h3>
${formulaTable(formulas.slice(0, SHOWN_FORMULAS), 'Formulas')}${
  formulas.length <= SHOWN_FORMULAS
    ? null
    : html`<details><summary>${formulas.length - SHOWN_FORMULAS} more</summary>${formulaTable(formulas.slice(SHOWN_FORMULAS), 'Formulas, continued')}</details>`
}
<h3>Settings</h3>
${table({
  caption: 'Settings of the run',
  columns: [{ name: 'Setting' }, { name: 'Value' }, { name: 'Meaning' }],
  rows: settings.map(({ flag, value, about }) => [
    { content: html`<code class="day">${flag}</code>`, kind: 'head' as const },
    { content: value },
    { content: about },
  ]),
})}`;

const formulaTable = (formulas: readonly ReportFormula[], caption: string): Html =>
  table({
    caption,
    className: 'named',
    columns: [
      { name: 'Metric' },
      { name: 'Formula, in sentences of the document' },
      { name: 'Range' },
      { name: 'Meaning' },
    ],
    rows: formulas.map(({ name, description, formula, range: [least, most] }) => [
      { content: html`<code>${foreign(name)}</code>`, kind: 'head' as const },
      { content: html`<code>${formula}</code>` },
      { content: html`<span class="day">${decimal(least, 0)} to ${decimal(most, 0)}</span>` },
      { content: description },
    ]),
  });
