import { sha256 } from '@noble/hashes/sha2.js';
import { causeWords, certaintyWords } from '../cache/causeWords';
import { drawingElement } from '../drawing/drawingSvg';
import { escapeMarkup } from '../drawing/markup';
import { drawingStyle, fontFamily } from '../drawing/svgStyle';
import { doubtfulOutput } from '../view/requestOutput';
import { base64 } from '../base/base64';
import { counted, formatMoney, formatNumber, formatQuality, formatShare } from '../base/format';
import type { SessionReport } from './sessionReport';

const pageStyle = `
body{margin:0 auto;max-width:1040px;padding:24px 20px 48px;background:var(--background);color:var(--foreground);font:14px/1.5 ${fontFamily}}
h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:36px 0 8px}p{margin:4px 0 12px}
.quiet{color:var(--muted)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:20px 0}
dl div{border:1px solid var(--line);border-radius:6px;padding:10px 12px}
dt{color:var(--muted);font-size:12px}dd{margin:2px 0 0;font-size:18px;font-weight:600}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
th{color:var(--muted);font-weight:600;font-size:12px}
.n{text-align:right;white-space:nowrap}.n+:not(.n){padding-left:14px}table+table{margin-top:18px}
.restricted{color:var(--restricted);font-weight:600}.private{font-weight:600}
figure{margin:0;border:1px solid var(--line);border-radius:6px;overflow:hidden}
svg{display:block;height:auto}
`;

/**
 * A page of its own: no script, nothing loaded, every text escaped, light or dark as the reader's system is. Its content
 * security policy allows its own style sheet alone.
 */
