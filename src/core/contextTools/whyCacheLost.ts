import { formatMoney, formatNumber } from '../base/format';
import { type CacheFinding, dearerFirst, isMeant, lossesIn } from '../cache/cacheFinding';
import { causeWords, certaintyText, diagnosisText, possibleText } from '../cache/causeWords';
import { remedyOf } from '../cache/remedy';
import { cacheQuestions } from '../questions/cacheQuestions';
import { requestsOfThread } from '../model/requestBlocks';
import { requestLabel, type RequestName, requestNames } from '../view/requestNames';
import { requestUsage } from '../view/sessionCost';
import { type AnswerLine, commonParams, contextTool, requestParam } from './contextTool';
import { requestAt } from './requestAt';

export const whyCacheLost = contextTool({
  name: 'why_cache_lost',
  title: 'Why the cache was lost',
  description:
    'Cache losses, dearest first: request, cause with its certainty, money paid again, evidence, remedy.',
  params: { request: requestParam, ...commonParams },
  answer: async ({ request, session: wanted }, { open }) => {
    const { session, conversation } = await open(wanted);
    const report = await cacheQuestions(session).report();
    const { requests } = session.transcript;
    const findings = report.findings.filter(finding => requests[finding.request]?.thread === conversation);
    const names = requestNames(requests);
    const chosen = request === undefined ? undefined : requestAt(session, conversation, request);
    const shown = findings.filter(finding => chosen === undefined || finding.request === chosen);
    if (shown.length === 0) {
      const { columns } = session.toSession();
      const asked = chosen === undefined ? requestsOfThread(columns, conversation) : [chosen];
      return [
        asked.every(each => requestUsage(columns, each) === undefined)
          ? 'Not known: the use of the cache is not recorded.'
          : chosen === undefined
            ? 'No cache loss is recorded.'
            : `Request ${request} lost nothing of the cache.`,
      ];
    }
    const losses = lossesIn(findings);
    const lost = losses.reduce((sum, { tokensLost }) => sum + tokensLost, 0);
    const head = `${formatNumber(losses.length)} losses: ${formatNumber(lost)} tokens paid again`;
    return [
      ...(chosen === undefined && losses.length > 1 ? [head] : []),
      ...shown.toSorted(dearerFirst).flatMap(finding => describe(finding, names[finding.request])),
    ];
  },
});

const moneyOf = (dollars: number | undefined): string =>
  dollars === undefined ? '' : `, ${formatMoney(dollars)}`;

function describe(finding: CacheFinding, name: RequestName | undefined): readonly AnswerLine[] {
  const { causes, tokensLost, moneyLost, read, readable, recorded, evidence } = finding;
  const words = causes.map(cause => causeWords[cause]).join(', ');
  const others = possibleText(finding);
  const remedy = remedyOf(finding);
  const label = name === undefined ? '' : requestLabel(name);
  const head = `Request ${label}: ${words} (${certaintyText(finding)}): ${formatNumber(tokensLost)} tokens paid again${moneyOf(moneyLost)}${isMeant(finding) ? ', meant, so no loss' : ''}`;
  return [
    name === undefined ? head : { text: head, place: name },
    `  read ${formatNumber(read)} of ${formatNumber(readable)} available tokens`,
    ...(recorded === null ? [] : [`  the provider says: ${diagnosisText(recorded)}`]),
    ...(others === undefined ? [] : [`  ${others}`]),
    ...evidence.map(fact => ({ text: `  ${fact}`, isRecorded: true })),
    ...(remedy === undefined ? [] : [`  remedy: ${remedy}`]),
  ];
}
