import { formatExactShare } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { partitionWords } from '../../core/drawing/drawingWords';
import type { GroupedExposure } from '../../core/exposure/exposureReport';
import {
  frozenWords,
  morePlaces,
  receiverWords,
  secretPlaceWords,
  sentWords,
  sinceWords,
} from '../../core/exposure/exposureWords';
import { type FindingRow, placeWords } from '../../core/export/fileFindings';
import { type ReportDocument, statement, type Statement } from '../../core/export/reportModel';
import { textReport } from '../../core/export/textReport';
import { driftSentence, leftOutSentence } from '../../core/model/driftWords';
import { problemName } from '../../core/model/problemWords';
import { estimateSentence } from '../../core/prune/estimateWords';
import { costNotes } from '../../core/tokens/costNotes';
import { billingWords } from '../../core/tokens/billingWords';
import { figureNumber, figureShare, qualityText } from '../../core/tokens/qualityWords';
import { costText, recordedText } from '../../core/tokens/usageFigures';
import { windowOrigin, windowText } from '../../core/tokens/windowWords';
import { afterSentences } from '../../core/view/contextAfter';
import { departureWords, jumpSentence, ownWords } from '../../core/view/notRecordedParts';
import { recordAgrees } from '../../core/view/requestOutput';
import type { InspectReport, PruneReport, RequestReport } from '../../core/export/inspectReport';
import { pruneWords } from './pruneWords';
import { blocks, figure, money, number, requestOfAll, requests, tokens } from './words';
import { ruleName } from '../../core/sensitivity/ruleWords';

/** The report for the terminal: one statement per line, each figure with its quality. */
export const describeReport = (report: InspectReport): string => textReport(inspectDocument(report));

function inspectDocument(report: InspectReport): ReportDocument<Statement> {
  const { agent, request, after, prune, findings, exposure } = report;
  return {
    title: [agent.name, agent.versions.join(', '), report.model].filter(part => part !== '').join(' · '),
    about: [
      requests(report.requests),
      translate('{0, plural, one {# message} other {# messages}}', report.messages),
      blocks(report.blocks),
      translate('{0, plural, one {# subagent} other {# subagents}}', report.subagents),
      translate('{0, plural, one {# compaction} other {# compactions}}', report.compactions),
    ].join(', '),
    sections: [
      { parts: [describeUsage(report), ...describeCost(report), ...describeJumps(report)] },
      {
        parts: [
          ...(request === null ? [] : [describeRequest(request, report.requests)]),
          ...(after === null ? [] : afterSentences(after).map(sentence => statement(sentence))),
        ],
      },
      { parts: prune === null ? [] : [describePrune(prune)] },
      { parts: [...describeFindings(findings ?? []), ...describeExposure(exposure?.secrets ?? [])] },
      { parts: describeProblems(report) },
    ],
  };
}

/** The usage of the session, or of the conversation if another one than the main one is asked for. */
const shownUsage = ({ conversation, session, usage, cacheShare }: InspectReport) =>
  conversation === 0 ? session : { ...usage, cacheShare };

function describeUsage(report: InspectReport): Statement {
  const { cacheShare, ...usage } = shownUsage(report);
  const isRecorded = cacheShare !== null || usage.output > 0;
  return statement(
    isRecorded
      ? translate(
          'Total usage: {0} at full price, {1} read from the cache, {2} written to it, {3} output',
          number(usage.input),
          number(usage.cacheRead),
          number(usage.cacheWrite),
          number(usage.output),
        )
      : translate('Total usage: not recorded for the requests'),
  );
}

/** Problems, unknown kinds of records, and records left out. */
function describeProblems({
  agent,
  drift,
  leftOut,
  problems,
  requests: count,
}: InspectReport): readonly Statement[] {
  return [
    ...(drift === null ? [] : [driftSentence(agent.name, drift)]),
    ...(count > 0 || leftOut.length === 0 ? [] : [leftOutSentence(leftOut)]),
    ...problems.map(problem =>
      translate('Problem: {0}, {1} ×, first on line {2}', problemName(problem), problem.count, problem.line),
    ),
  ].map(text => statement(text));
}

/** The places in the conversation where tokens were added or removed without a recorded reason. */
function describeJumps({ jumps }: InspectReport): readonly Statement[] {
  const places = jumps.map(({ request, tokens: size }) =>
    translate('{0} in request {1}', size > 0 ? `+${number(size)}` : number(size), number(request)),
  );
  return places.length === 0
    ? []
    : [statement(translate('Added or removed without a record: {0}', places.join(', ')))];
}

