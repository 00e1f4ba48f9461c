/** The second section: what the metrics of the dataset look like over time and among its groups. */
import { type Cell, foreign, type Html, html, table } from './html.js';
import type { ReportPlan } from './plan.js';
import { balanceBar, lastOf, panelPlot, trendPlot, yearsOf } from './plots.js';
import type { Heat, Panel, PanelSet, RankedGroup, Ranking, ReportData, Trend } from './types.js';
import { capitalise, decimal, groupName, metricName, plural, signed, spaced, whole } from './words.js';

export const renderPlots = ({ panels, trends, ranking, heat }: ReportData, plan: ReportPlan): Html => {
  const parts = [
    ...(panels === null ? [] : [renderPanels(panels, plan)]),
    ...(trends.some(({ points }) => points.length > 0) ? [renderTrends(trends, plan)] : []),
    ...(ranking === null || ranking.rows.length === 0 ? [] : [renderRanking(ranking, plan)]),
    ...(heat === null || heat.years.length === 0 ? [] : [renderHeat(heat, plan)]),
  ];
  return parts.length === 0 ? html`<p class="note">There is no document with a metric to plot.</p>` : html`${parts}`;
};

const renderPanels = ({ metric, panels, dots, more }: PanelSet, { group, panels: words }: ReportPlan): Html => {
  const name = metricName(metric);
  const years = yearsOf(panels.flatMap((panel) => panel.dots.map(({ t }) => t)));
  const label = (panel: Panel): string =>
    `${name} of ${groupName(panel.group)}, ${yearSpan(panel)}, ${plural(panel.documents, 'document')}`;
  return html`<h3>${name} over time, by ${group.one}</h3>
<p class="note">${
    dots === 'documents'
      ? 'A dot is a document; one has none where the denominator of the metric is zero.'
      : 'Dots stand for documents that lie close together, the stronger the more.'
  } All panels share their axes: above zero is ${words?.up ?? 'more'}, below is ${words?.down ?? 'less'}.${
    more > 0 ? ` ${plural(more, group.one, group.many)} with fewer documents are not shown.` : ''
  }</p>
<p class="keys"><span class="key"><i class="up"></i>${words?.up ?? 'above zero'}</span><span class="key"><i class="down"></i>${
    words?.down ?? 'below zero'
  }</span><span class="key"><i class="ln"></i>mean of the year</span></p>
<div class="grid">${panels.map(
    (
      panel,
    ) => html`<figure><figcaption><h4>${foreign(groupName(panel.group))}</h4><p>${latestMean(panel)}</p></figcaption>
${panelPlot(panel, { years, label: label(panel) })}</figure>`,
  )}</div>`;
};

const yearSpan = ({ yearly }: Panel): string => {
  const [first, last] = [yearly[0]?.year, yearly.at(-1)?.year];
  return first === last ? String(first) : `${first} to ${last}`;
};

const latestMean = ({ yearly, documents }: Panel): Html => {
  const last = yearly.at(-1);
  return html`${plural(documents, 'document')}${last === undefined ? null : html`, mean of ${last.year} <b>${signed(last.mean)}</b>`}`;
};

const renderTrends = (trends: readonly Trend[], { trends: { centre, period }, group }: ReportPlan): Html => {
  const years = yearsOf(trends.flatMap(({ points }) => points.map(({ t }) => t)));
  const word = centre === 'mean' ? 'Mean' : 'Median';
  return html`<h3>Every ${group.one} together, by ${period.word}</h3>
<p class="note">${word} of the ${group.many}, each counted once a ${period.word}. Each panel has its own vertical axis.</p>
<p class="keys"><span class="key"><i class="ln"></i>${word.toLowerCase()}</span><span class="key"><i class="bn"></i>middle half of the ${group.many}</span></p>
<div class="grid">${trends.map((trend) => {
    const last = lastOf(trend);
    if (last === undefined) {
      return html`<figure><figcaption><h4>${metricName(trend.metric)}</h4></figcaption><p class="note">No document has this metric.</p></figure>`;
    }
    const { when, point } = last;
    const [value, of] = [decimal(point.centre, 3), plural(point.groups, group.one, group.many)];
    const label = `${word} ${metricName(trend.metric)} of ${group.many} by ${period.word}, ${when} ${value} of ${of}`;
    return html`<figure><figcaption><h4>${metricName(trend.metric)}</h4><p>${trend.description}; ${when} <b>${value}</b> of ${of}</p></figcaption>
${trendPlot(trend, { years, label, many: group.many })}</figure>`;
  })}</div>`;
};

const renderRanking = ({ metric, groups, rows }: Ranking, plan: ReportPlan): Html => {
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)));
  const columns = [
    { name: '#', kind: 'number' as const },
    { name: capitalise(spaced(plan.group.column)) },
    { name: 'Newest document' },
    { name: metricName(metric), kind: 'number' as const },
    { name: html`<span class="quiet">Bar</span>` },
  ];
  const cells = (row: RankedGroup): readonly Cell[] => [
    { content: row.place, kind: 'number' },
    {
      content: html`${foreign(groupName(row.group), 40)}${row.alias === null ? null : html` <span class="note">${foreign(row.alias, 40)}</span>`}`,
      kind: 'head',
    },
    { content: period(row) },
    { content: signed(row.value, 3), kind: 'number' },
    { content: balanceBar(row.value, most) },
  ];
  const gap = rows.findIndex((row, at) => at > 0 && row.place !== (rows[at - 1]?.place ?? 0) + 1);
  const parts = gap < 0 ? [rows] : [rows.slice(0, gap), rows.slice(gap)];
  return html`<h3>${capitalise(plan.group.many)} by ${metricName(metric).toLowerCase()}</h3>
<p class="note">The newest document of each of ${whole(groups)}; ${gap < 0 ? 'all of them' : `the first ${gap} and the last ${rows.length - gap}`}.</p>
<div class="ranks">${parts.map((part, at) =>
    table({
      caption: `${plan.group.many} by ${metricName(metric)}${gap < 0 ? '' : at === 0 ? ', first' : ', last'}`,
      columns,
      rows: part.map(cells),
      className: 'rank',
    }),
  )}</div>`;
};

const period = ({ beside }: RankedGroup): string => {
  const { year, quarter, date } = beside;
  return quarter === undefined || quarter === null ? String(date ?? year ?? '') : `Q${quarter} ${year}`;
};

const renderHeat = ({ years, rows }: Heat, plan: ReportPlan): Html => {
  const most = Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)));
  return html`<h3>${plan.heat?.title ?? ''}</h3>
<p class="note">Mean share of a document’s sentences that are on the topic, in percent; the stronger the colour, the more.</p>
${table({
  caption: 'Mean share of sentences on each topic by year, in percent',
  className: 'heat',
  columns: [{ name: 'Topic' }, ...years.map((year) => ({ name: String(year), kind: 'number' as const }))],
  rows: rows.map(({ metric, values }) => [
    { content: metricName(metric), kind: 'head' as const },
    ...values.map(
      (value): Cell => ({
        content: value === null ? '–' : (value * 100).toFixed(1),
        kind: 'number',
        level: value === null || most === 0 ? 0 : Math.round((value / most) * 10),
      }),
    ),
  ]),
})}`;
};
