import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '../base/base64';
import { escapeMarkup } from '../base/escapeMarkup';
import { formatMoney as money, formatNumber as number, formatShare as percent } from '../base/format';
import { currentTranslations, translate } from '../base/translate';
import { causeWords, certaintyWords, diagnosisText, diagnosisWords } from '../cache/causeWords';
import { drawingElement } from '../drawing/drawingSvg';
import { kindWords, partitionWords, sensitivityWords } from '../drawing/drawingWords';
import { drawingStyle, fontFamily } from '../drawing/svgStyle';
import { exposureCells, exposureHeads } from '../exposure/exposureWords';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { type SensitivityLabel, partitionNames } from '../model/labels';
import { planText, plannerTexts, plannerWords } from '../stability/planWords';
import { costNotes } from '../tokens/costNotes';
import { costText, knownCost } from '../tokens/usageFigures';
import { qualityWords } from '../tokens/qualityWords';
import { windowText } from '../tokens/windowWords';
import { jumpSentence, ownWords } from '../view/notRecordedParts';
import { requestLabel, requestNames, requestNumber } from '../view/requestNames';
import { doubtfulOutput } from '../view/requestOutput';
import { WasteWords, savingText, wasteHeadline } from '../waste/wasteWords';
import { placeWords } from './fileFindings';
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
 * The report as one page. It has no script, loads nothing, and follows the light or dark mode of the system. Every text
 * is escaped, and the content security policy allows only the page's own style sheet.
 */
export function htmlReport(report: SessionReport, createdAt: string): string {
  const { summary, view } = report;
  const style = `${drawingStyle()}${pageStyle}`;
  const policy = `default-src 'none'; style-src 'sha256-${base64(sha256(new TextEncoder().encode(style)))}'`;
  const title = text(summary.title);
  return `<!doctype html>
<html lang="${text(currentTranslations().language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">${text([summary.agent.name, summary.agent.versions.join(', '), summary.model].filter(part => part !== '').join(' · '))}. ${text(translate('Written by Context Inspector, {0}.', createdAt))}</p>
${figures(report)}
<figure>${drawingElement({
    summary,
    columns: report.columns,
    view,
    colour: 'sensitivity',
    candidates: new Set(report.prune.candidates),
  })}</figure>
<h2>${text(translate('Lanes of request {0}', requestNumber(report.index)))}</h2>
${table(
  [translate('Lane'), `${translate('Tokens')}|n`, `${translate('Share')}|n`],
  partitionNames
    .map(name => [name, view.partitions[name]] as const)
    .map(([name, tokens]) => [
      `<span title="${text(name)}">${text(partitionWords[name])}</span>`,
      number(tokens),
      text(percent(view.total.value === 0 ? 0 : tokens / view.total.value)),
    ]),
)}
${notRecordedNote(report)}
<h2>${text(translate('Largest blocks'))}</h2>
${table(
  [
    translate('Block'),
    translate('Kind'),
    translate('Lane'),
    translate('Sensitivity'),
    `${translate('Line')}|n`,
    `${translate('Tokens')}|n`,
  ],
  report.largest.map(block => [
    text(block.label),
    text(kindWords[block.kind]),
    text(partitionWords[block.partition]),
    labelCell(block.sensitivity),
    number(block.line),
    number(block.tokens),
  ]),
)}
${blockNote(report)}
${cacheSection(report)}
${planSection(report)}
${wasteSection(report)}
${pruneSection(report)}
${sensitivitySection(report)}
${fileSection(report)}
${exposureSection(report)}
</body>
</html>
`;
}

function notRecordedNote({ view: { notRecorded }, notRecordedParts }: SessionReport): string {
  const finding = jumpSentence(notRecordedParts);
  const parts = [...ownWords(notRecordedParts), ...(finding === undefined ? [] : [finding])];
  return notRecorded.value === 0
    ? ''
    : quiet(
        translate(
          '{0} tokens of {2} are not recorded ({1}).',
          number(notRecorded.value),
          qualityWords[notRecorded.quality],
          partitionWords.system,
        ),
      ) + parts.map(quiet).join('');
}

function blockNote({ view: { quality, error } }: SessionReport): string {
  const word = qualityWords[quality];
  return quiet(
    error >= 0.001
      ? translate('Block figures are {0}, expected error ±{1}.', word, percent(error))
      : translate('Block figures are {0}.', word),
  );
}