/** The findings in the whole file, also outside requests. */
function describeFindings(findings: readonly FindingRow[]): readonly Statement[] {
  if (findings.length === 0) {
    return [];
  }
  const sum = (wanted: FindingRow['label']): number =>
    findings.reduce((total, { label, count }) => total + (label === wanted ? count : 0), 0);
  const rows = findings.map(({ rule, label, place, count, different, lines }) => {
    const counted = translate(
      '{0}: {1} × {2}, {3} different',
      `${label} ${ruleName(rule)}`,
      number(count),
      placeWords[place],
      number(different),
    );
    return lines.length === 0
      ? counted
      : translate(
          '{0}, first on {1, plural, one {line} other {lines}} {2}',
          counted,
          lines.length,
          lines.join(', '),
        );
  });
  return [
    statement(
      translate(
        'Found in the file: {0, plural, one {# credential} other {# credentials}}, {1, plural, one {# piece of personal data} other {# pieces of personal data}}',
        sum('restricted'),
        sum('private'),
      ),
      rows.map(row => statement(row)),
    ),
  ];
}

type Secret = GroupedExposure['secrets'][number];

/** Maximum number of entries in the terminal. The JSON has all. */
const mostSecrets = 20;
const mostPlaces = 3;

const sumOf = (secrets: readonly Secret[]): number => secrets.reduce((sum, { count }) => sum + count, 0);

/** The requests that sent each secret. */
function describeExposure(secrets: readonly Secret[]): readonly Statement[] {
  const restricted = secrets.filter(({ label }) => label === 'restricted');
  if (restricted.length === 0) {
    return [];
  }
  const more = sumOf(restricted.slice(mostSecrets));
  return [
    statement(
      translate(
        '{0, plural, one {# secret} other {# secrets}} in the conversations, with receivers:',
        sumOf(restricted),
      ),
      [
        ...restricted.slice(0, mostSecrets).map(describeSecret),
        ...(more === 0 ? [] : [statement(translate('{0, plural, one {# more} other {# more}}', more))]),
      ],
    ),
  ];
}

function describeSecret(secret: Secret): Statement {
  const { rule, count, places } = secret;
  const isSent = secret.requests > 0;
  return statement(
    [
      count === 1 ? ruleName(rule) : `${ruleName(rule)} × ${number(count)}`,
      ...places.slice(0, mostPlaces).map(secretPlaceWords),
      ...(places.length > mostPlaces ? [morePlaces(places.length - mostPlaces)] : []),
    ].join('; '),
    [
      ...(isSent
        ? [
            translate('sent {0}', [sentWords(secret), frozenWords(secret)].join('; ')),
            translate('to {0}', [receiverWords(secret), sinceWords(secret)].join('; ')),
          ]
        : [sentWords(secret)]),
    ].map(text => statement(text)),
  );
}

function describeRequest(request: RequestReport, count: number): Statement {
  const { frozen, sensitivity, window, doubtfulOutput } = request;
  const { knowledge, state, history } = request.partitions;
  const attribution = Object.entries(request.attribution);
  const recorded = frozen.recordedTokens === null ? translate('not recorded') : number(frozen.recordedTokens);
  const heading = [
    translate('{0}: {1}', requestOfAll(request.index, count), figure(request.tokens)),
    window === null
      ? ''
      : `, ${translate('{1} of the window of {0}', windowText(request), figureShare(request.tokens, window))}`,
    request.cost === null ? '' : `, ${money(request.cost)}`,
  ].join('');
  const before = [
    ...(window === null ? [] : [windowOrigin(request)]),
    ...(attribution.length === 0
      ? []
      : [
          translate(
            'recorded by the agent: {0}',
            attribution.map(([name, value]) => `${name} ${value}`).join(', '),
          ),
        ]),
    ...(request.billing === undefined ? [] : billingWords(request.billing)),
    ...(doubtfulOutput === undefined ? [] : describeOutput(doubtfulOutput)),
  ];
  const after = [
    [
      `${partitionWords.knowledge} ${number(knowledge)}`,
      `${partitionWords.state} ${number(state)}`,
      `${partitionWords.history} ${number(history)}`,
    ].join(', '),
    translate(
      'cached to here: {0}; expected: {1} ({2})',
      recorded,
      number(frozen.predictedTokens),
      blocks(frozen.predictedBlocks),
    ),
    sensitivity === null
      ? translate('sensitive: not scanned')
      : translate(
          'sensitive: {0} tokens secret, {1} private',
          number(sensitivity.restricted),
          number(sensitivity.private),
        ),
  ];
  return statement(heading, [
    ...before.map(text => statement(text)),
    ...describeSystem(request),
    ...after.map(text => statement(text)),
  ]);
}

/**
 * The lane of the system prompt: the unrecorded part, its components, and tokens that were added or removed without a
 * record.
 */
