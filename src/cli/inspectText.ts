import { formatExactShare } from '../core/base/format';
import { translate } from '../core/base/translate';
import { partitionWords } from '../core/drawing/drawingWords';
import type { GroupedExposure } from '../core/exposure/exposureReport';
import {
  frozenWords,
  morePlaces,
  receiverWords,
  secretPlaceWords,
  sentWords,
  sinceWords,
} from '../core/exposure/exposureWords';
import { type FindingRow, placeWords } from '../core/export/fileFindings';
import { driftSentence, leftOutSentence } from '../core/model/driftWords';
import { problemWords } from '../core/model/problemWords';
import { costNotes } from '../core/tokens/costNotes';
import { costText } from '../core/tokens/usageFigures';
import { windowOrigin, windowText } from '../core/tokens/windowWords';
import { departureWords, jumpSentence, ownWords } from '../core/view/notRecordedParts';
import type { InspectReport, PruneReport, RequestReport } from './inspectReport';
import { pruneWords } from './pruneWords';
import { blocks, figure, inLines, money, number, percent, requestOfAll, requests, tokens } from './words';

/** The report for the terminal: one statement per line, each figure with its quality. */
export function describeReport(report: InspectReport): string {
  const { agent, usage, request, prune, problems, drift, leftOut, findings, exposure } = report;
  return inLines([
    [agent.name, agent.versions.join(', '), report.model].filter(part => part !== '').join(' · '),
    [
      requests(report.requests),
      translate('{0, plural, one {# message} other {# messages}}', report.messages),
      blocks(report.blocks),
      translate('{0, plural, one {# subagent} other {# subagents}}', report.subagents),
      translate('{0, plural, one {# compaction} other {# compactions}}', report.compactions),
    ].join(', '),
    translate(
      'Total usage: {0} in full, {1} read from the cache, {2} written to it, {3} output',
      number(usage.input),
      number(usage.cacheRead),
      number(usage.cacheWrite),
      number(usage.output),
    ),
    ...describeCost(report),
    ...describeJumps(report),
    ...(request === null ? [] : ['', ...describeRequest(request, report.requests)]),
    ...(prune === null ? [] : ['', ...describePrune(prune)]),
    ...(findings === null || findings.length === 0 ? [] : ['', ...describeFindings(findings)]),
    ...(exposure === null ? [] : describeExposure(exposure)),
    ...(problems.length === 0 ? [] : ['']),
    ...(drift === null ? [] : [driftSentence(agent.name, drift)]),
    ...(report.requests > 0 || leftOut.length === 0 ? [] : [leftOutSentence(leftOut)]),
    ...problems.map(({ kind, line, count }) =>
      translate('Problem: {0}, {1} ×, first on line {2}', problemWords[kind], count, line),
    ),
  ]);
}

/** Where in the conversation tokens came or left that nothing on record explains. */
function describeJumps({ jumps }: InspectReport): readonly string[] {
  return jumps.length === 0
    ? []
    : [
        translate(
          'Came or left without a record: {0}',
          jumps
            .map(({ request, tokens: size }) =>
              translate('{0} at request {1}', size > 0 ? `+${number(size)}` : number(size), number(request)),
            )
            .join(', '),
        ),
      ];
}

/** What the whole file holds, also where no request has it. */
function describeFindings(findings: readonly FindingRow[]): readonly string[] {
  const sum = (wanted: FindingRow['label']): number =>
    findings.reduce((total, { label, count }) => total + (label === wanted ? count : 0), 0);
  return [
    translate(
      'Found in the file: {0, plural, one {# credential} other {# credentials}}, {1, plural, one {# piece of personal data} other {# pieces of personal data}}',
      sum('restricted'),
      sum('private'),
    ),
    ...findings.map(({ rule, label, place, count, different, lines }) => {
      const counted = translate(
        '{0}: {1} × {2}, {3} different',
        `${label} ${rule}`,
        number(count),
        placeWords[place],
        number(different),
      );
      return `  ${lines.length === 0 ? counted : translate('{0}, first on {1, plural, one {line} other {lines}} {2}', counted, lines.length, lines.join(', '))}`;
    }),
  ];
}

/** Of so many entries the terminal says where they were sent; the JSON has all. */
const mostSecrets = 20;
const mostPlaces = 3;

const sumOf = (secrets: GroupedExposure['secrets']): number =>
  secrets.reduce((sum, { count }) => sum + count, 0);

/** Where each secret was sent. */
function describeExposure({ secrets }: GroupedExposure): readonly string[] {
  const restricted = secrets.filter(({ label }) => label === 'restricted');
  if (restricted.length === 0) {
    return [];
  }
  return [
    translate(
      '{0, plural, one {# secret} other {# secrets}} in the conversations, and where sent:',
      sumOf(restricted),
    ),
    ...restricted
      .slice(0, mostSecrets)
      .flatMap(secret => [
        `  ${[
          secret.count === 1 ? secret.rule : `${secret.rule} × ${number(secret.count)}`,
          ...secret.places.slice(0, mostPlaces).map(secretPlaceWords),
          ...(secret.places.length > mostPlaces ? [morePlaces(secret.places.length - mostPlaces)] : []),
        ].join('; ')}`,
        `    ${translate('sent {0}', [sentWords(secret), ...(secret.requests === 0 ? [] : [frozenWords(secret)])].join('; '))}`,
        ...(secret.requests === 0
          ? []
          : [`    ${translate('to {0}', [receiverWords(secret), sinceWords(secret)].join('; '))}`]),
      ]),
    ...(restricted.length > mostSecrets
      ? [`  ${translate('{0, plural, one {# more} other {# more}}', sumOf(restricted.slice(mostSecrets)))}`]
      : []),
  ];
}