function figures(report: SessionReport): string {
  const { summary, view, index, requests, cost, cache } = report;
  const { read, written, fresh } = cache.input;
  const all = read + written + fresh;
  const problems = summary.problems.reduce((sum, { count }) => sum + count, 0);
  const rows: readonly (readonly [string, string])[] = [
    [
      translate('Request {0} of {1}', requestNumber(index), number(requests)),
      translate('{0, plural, one {# token} other {# tokens}}', view.total.value),
    ],
    [translate('Quality'), qualityWords[view.total.quality]],
    [
      translate('Context window'),
      view.window === undefined
        ? translate('unknown')
        : translate('{0} of {1}', percent(view.total.value / view.window), windowText(view)),
    ],
    [
      translate('Read from the cache, all requests'),
      all === 0 ? translate('not recorded') : percent(read / all),
    ],
    [translate('Cost at list prices'), costText(knownCost(cost)) || translate('unknown')],
    [translate('Problems in the file'), number(problems)],
  ];
  return `<dl>${rows.map(([term, value]) => `<div><dt>${text(term)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>${outputNote(report)}`;
}

/** A note for sessions whose recorded output is known to be wrong. */
function outputNote({ columns, view, cost }: SessionReport): string {
  const output = doubtfulOutput(columns, view.request);
  const sentences = [...costNotes(cost)];
  if (cost.withReplies !== undefined) {
    sentences.push(
      translate(
        'With the output estimated from the replies, the cost is about {0}.',
        money(cost.withReplies),
      ),
    );
  }
  if (output?.estimate !== undefined) {
    sentences.push(
      translate(
        'This request: {0} output tokens recorded, about {1} in the reply itself (estimated).',
        number(output.recorded),
        number(output.estimate.value),
      ),
    );
  }
  return sentences.length === 0 ? '' : quiet(sentences.join(' '));
}

function planSection({ plans, index }: SessionReport): string {
  return `<h2>${text(translate('Breakpoints of request {0}', requestNumber(index)))}</h2>
${table(
  [translate('Planned'), translate('Breakpoints'), translate('Why')],
  plans.map(({ planner, plan }) => [
    text(plannerWords[planner]),
    text(planText(plan)),
    text(plannerTexts[planner]),
  ]),
)}`;
}

function cacheSection({ cache, columns }: SessionReport): string {
  const { findings, lost, causes, diagnostics } = cache;
  const verdicts = cacheDiagnosisTypes.flatMap(type => {
    const count = diagnostics[type];
    return count === undefined ? [] : [[text(diagnosisWords[type]), number(count)]];
  });
  const heading = `<h2>${text(translate('Cache lost'))}</h2>${
    verdicts.length === 0
      ? ''
      : table([translate('Provider’s verdict'), `${translate('Requests')}|n`], verdicts)
  }`;
  if (findings.length === 0) {
    const none = translate('Never: as far as recorded, everything written was read again.');
    return `${heading}<p>${text(none)}</p>`;
  }
  const labels = requestNames([...columns.requests.thread].map(thread => ({ thread }))).map(requestLabel);
  const cost = (amount: number | undefined): string =>
    amount === undefined ? translate('unknown') : money(amount);
  const paid =
    lost.money === undefined
      ? translate('{0} tokens were paid for again.', number(lost.tokens))
      : translate(
          '{0} tokens were paid for again, {1} at list prices.',
          number(lost.tokens),
          money(lost.money),
        );
  const lostHeads = [`${translate('Tokens lost')}|n`, `${translate('Money lost')}|n`];
  return `${heading}
<p>${text(paid)}</p>
${table(
  [translate('Cause'), `${translate('Requests')}|n`, ...lostHeads],
  causes.map(({ cause, requests, tokensLost, moneyLost }) => [
    text(causeWords[cause]),
    number(requests),
    number(tokensLost),
    text(cost(moneyLost)),
  ]),
)}
${table(
  [`${translate('Request')}|n`, translate('Cause'), translate('Evidence'), ...lostHeads],
  findings.map(({ request, causes: found, certainty, recorded, evidence, tokensLost, moneyLost }) => [
    text(labels[request] ?? ''),
    `${text(found.map(cause => causeWords[cause]).join(', '))}<br><span class="quiet">${text(certaintyWords[certainty])}</span>`,
    [
      ...(recorded === null ? [] : [translate('The provider says: {0}.', diagnosisText(recorded))]),
      ...evidence,
    ]
      .map(text)
      .join('<br>'),
    number(tokensLost),
    text(cost(moneyLost)),
  ]),
)}`;
}

function wasteSection({ waste, summary, columns }: SessionReport): string {
  const words = new WasteWords({ summary, columns });
  const heading = `<h2>${text(translate('Waste, and what to do'))}</h2>`;
  if (waste.findings.length === 0) {
    return `${heading}<p>${text(translate('Nothing was found that need not have been sent.'))}</p>`;
  }
  return `${heading}
<p>${text(wasteHeadline(waste))}</p>
${table(
  [
    translate('What'),
    translate('What to do'),
    `${translate('Requests')}|n`,
    `${translate('Tokens')}|n`,
    `${translate('Saved')}|n`,
  ],
  waste.findings.map(finding => {
    const { title, evidence, advice } = words.of(finding);
    return [
      `${text(title)}<br><span class="quiet">${text(evidence)}</span>`,
      `${text(advice.text)}${advice.code === '' ? '' : ` <code>${text(advice.code)}</code>`}`,
      number(finding.requests),
      number(finding.tokens),
      text(savingText(finding)),
    ];
  }),
)}`;
}

function pruneSection({ prune }: SessionReport): string {
  const { protectTokens, minimumTokens, measure } = prune.options;
  const note = translate(
    'The newest {0} tokens are kept, and at least {1} have to be freed. Measured in {2}.',
    number(protectTokens),
    number(minimumTokens),
    measure === 'tokens' ? translate('tokens') : translate('characters / 4'),
  );
  return `<h2>${text(translate('What pruning would do'))}</h2>
${table(
  [
    translate('Rule'),
    ...[
      translate('Old results'),
      translate('Tokens freed'),
      translate('Tokens after'),
      translate('Then cached'),
      translate('Written again'),
      translate('Pays back after'),
      translate('Gained'),
    ].map(head => `${head}|n`),
  ],
  prune.rows.map(row => [
    text(row.ruleSet),
    number(row.candidates),
    number(row.tokensFreed),
    number(row.tokensAfter),
    number(row.prefixTokens),
    ...(row.executes ? netCells(row.net) : ['', '', text(translate('not cleared'))]),
  ]),
)}
${quiet(note)}`;
}

/** The tokens written again, the requests until that pays off, and what this session would have saved. */
function netCells({
  tokensRewritten,
  worth,
}: SessionReport['prune']['rows'][number]['net']): readonly string[] {
  const unknown = translate('unknown');
  const pays =
    worth === undefined
      ? unknown
      : worth.breakEven === undefined
        ? translate('never')
        : translate('{0, plural, one {# request} other {# requests}}', worth.breakEven);
  return [
    number(tokensRewritten),
    text(pays),
    text(worth === undefined ? unknown : money(worth.gained.money)),
  ];
}

function sensitivitySection({ sensitivity }: SessionReport): string {
  return `<h2>${text(translate('Sensitivity of the request'))}</h2>
${
  sensitivity.length === 0
    ? `<p>${text(translate('No credentials and no personal data were found.'))}</p>`
    : table(
        [translate('Rule'), translate('Label'), `${translate('Findings')}|n`, translate('First lines')],
        sensitivity.map(({ rule, label, count, lines }) => [
          text(rule),
          labelCell(label),
          number(count),
          lines.map(number).join(', '),
        ]),
      )
}`;
}

function fileSection({ found }: SessionReport): string {
  return found.length === 0
    ? ''
    : `<h2>${text(translate('Sensitive data in the whole file'))}</h2>
${table(
  [
    translate('Rule'),
    translate('Label'),
    translate('Place'),
    `${translate('Findings')}|n`,
    `${translate('Different')}|n`,
    translate('First lines'),
  ],
  found.map(({ rule, label, place, count, different, lines }) => [
    text(rule),
    labelCell(label),
    text(placeWords[place]),
    number(count),
    number(different),
    lines.map(number).join(', '),
  ]),
)}`;
}

function exposureSection({ exposure: { secrets } }: SessionReport): string {
  return secrets.length === 0
    ? ''
    : `<h2>${text(translate('Where secrets were sent'))}</h2>
${table(
  [translate('Rule'), translate('Label'), ...exposureHeads],
  secrets.map(secret => [
    text(secret.rule),
    labelCell(secret.label),
    ...exposureCells(secret).map(lines => lines.map(text).join('<br>')),
  ]),
)}`;
}

/** A word for a person, and the label's own name in the tooltip. */
const labelCell = (label: SensitivityLabel): string =>
  `<span class="${label}" title="${label}">${text(sensitivityWords[label])}</span>`;

function quiet(sentence: string): string {
  return `<p class="quiet">${text(sentence)}</p>`;
}

/** Cells are markup. A heading that ends in `|n` belongs to a column of numbers. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const classes = heads.map(head => (head.endsWith('|n') ? ' class="n"' : ''));
  return `<table><thead><tr>${heads
    .map((head, index) => `<th scope="col"${classes[index] ?? ''}>${text(head.replace(/\|n$/, ''))}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map(row => `<tr>${row.map((cell, index) => `<td${classes[index] ?? ''}>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;
}

const text = escapeMarkup;