function describeSystem({
  partitions: { system },
  notRecorded,
  notRecordedQuality: quality,
  notRecordedError: error = 0,
  notRecordedParts: { own, yours, lacksHistory = false, came, found, jump, cause, left },
}: RequestReport): readonly Statement[] {
  const parts = ownWords({ own: own ?? undefined, yours: yours ?? undefined, lacksHistory, came, found });
  const departures = left.map(({ departure, blocks: count, tokens: size }) =>
    statement(`${departureWords[departure]}: ${blocks(count)}, ${tokens(size)}`),
  );
  const lane = (below: readonly Statement[]): Statement =>
    statement(
      translate(
        '{0} {1}, {2} of them not recorded ({3})',
        partitionWords.system,
        // The recorded blocks of the lane add nothing to the error.
        figureNumber({ value: system, quality, error: system === 0 ? 0 : (error * notRecorded) / system }),
        figureNumber({ value: notRecorded, quality, error }),
        qualityText(quality, error),
      ),
      [...parts.map(part => statement(part)), ...below],
    );
  const sentence = jumpSentence({ jump, cause, left });
  return sentence === undefined ? [lane(departures)] : [lane([]), statement(sentence, departures)];
}

function describePrune(prune: PruneReport): Statement {
  return statement(
    translate(
      'Pruning old results with the rule set {0}: {1}',
      prune.ruleSet,
      pruneWords(prune.candidateCount, prune),
    ),
    [
      ...prune.candidates.map(({ tool, tokens: size, line, sourceId }) =>
        translate('line {0}: {1}, {2}', line, `${tool} ${sourceId}`, tokens(size)),
      ),
      ...(prune.prunedByEstimate === undefined
        ? []
        : [estimateSentence(prune.ruleSet, prune.prunedByEstimate)]),
    ].map(text => statement(text)),
  );
}

/** Nothing where the reply confirms the record. */
function describeOutput({
  recorded,
  estimate,
  cost,
}: NonNullable<RequestReport['doubtfulOutput']>): readonly string[] {
  if (estimate !== null && recordAgrees(recorded, estimate)) {
    return [];
  }
  const parts = [
    translate('output: {0} recorded (too low)', number(recorded)),
    ...(estimate === null ? [] : [translate('the reply has about {0}', figure(estimate))]),
    ...(estimate === null || cost === null ? [] : [translate('cost with these: {0}', money(cost))]),
  ];
  return [parts.join('; ')];
}

/** Cost and cache share of the conversation, with notes about parts missing in the total. */
function describeCost(report: InspectReport): readonly Statement[] {
  const { agent, conversation, cost, session } = report;
  const { cacheShare } = shownUsage(report);
  const { total, isLeast, estimatedOutput, byModel } = cost;
  const models = byModel.flatMap(({ model, total: sum }) => (sum === null ? [] : [`${model} ${money(sum)}`]));
  const recorded = recordedText({ recorded: cost.recorded ?? undefined }, agent.name);
  const parts = models.length > 1 ? ` (${models.join(', ')})` : '';
  const own = total === null ? '' : `${costText({ money: total, isLeast })}${parts}`;
  const whole = session.cost === null ? '' : costText({ money: session.cost, isLeast: session.isLeast });
  const isWhole = session.cost === total;
  const first = conversation === 0 && !isWhole ? whole : own;
  return [
    ...(first === '' ? [] : [translate('Cost at list prices: {0}', first)]),
    ...(own === '' || whole === '' || isWhole
      ? []
      : [
          conversation === 0
            ? translate('Main conversation: {0}', own)
            : translate('Whole session: {0}', whole),
        ]),
    ...(recorded === undefined ? [] : [recorded]),
    ...costNotes({
      unpriced: cost.unpricedRequests,
      unpricedTerms: cost.unpricedTerms,
      unpricedExtras: cost.unpricedExtras,
      lowOutput: cost.doubtfulRequests,
      withoutInput: cost.outputOnlyRequests,
      doubtedInput: cost.doubtedInputs,
    }),
    ...(estimatedOutput === undefined ? [] : [describeEstimate(estimatedOutput)]),
    ...(cacheShare === null
      ? []
      : [translate('Read from the cache: {0} of the input', formatExactShare(cacheShare))]),
  ].map(text => statement(text));
}

function describeEstimate({
  recorded,
  estimated,
  total,
}: NonNullable<InspectReport['cost']['estimatedOutput']>): string {
  const estimate = translate(
    'Their output: {0} recorded, about {1} in the replies (estimated)',
    tokens(recorded),
    number(estimated),
  );
  return total === null
    ? estimate
    : `${estimate}, ${translate('for a total cost of about {0}', money(total))}`;
}
