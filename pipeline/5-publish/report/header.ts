import { type CheckResult, isBlocking } from '../checks/run.js';
import { type Html, html } from './html.js';
import type { LastSnapshot, ReportData } from './types.js';
import { instant, plural, spaced, whole } from './words.js';

export const renderHeader = (
  { dataset, made_at, counts, last, checks }: ReportData,
  sections: readonly { readonly id: string; readonly title: string }[],
): Html => {
  const verdict = judge(checks);
  const marked = counts.marked.reduce((sum, { sentences }) => sum + sentences, 0);
  return html`<header class="top">
<p class="over">Run report · ${instant(made_at)}</p>
<h1>${dataset.name}</h1>
<p class="lede">${dataset.description}</p>
<p class="verdict ${verdict.tone}"><strong>${verdict.text}</strong>${describeDifference(last)}${
    verdict.tone === 'good' ? null : html` <a href="#checks">What they found</a>.`
  }</p>
<dl class="figures">
<div><dt>Documents ${verdict.tone === 'bad' ? 'held back' : 'published'}</dt><dd>${whole(counts.documents)}</dd></div>
<div><dt>Sentences in them</dt><dd>${whole(counts.sentences)}</dd></div>
${
  marked === 0
    ? null
    : html`<div><dt>Of them marked, asked of no model</dt><dd>${whole(marked)}</dd></div>
`
}<div><dt>Left out</dt><dd>${whole(counts.rejects)}</dd></div>
<div><dt>Checks passed</dt><dd>${checks.filter(({ passed }) => passed).length} of ${checks.length}</dd></div>
<div><dt>Previous snapshot</dt><dd class="small mono">${last === null ? 'none' : last.id}</dd></div>
</dl>
<nav aria-label="Sections">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
</header>`;
};

const judge = (checks: readonly CheckResult[]): { readonly tone: 'good' | 'warn' | 'bad'; readonly text: string } => {
  const named = (failed: readonly CheckResult[]): string => failed.map(({ name }) => spaced(name)).join(', ');
  const blocking = checks.filter(isBlocking);
  const warning = checks.filter((check) => !check.passed && !isBlocking(check));
  if (blocking.length > 0) {
    return {
      tone: 'bad',
      text: `Nothing was published: ${plural(blocking.length, 'check')} failed (${named(blocking)}).`,
    };
  }
  const allowed = warning.filter(({ overridden }) => overridden !== undefined);
  if (allowed.length > 0) {
    return {
      tone: 'warn',
      text: `Published although ${plural(allowed.length, 'check')} failed, because somebody allowed it (${named(allowed)}).`,
    };
  }
  if (warning.length > 0) {
    return {
      tone: 'warn',
      text: `Every check that blocks publishing passed; ${plural(warning.length, 'warning')} to look at (${named(warning)}).`,
    };
  }
  return { tone: 'good', text: 'All checks passed.' };
};

const describeDifference = (last: LastSnapshot | null): string => {
  if (last === null) return 'There is no earlier snapshot to compare with.';
  const { difference } = last;
  if (difference === null) {
    return 'The previous snapshot was made from other input folders, or holds no document, and is not compared.';
  }
  const parts = [
    `${whole(difference.added)} new`,
    `${whole(difference.gone)} gone`,
    `${whole(difference.changed)} changed`,
    ...(difference.remeasured > 0 ? [`${whole(difference.remeasured)} measured anew from the same text`] : []),
  ];
  return `Documents against the previous snapshot: ${parts.join(', ')}.`;
};
