import { formatMoney, formatNumber, formatShare } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import type {
  AgentPrice,
  FilePrice,
  KeptPrefix,
  PriceQuality,
  PriceReport,
} from '../../core/price/priceChange';
import { comparedVersions, type PricedAgent } from '../../core/price/promptFiles';

const signed = (value: number, text: string): string => `${value < 0 ? '−' : '+'}${text}`;

/** `+1,204 tokens` */
export function tokenChange(value: number): string {
  return translate('{0} tokens', signed(value, formatNumber(Math.abs(value))));
}

/** `+$3.20` */
export const moneyChange = (value: number): string => signed(value, formatMoney(Math.abs(value)));

/** The effect of a change on the frozen prefix, as a sentence. */
export const keptWords: Readonly<Record<KeptPrefix, () => string>> = {
  everything: () => translate('The frozen prefix stays as it is.'),
  toolsAndSystem: () =>
    translate('The frozen prefix breaks in the first message: tools and system text stay cached.'),
  tools: () => translate('The frozen prefix breaks in the system text: only the tools stay cached.'),
  nothing: () => translate('The frozen prefix breaks at the tools, before everything else.'),
};

/** The price of a changed file for each request of an agent, as sentences. */
export function fileText(
  { kind, tokens, isPartly, isRecorded, kept, quality }: FilePrice,
  agent: AgentPrice,
): string {
  const partly = isRecorded
    ? translate('The tools of another server are not known.')
    : kind === 'server'
      ? translate('The tools of its servers are in no recorded session of this repository.')
      : translate('Its effect on the tools is not in the repository, so it cannot be told.');
  const recorded = isRecorded
    ? ` ${translate('The tools of its servers are as a session recorded them.')}`
    : '';
  const change =
    isPartly && tokens === 0
      ? partly
      : `${translate('{0} per request of {1} ({2}).', tokenChange(tokens), agent.agent, qualityText(quality, agent))}${recorded}${isPartly ? ` ${partly}` : ''}`;
  return `${change} ${keptWords[kept]()}`;
}

function qualityText(quality: PriceQuality, { agent, error, model }: AgentPrice): string {
  switch (quality) {
    case 'exact':
      return translate('exact for {0}', model);
    case 'estimated':
      return translate('estimated for {0}, ± {1}', model, formatShare(error));
    case 'about':
      return translate(
        'about, for {0}: not compared with {1} in this form or version',
        model,
        `${agent} ${comparedVersions[agent]}`,
      );
  }
}

/** All changes of an agent per request and per week, as sentences. */
export function agentText(price: AgentPrice): string {
  const { agent, tokens, requests, moneyPerWeek, tokensPerWeek, isAssumed, kept, files } = price;
  if (files.every(file => file.isPartly && file.tokens === 0)) {
    return `${translate('{0}: what each request gets more cannot be told.', agent)} ${keptWords[kept]()}`;
  }
  const week = [
    tokenChange(tokensPerWeek),
    ...(moneyPerWeek === null ? [] : [moneyChange(moneyPerWeek)]),
  ].join(', ');
  const source = isAssumed
    ? translate(
        'assuming {0} requests a week, because no session of this project was found',
        formatNumber(requests),
      )
    : translate('with {0} requests a week, as in the last four weeks', formatNumber(Math.round(requests)));
  const partly = files.some(file => file.isPartly)
    ? ` ${translate('Changes of servers and settings are not counted.')}`
    : '';
  return `${translate('{0}: {1} per request ({2})', agent, tokenChange(tokens), qualityText(price.quality, price))}; ${translate('{0} per week, {1}', week, source)}.${partly} ${keptWords[kept]()}`;
}

/**
 * Why a report has no price, as a sentence; undefined if it has one.
 * @param asked the agents that were asked about
 */
export function withoutPrice(
  { agents, changed }: PriceReport,
  asked: readonly PricedAgent[],
): string | undefined {
  if (changed.length === 0) {
    return translate('No file that agents read has changed.');
  }
  return agents.length > 0
    ? undefined
    : translate(
        'Files that agents read have changed, but nothing that every request of {0} carries.',
        asked.join(', '),
      );
}

/** The report as text, one line for each finding. */
export function priceLines(report: PriceReport, asked: readonly PricedAgent[]): readonly string[] {
  const { agents } = report;
  const reason = withoutPrice(report, asked);
  if (reason !== undefined) {
    return [reason];
  }
  return agents.flatMap(price => [
    agentText(price),
    ...price.files.map(file => `  ${file.path}: ${fileText(file, price)}`),
  ]);
}