export function htmlReport(report: SessionReport, createdAt: string): string {
  const { summary, view } = report;
  const style = `${drawingStyle()}${pageStyle}`;
  const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(new TextEncoder().encode(style)))}'`;
  const title = text(summary.title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">${text([summary.agent.name, summary.agent.versions.join(', '), summary.model].filter(part => part !== '').join(' · '))}. Written by Context Inspector, ${text(createdAt)}.</p>
${figures(report)}
<figure>${drawingElement({
    summary,
    columns: report.columns,
    view,
    colour: 'sensitivity',
    candidates: new Set(report.prune.candidates),
  })}</figure>
<h2>Partitions of request ${report.index}</h2>
${table(
  ['Partition', 'Tokens|n', 'Share|n'],
  Object.entries(view.partitions).map(([name, tokens]) => [
    text(name),
    formatNumber(tokens),
    formatShare(view.total.value === 0 ? 0 : tokens / view.total.value),
  ]),
)}
${view.notRecorded.value === 0 ? '' : `<p class="quiet">${formatNumber(view.notRecorded.value)} tokens of the system partition are not recorded (${view.notRecorded.quality}).</p>`}
<h2>Largest blocks</h2>
${table(
  ['Block', 'Kind', 'Partition', 'Sensitivity', 'Line|n', 'Tokens|n'],
  report.largest.map(block => [
    text(block.label),
    text(block.kind),
    text(block.partition),
    `<span class="${block.sensitivity}">${text(block.sensitivity)}</span>`,
    formatNumber(block.line),
    formatNumber(block.tokens),
  ]),
)}
<p class="quiet">Block figures are ${formatQuality(view.quality, view.error)}.</p>
${cacheSection(report)}
${pruneSection(report)}
${sensitivitySection(report)}
</body>
</html>
`;
}

function figures(report: SessionReport): string {
  const { summary, view, index, requests, cost, cache } = report;
  const { read, written, fresh } = cache.input;
  const all = read + written + fresh;
  const problems = summary.problems.reduce((sum, { count }) => sum + count, 0);
  const rows: readonly (readonly [string, string])[] = [
    [`Request ${index} (of ${requests}, counted from 0)`, `${formatNumber(view.total.value)} tokens`],
    ['Quality', view.total.quality],
    [
      'Context window',
      view.window === undefined
        ? 'unknown'
        : `${formatShare(view.total.value / view.window)} of ${formatNumber(view.window)}`,
    ],
    ['Read from the cache, all requests', all === 0 ? 'not recorded' : formatShare(read / all)],
    ['Cost at list prices', costWords(cost)],
    ['Problems in the file', formatNumber(problems)],
  ];
  return `<dl>${rows.map(([term, value]) => `<div><dt>${text(term)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>${outputNote(report)}`;
}

/** Said where recorded output is known to be wrong. */
function outputNote({ columns, view, cost: { doubtful, estimated, recordedTotal } }: SessionReport): string {
  const output = doubtfulOutput(columns, view.request);
  const sentences = [
    doubtful + estimated === 0
      ? ''
      : `The output of ${counted(doubtful + estimated, 'request')} is recorded too low.`,
    estimated === 0
      ? ''
      : `In the cost it is estimated by the replies' own tokens; as recorded, the cost is ${formatMoney(recordedTotal)}.`,
    output?.estimate === undefined
      ? ''
      : `This request: ${formatNumber(output.recorded)} output tokens recorded, by the reply's own tokens about ${formatNumber(output.estimate.value)} (estimated).`,
  ].filter(sentence => sentence !== '');
  return sentences.length === 0 ? '' : `<p class="quiet">${text(sentences.join(' '))}</p>`;
}

function costWords({ total, requests, unpriced, doubtful, estimated }: SessionReport['cost']): string {
  if (requests === 0) {
    return 'unknown';
  }
  return `${doubtful > 0 ? 'at least ' : ''}${estimated > 0 ? 'about ' : ''}${formatMoney(total)}${unpriced > 0 ? `, without ${counted(unpriced, 'request')} of unknown price` : ''}`;
}

function cacheSection({ cache, columns }: SessionReport): string {
  const { findings, lost, causes } = cache;
  if (findings.length === 0) {
    return '<h2>Cache breaks</h2><p>None found: what was written was read again, as far as it is recorded.</p>';
  }
  const slots = new Map<number, number>();
  const names = [...columns.requests.thread].map(thread => {
    const slot = slots.get(thread) ?? 0;
    slots.set(thread, slot + 1);
    return thread === 0 ? String(slot) : `${thread}/${slot}`;
  });
  return `<h2>Cache breaks</h2>
<p>${formatNumber(lost.tokens)} tokens were paid for again${lost.money === undefined ? '' : `, ${formatMoney(lost.money)} at list prices`}.</p>
${table(
  ['Cause', 'Requests|n', 'Tokens lost|n', 'Money lost|n'],
  causes.map(({ cause, requests, tokensLost, moneyLost }) => [
    text(causeWords[cause]),
    formatNumber(requests),
    formatNumber(tokensLost),
    moneyLost === undefined ? 'unknown' : formatMoney(moneyLost),
  ]),
)}
${table(
  ['Request|n', 'Cause', 'Evidence', 'Tokens lost|n', 'Money lost|n'],
  findings.map(({ request, causes: found, certainty, evidence, tokensLost, moneyLost }) => [
    text(names[request] ?? ''),
    `${text(found.map(cause => causeWords[cause]).join(' and '))}<br><span class="quiet">${text(certaintyWords[certainty])}</span>`,
    evidence.map(text).join('<br>'),
    formatNumber(tokensLost),
    moneyLost === undefined ? 'unknown' : formatMoney(moneyLost),
  ]),
)}`;
}

function pruneSection({ prune }: SessionReport): string {
  const { protectTokens, minimumTokens, measure } = prune.options;
  return `<h2>What a prune would do</h2>
${table(
  [
    'Rule set',
    'Candidates|n',
    'Tokens freed|n',
    'Tokens after|n',
    'Cacheable prefix|n',
    'Written again|n',
    'Pays after|n',
    'Gained|n',
  ],
  prune.rows.map(row => [
    text(row.ruleSet),
    formatNumber(row.candidates),
    formatNumber(row.tokensFreed),
    formatNumber(row.tokensAfter),
    formatNumber(row.prefixTokens),
    ...(row.executes ? netCells(row.net) : ['', '', 'not executed']),
  ]),
)}
<p class="quiet">${formatNumber(protectTokens)} tokens protected, at least ${formatNumber(minimumTokens)} to be freed, measured in ${measure === 'tokens' ? 'tokens' : 'characters / 4'}.</p>`;
}

/** What is written again once, the requests until that is paid for, and what this session would have gained. */
function netCells({
  tokensRewritten,
  worth,
}: SessionReport['prune']['rows'][number]['net']): readonly string[] {
  return [
    formatNumber(tokensRewritten),
    worth === undefined
      ? 'unknown'
      : worth.breakEven === undefined
        ? 'never'
        : `${formatNumber(worth.breakEven)} requests`,
    worth === undefined ? 'unknown' : formatMoney(worth.gained.money),
  ];
}

function sensitivitySection({ sensitivity }: SessionReport): string {
  return `<h2>Sensitivity of the request</h2>
${
  sensitivity.length === 0
    ? '<p>No credentials and no personal data were found.</p>'
    : table(
        ['Rule', 'Label', 'Findings|n', 'First lines'],
        sensitivity.map(({ rule, label, count, lines }) => [
          text(rule),
          `<span class="${label === 'restricted' ? 'restricted' : 'private'}">${text(label)}</span>`,
          formatNumber(count),
          lines.map(formatNumber).join(', '),
        ]),
      )
}`;
}

/** Cells are markup; a heading that ends in `|n` is that of a column of numbers. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const classes = heads.map(head => (head.endsWith('|n') ? ' class="n"' : ''));
  return `<table><thead><tr>${heads
    .map((head, index) => `<th scope="col"${classes[index] ?? ''}>${text(head.replace(/\|n$/, ''))}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map(row => `<tr>${row.map((cell, index) => `<td${classes[index] ?? ''}>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
}

const text = escapeMarkup;
