import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '../base/base64';
import { formatMoney, formatNumber, formatShare } from '../base/format';
import { type Markup, markup, ownMarkup } from '../base/markup';
import { currentTranslations, translate } from '../base/translate';
import { drawingStyle, fontFamily } from '../drawing/svgStyle';
import type { Cell, CellLine, Column, ReportDocument, ReportPart, ReportSection, Table } from './reportModel';

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
 * A report as one page. It has no script, loads nothing, and follows the light or dark mode of the system. Every text is
 * escaped, and the content security policy allows only the page's own style sheet.
 */
export function htmlReport({ title, about, sections }: ReportDocument): string {
  const style = `${drawingStyle()}${pageStyle}`;
  const hash = base64(sha256(new TextEncoder().encode(style)));
  const policy = ownMarkup(`default-src 'none'; style-src 'sha256-${hash}'`);
  return markup`<!doctype html>
<html lang="${currentTranslations().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${ownMarkup(style)}</style>
</head>
<body>
<h1>${title}</h1>
<p class="quiet">${about}</p>
${sections.map(sectionMarkup)}</body>
</html>
`.source;
}

function sectionMarkup({ heading, parts }: ReportSection): Markup {
  const title = heading === undefined ? '' : markup`<h2>${heading}</h2>`;
  return markup`${title}${parts.map(partMarkup)}
`;
}

function partMarkup(part: ReportPart): Markup {
  switch (part.kind) {
    case 'statement': {
      const { text, isQuiet = false, below = [] } = part;
      const paragraph = isQuiet ? markup`<p class="quiet">${text}</p>` : markup`<p>${text}</p>`;
      return markup`${paragraph}${below.map(partMarkup)}`;
    }
    case 'figures':
      return markup`<dl>${part.figures.map(
        ({ name, value }) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`,
      )}</dl>`;
    case 'table':
      return tableMarkup(part);
    case 'drawing':
      return markup`<figure>${ownMarkup(part.svg)}</figure>`;
  }
}

function tableMarkup({ columns, rows }: Table): Markup {
  const heads = columns.map(({ heading, unit }) =>
    unit === 'text'
      ? markup`<th scope="col">${heading}</th>`
      : markup`<th scope="col" class="n">${heading}</th>`,
  );
  const body = rows.map(row => {
    const cells = columns.map(({ unit }, index) => {
      const content = cellMarkup(row[index], unit);
      return unit === 'text' ? markup`<td>${content}</td>` : markup`<td class="n">${content}</td>`;
    });
    return markup`<tr>${cells}</tr>`;
  });
  return markup`<table><thead><tr>${heads}</tr></thead><tbody>${body}</tbody></table>`;
}

function cellMarkup(cell: Cell, unit: Column['unit']): Markup {
  if (cell === undefined || typeof cell === 'number') {
    return markup`${numberText(cell, unit)}`;
  }
  const lines = typeof cell === 'object' && !('kind' in cell) ? cell : [cell];
  return markup`${lines.map((line, index) => markup`${index === 0 ? '' : ownMarkup('<br>')}${lineMarkup(line)}`)}`;
}

function numberText(value: number | undefined, unit: Column['unit']): string {
  if (value === undefined) {
    return translate('unknown');
  }
  switch (unit) {
    case 'text':
    case 'count':
      return formatNumber(value);
    case 'share':
      return formatShare(value);
    case 'money':
      return formatMoney(value);
  }
}

function lineMarkup(line: CellLine): Markup {
  if (typeof line === 'string') {
    return markup`${line}`;
  }
  switch (line.kind) {
    case 'note':
      return markup`<span class="quiet">${line.text}</span>`;
    case 'advice':
      return line.code === '' ? markup`${line.text}` : markup`${line.text} <code>${line.code}</code>`;
    case 'word':
      return line.label === undefined
        ? markup`<span title="${line.name}">${line.text}</span>`
        : markup`<span class="${line.label}" title="${line.name}">${line.text}</span>`;
  }
}