function describeRequest(request: RequestReport, count: number): readonly string[] {
  const { frozen, sensitivity, window, doubtfulOutput } = request;
  const { system, knowledge, state, history } = request.partitions;
  const attribution = Object.entries(request.attribution);
  const recorded = frozen.recordedTokens === null ? translate('not recorded') : number(frozen.recordedTokens);
  return [
    [
      translate('{0}: {1}', requestOfAll(request.index, count), figure(request.tokens)),
      window === null
        ? ''
        : `, ${translate('{1} of the window of {0}', windowText(request), percent(request.tokens.value / window))}`,
      request.cost === null ? '' : `, ${money(request.cost)}`,
    ].join(''),
    ...(window === null ? [] : [`  ${windowOrigin(request)}`]),
    ...(attribution.length === 0
      ? []
      : [
          `  ${translate('noted by the agent: {0}', attribution.map(([name, value]) => `${name} ${value}`).join(', '))}`,
        ]),
    ...(doubtfulOutput === undefined ? [] : [`  ${describeOutput(doubtfulOutput)}`]),
    `  ${translate('{0} {1}, of which {2} not recorded', partitionWords.system, number(system), number(request.notRecorded))}`,
    ...describeParts(request),
    `  ${[`${partitionWords.knowledge} ${number(knowledge)}`, `${partitionWords.state} ${number(state)}`, `${partitionWords.history} ${number(history)}`].join(', ')}`,
    `  ${translate(
      'cached to here: {0}; expected: {1} ({2})',
      recorded,
      number(frozen.predictedTokens),
      blocks(frozen.predictedBlocks),
    )}`,
    `  ${
      sensitivity === null
        ? translate('sensitive: not scanned')
        : translate(
            'sensitive: {0} tokens secret, {1} private',
            number(sensitivity.restricted),
            number(sensitivity.private),
          )
    }`,
  ];
}

/** What is not recorded, what it is made of, and what left or came without a record. */
function describeParts({
  notRecordedParts: { own, yours, came, found, jump, cause, left },
}: RequestReport): readonly string[] {
  const sentence = jumpSentence({ jump, cause, left });
  return [
    ...ownWords({ own: own ?? undefined, yours: yours ?? undefined, came, found }).map(part => `    ${part}`),
    ...(sentence === undefined ? [] : [`  ${sentence}`]),
    ...left.map(
      ({ departure, blocks: count, tokens: size }) =>
        `    ${departureWords[departure]}: ${blocks(count)}, ${tokens(size)}`,
    ),
  ];
}

function describePrune(prune: PruneReport): readonly string[] {
  return [
    translate(
      'Clearing old results with the rule {0}: {1}',
      prune.ruleSet,
      pruneWords(prune.candidateCount, prune),
    ),
    ...prune.candidates.map(
      ({ tool, tokens: size, line, sourceId }) =>
        `  ${translate('line {0}: {1}, {2}', line, `${tool} ${sourceId}`, tokens(size))}`,
    ),
  ];
}

function describeOutput({ recorded, estimate, cost }: NonNullable<RequestReport['doubtfulOutput']>): string {
  return [
    translate('output: {0} recorded, which is too low', number(recorded)),
    ...(estimate === null ? [] : [translate('the reply itself has about {0}', figure(estimate))]),
    ...(estimate === null || cost === null ? [] : [translate('with which it costs {0}', money(cost))]),
  ].join('; ');
}

/** Cost and cache share of the conversation, with what is missing from the total. */
function describeCost({ cost, cacheShare, file }: InspectReport): readonly string[] {
  const { total, unpricedRequests, doubtfulRequests, outputOnlyRequests, estimatedOutput, byModel } = cost;
  const isLeast = unpricedRequests + doubtfulRequests + outputOnlyRequests > 0;
  const models = byModel.flatMap(({ model, total: sum }) => (sum === null ? [] : [`${model} ${money(sum)}`]));
  const parts = models.length > 1 ? ` (${models.join(', ')})` : '';
  const lines: string[] = [];
  if (total !== null) {
    lines.push(translate('Cost at list prices: {0}', `${costText({ money: total, isLeast })}${parts}`));
  }
  if (file.cost !== null && file.cost !== total) {
    lines.push(
      translate(
        'All requests of the file, with those of subagents: {0}',
        costText({ money: file.cost, isLeast: file.isLeast }),
      ),
    );
  }
  lines.push(
    ...costNotes({
      unpriced: unpricedRequests,
      lowOutput: doubtfulRequests,
      withoutInput: outputOnlyRequests,
    }),
  );
  if (estimatedOutput !== undefined) {
    const { recorded, estimated, total: withEstimate } = estimatedOutput;
    const estimate = translate(
      'Their output: {0} recorded, about {1} by the replies themselves (estimated)',
      tokens(recorded),
      number(estimated),
    );
    lines.push(
      withEstimate === null
        ? estimate
        : `${estimate}, ${translate('for a total cost of about {0}', money(withEstimate))}`,
    );
  }
  if (cacheShare !== null) {
    lines.push(translate('Read from the cache: {0} of the input', formatExactShare(cacheShare)));
  }
  return lines;
}
