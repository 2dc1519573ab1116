import { translate } from '../../core/base/translate';
import type { FilePrice, PriceReport } from '../../core/price/priceChange';
import type { PricedAgent } from '../../core/price/promptFiles';
import { agentText, keptWords, tokenChange, withoutPrice } from './priceWords';

/** In Markdown, a text from the repository is code, whatever it contains. */
function asCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${longest === 0 ? text : ` ${text} `}${fence}`
    .replaceAll('|', '\\|')
    .replaceAll(/[\r\n]+/g, ' ');
}

/** `about` where the form was not compared with the agent. */
function change({ isPartly, tokens, quality }: FilePrice): string {
  if (isPartly && tokens === 0) {
    return '?';
  }
  return quality === 'about' ? translate('about {0}', tokenChange(tokens)) : tokenChange(tokens);
}

/** The first line of the comment, by which the next run finds it. */
export const commentMark = '<!-- context-inspector price -->';

/** The report as a comment for a pull request. */
export function priceMarkdown(report: PriceReport, asked: readonly PricedAgent[]): string {
  const { agents } = report;
  const reason = withoutPrice(report, asked);
  if (reason !== undefined) {
    return `${commentMark}\n${reason}\n`;
  }
  const rows = agents.flatMap(price =>
    price.files.map(
      file => `| ${asCode(file.path)} | ${price.agent} | ${change(file)} | ${keptWords[file.kept]()} |`,
    ),
  );
  return [
    commentMark,
    `### ${translate('Price of this change')}`,
    '',
    ...agents.map(price => `- ${agentText(price)}`),
    ...(rows.length === 0
      ? []
      : [
          '',
          `| ${translate('File')} | ${translate('Agent')} | ${translate('Per request')} | ${translate('Cache')} |`,
          '| --- | --- | --- | --- |',
          ...rows,
        ]),
    '',
  ].join('\n');
}
