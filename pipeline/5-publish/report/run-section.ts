/** The sixth section: what the run did, how fast, where, and which years the documents cover. */

import { type Cell, foreign, type Html, html, table } from './html.js';
import type { ReportPlan } from './plan.js';
import type { Coverage, ReportData, ReportStage } from './types.js';
import { capitalise, groupName, MISSING, plural, seconds, spaced, whole } from './words.js';

export const renderRun = ({ stages, lineage, coverage }: ReportData, plan: ReportPlan): Html => {
  const total = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const facts = stages.flatMap(({ stage, facts: said }) =>
    Object.entries(said).map(([name, value]) => ({ stage, name, value })),
  );
  return html`${
    stages.length === 0
      ? html`<p class="note">No stage has reported.</p>`
      : html`<p class="note">${plural(stages.length, 'stage')} before publishing took ${seconds(total)}. A unit is the work of a stage on one part of the dataset; only stale ones are redone.</p>
${table({
  caption: 'Stages of the run',
  columns: [
    { name: 'Stage' },
    { name: 'Units', kind: 'number' },
    { name: 'Stale', kind: 'number' },
    { name: 'Time', kind: 'number' },
    { name: 'A second', kind: 'number' },
    { name: 'Amounts' },
  ],
  rows: stages.map(stageCells),
})}`
  }${
    facts.length === 0
      ? null
      : html`<h3>Where it ran</h3>${table({
          caption: 'What the stages say about where they ran',
          className: 'fit',
          columns: [{ name: 'Stage' }, { name: 'Fact' }, { name: 'Value' }],
          rows: facts.map(({ stage, name, value }) => [
            { content: capitalise(stage), kind: 'head' as const },
            { content: spaced(name) },
            { content: foreign(value, 200) },
          ]),
        })}`
  }${
    lineage === null
      ? null
      : html`<p class="note">Lineage, in OpenLineage’s form: run ${lineage.event.run.runId}, in <code>${`<outputs>/${lineage.file}`}</code>; what was known of it before publishing, in report.json.</p>`
  }${renderCoverage(coverage, plan)}`;
};

const stageCells = (report: ReportStage): readonly Cell[] => {
  const { stage, units, stale, amounts, throughput } = report;
  return [
    { content: capitalise(stage), kind: 'head' },
    { content: whole(units), kind: 'number' },
    { content: whole(stale), kind: 'number' },
    { content: seconds(report.seconds), kind: 'number' },
    {
      content:
        throughput === null
          ? MISSING
          : `${whole(throughput.per_second)} ${spaced(throughput.amount).replace(' made', '')}`,
      kind: 'number',
    },
    {
      content: html`<div class="amounts">${Object.entries(amounts)
        .map(([name, amount]) => `${whole(amount)} ${amountName(name, amount)}`)
        .join(' · ')}</div>`,
    },
  ];
};

/** Amounts whose names alone do not say what they count. */
const AMOUNTS: Readonly<Record<string, string>> = {
  marked: 'of them marked',
  rejects: 'left out',
  unique_texts: 'different texts in stale units',
  predictions_reused: 'for such texts known from earlier runs',
};

const amountName = (name: string, amount: number): string =>
  AMOUNTS[name] ?? (amount === 1 ? spaced(name).replace(/s$/, '') : spaced(name));

const renderCoverage = ({ years, rows, others }: Coverage, { group }: ReportPlan): Html => {
  if (rows.length === 0) return html``;
  const most = Math.max(1, ...rows.flatMap(({ values }) => values));
  const level = (n: number): number => (n === 0 ? 0 : Math.max(1, Math.round((n / most) * 10)));
  const line = (name: Html, values: readonly number[], total: number, shaded: boolean): readonly Cell[] => [
    { content: name, kind: 'head' },
    ...values.map((n): Cell => ({ content: n === 0 ? '·' : whole(n), kind: 'number', level: shaded ? level(n) : 0 })),
    { content: html`<b>${whole(total)}</b>`, kind: 'number' },
  ];
  const earlier = rows.some(({ values, total }) => values.reduce((sum, n) => sum + n, 0) < total);
  return html`<h3>Documents by ${group.one} and year</h3>
${earlier ? html`<p class="note">Years before ${years[0] ?? ''} are only in the last column.</p>` : null}
${table({
  caption: `Documents by ${group.one} and year`,
  className: 'heat',
  columns: [
    { name: capitalise(group.one) },
    ...years.map((year) => ({ name: String(year), kind: 'number' as const })),
    { name: 'All', kind: 'number' },
  ],
  rows: [
    ...rows.map(({ group: id, values, total }) => line(foreign(groupName(id), 40), values, total, true)),
    ...(others === null
      ? []
      : [
          line(
            html`${plural(others.groups, `other ${group.one}`, `other ${group.many}`)}`,
            others.values,
            others.total,
            false,
          ),
        ]),
  ],
})}`;
};
