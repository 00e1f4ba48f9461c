import { renderHeader } from './header.js';
import { type Html, html } from './html.js';
import { REPORT_PLANS } from './plan.js';
import { renderPlots } from './plot-section.js';
import { renderRun } from './run-section.js';
import { renderChecks, renderDocuments, renderModels, renderRejects, renderShares } from './sections.js';
import { STYLE } from './style.js';
import type { ReportData } from './types.js';
import { instant } from './words.js';

/** A report as one HTML file: no network, no script, nothing beside it. */
export const renderReport = (data: ReportData): string => {
  const plan = REPORT_PLANS[data.dataset.id];
  const sections: readonly { readonly id: string; readonly title: string; readonly body: Html }[] = [
    { id: 'measures', title: 'What the documents say', body: renderPlots(data, plan) },
    { id: 'labels', title: 'Label shares', body: renderShares(data) },
    { id: 'rejects', title: 'What was left out', body: renderRejects(data) },
    { id: 'checks', title: 'Checks', body: renderChecks(data) },
    { id: 'run', title: 'The run', body: renderRun(data, plan) },
    { id: 'documents', title: 'Newest documents', body: renderDocuments(data, plan) },
    { id: 'models', title: 'Models, formulas, settings', body: renderModels(data) },
  ];
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${data.dataset.name} · report of ${instant(data.made_at)}</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
${renderHeader(data, sections)}
<main>
${sections.map(
  ({ id, title, body }) => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${body}
</section>
`,
)}</main>
<footer>Fintext · ${data.dataset.name} · ${instant(data.made_at)} · the same figures are in report.json</footer>
</body>
</html>
`;
  return `<!doctype html>\n${page.html}`;
};
