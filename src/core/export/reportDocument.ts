import { formatMoney as money, formatNumber as number, formatShare as percent } from '../base/format';
import { translate } from '../base/translate';
import { isMeant } from '../cache/cacheFinding';
import { causeTotals } from '../cache/cacheReport';
import {
  causeText,
  causeWords,
  certaintyText,
  diagnosisText,
  diagnosisWords,
  meantSentence,
  possibleText,
} from '../cache/causeWords';
import { drawingElement } from '../drawing/drawingSvg';
import { kindWords, partitionWords, sensitivityWords } from '../drawing/drawingWords';
import { exposureCells, exposureHeads } from '../exposure/exposureWords';
import { belowText, byTokens, insightsTitle, overlapNote, worthWords } from '../insights/insightWords';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { partitionNames, type SensitivityLabel } from '../model/labels';
import { prunedBy } from '../prune/plan';
import { planText, plannerTexts, plannerWords } from '../stability/planWords';
import { costNotes, missingCost } from '../tokens/costNotes';
import { figureNumber, figureShare, figureTokens, qualityOf, qualityWords } from '../tokens/qualityWords';
import { cacheShare, costText, knownCost, recordedText } from '../tokens/usageFigures';
import { windowText } from '../tokens/windowWords';
import { jumpSentence, ownWords } from '../view/notRecordedParts';
import { requestLabel, requestNames, requestNumber } from '../view/requestNames';
import { recordAgrees } from '../view/requestOutput';
import { savingText, wasteHeadline, WasteWords } from '../waste/wasteWords';
import { placeWords } from './fileFindings';
import {
  type Cell,
  type CellLine,
  counts,
  moneyIn,
  remark,
  type ReportDocument,
  type ReportPart,
  type ReportSection,
  shares,
  statement,
  table,
} from './reportModel';
import type { SessionReport } from './sessionReport';
import { ruleName } from '../sensitivity/ruleWords';

/** The report of a session and one of its requests, in reading order. */
export function reportDocument(report: SessionReport, createdAt: string): ReportDocument {
  const { agent, model, title } = report.summary;
  const writer = [agent.name, agent.versions.join(', '), model].filter(part => part !== '').join(' · ');
  return {
    title,
    about: `${writer}. ${translate('Created by Context Inspector, {0}.', createdAt)}`,
    sections: [
      ...insightSection(report),
      overview(report),
      lanes(report),
      largestBlocks(report),
      cacheSection(report),
      planSection(report),
      wasteSection(report),
      pruneSection(report),
      sensitivitySection(report),
      ...fileSection(report),
      ...exposureSection(report),
    ],
  };
}

function insightSection({ insights: { found, below, unpriced } }: SessionReport): readonly ReportSection[] {
  const part = table(
    [translate('Finding'), translate('Reason'), translate('Figure')],
    found.map(({ kind, what, why, figure, mark }) => [
      what,
      why,
      [
        ...(figure === '' ? [] : [figure]),
        note([mark, worthWords[kind]].filter(text => text !== '').join(' ')),
      ],
    ]),
  );
  return found.length === 0
    ? []
    : [
        {
          heading: insightsTitle,
          parts: [
            ...(unpriced === '' ? [] : [statement(byTokens(unpriced))]),
            part,
            remark([overlapNote, ...(below === 0 ? [] : [`${belowText(below)}.`])].join(' ')),
          ],
        },
      ];
}

function overview(report: SessionReport): ReportSection {
  const { summary, columns, view, index, requests, cost, preview } = report;
  const problems = summary.problems.reduce((sum, { count }) => sum + count, 0);
  const fromCache = cacheShare(cost.total);
  const figures = [
    {
      name: translate('Request {0} of {1}', requestNumber(index), number(requests)),
      value: figureTokens(view.total),
    },
    { name: translate('Accuracy'), value: qualityOf(view.total) },
    {
      name: translate('Context window'),
      value:
        view.window === undefined
          ? translate('unknown')
          : translate('{0} of {1}', figureShare(view.total, view.window), windowText(view)),
    },
    {
      name: translate('Read from the cache, all requests'),
      value: fromCache === undefined ? translate('not recorded') : percent(fromCache),
    },
    {
      name: translate('Cost at list prices'),
      value: costText(knownCost(cost.total)) || (missingCost(cost, requests) ?? translate('unknown')),
    },
    { name: translate('Problems in the file'), value: number(problems) },
  ];
  const candidates = new Set(prunedBy(preview.plan));
  return {
    parts: [
      { kind: 'figures', figures },
      ...costRemarks(report),
      {
        kind: 'drawing',
        svg: drawingElement({ summary, columns, view, colour: 'sensitivity', candidates }),
      },
    ],
  };
}

/** A remark on what a cost lacks, and on what the agent recorded. */
function costRemarks({ summary, output, cost }: SessionReport): readonly ReportPart[] {
  const sentences = [...costNotes(cost.total)];
  const recorded = recordedText(knownCost(cost.total), summary.agent.name);
  if (recorded !== undefined) {
    sentences.push(`${recorded}.`);
  }
  if (cost.estimated !== undefined) {
    sentences.push(
      translate('Cost with the output estimated from the replies: about {0}.', money(cost.estimated.money)),
    );
  }
  if (output?.estimate !== undefined && !recordAgrees(output.recorded, output.estimate)) {
    sentences.push(
      translate(
        'This request: recorded output {0}, about {1} in the reply itself (estimated).',
        number(output.recorded),
        number(output.estimate.value),
      ),
    );
  }
  return sentences.length === 0 ? [] : [remark(sentences.join(' '))];
}

function lanes({ view, index, notRecordedParts }: SessionReport): ReportSection {
  const { partitions, total, notRecorded } = view;
  const jump = jumpSentence(notRecordedParts);
  return {
    heading: translate('Lanes of request {0}', requestNumber(index)),
    parts: [
      table(
        [translate('Lane'), counts(translate('Tokens')), shares(translate('Share'))],
        partitionNames.map(name => [
          { kind: 'word', text: partitionWords[name], name },
          partitions[name],
          total.value === 0 ? 0 : partitions[name] / total.value,
        ]),
      ),
      ...(notRecorded.value === 0
        ? []
        : [
            translate(
              '{0} tokens of {2} are not recorded ({1}).',
              figureNumber(notRecorded),
              qualityWords[notRecorded.quality],
              partitionWords.system,
            ),
            ...ownWords(notRecordedParts),
            ...(jump === undefined ? [] : [jump]),
          ].map(remark)),
    ],
  };
}

function largestBlocks({ largest, view: { quality, error } }: SessionReport): ReportSection {
  const word = qualityWords[quality];
  return {
    heading: translate('Largest blocks'),
    parts: [
      table(
        [
          translate('Block'),
          translate('Kind'),
          translate('Lane'),
          translate('Sensitivity'),
          counts(translate('Line')),
          counts(translate('Tokens')),
        ],
        largest.map(block => [
          block.label,
          kindWords[block.kind],
          partitionWords[block.partition],
          labelCell(block.sensitivity),
          block.line,
          block.tokens,
        ]),
      ),
      remark(
        error >= 0.001
          ? translate('Block figures are {0}, expected error ±{1}.', word, percent(error))
          : translate('Block figures are {0}.', word),
      ),
    ],
  };
}

function planSection({ plans, index }: SessionReport): ReportSection {
  return {
    heading: translate('Breakpoints of request {0}', requestNumber(index)),
    parts: [
      table(
        [translate('Planning method'), translate('Breakpoints'), translate('Reason')],
        plans.map(({ planner, plan }) => [plannerWords[planner], planText(plan), plannerTexts[planner]]),
      ),
    ],
  };
}

function cacheSection(report: SessionReport): ReportSection {
  const { findings, diagnostics } = report.cache;
  const verdicts = cacheDiagnosisTypes.flatMap((type): (readonly Cell[])[] => {
    const count = diagnostics[type];
    return count === undefined ? [] : [[diagnosisWords[type], count]];
  });
  return {
    heading: translate('Cache lost'),
    parts: [
      ...(verdicts.length === 0
        ? []
        : [table([translate('Provider’s verdict'), counts(translate('Requests'))], verdicts)]),
      ...(findings.length === 0
        ? [statement(translate('Never: everything recorded as written was read again.'))]
        : losses(report)),
    ],
  };
}

function losses({ cache: { findings, lost, causes }, columns }: SessionReport): readonly ReportPart[] {
  const labels = requestNames([...columns.requests.thread].map(thread => ({ thread }))).map(requestLabel);
  const lostHeads = [counts(translate('Tokens lost')), moneyIn(translate('Extra cost'))];
  return [
    statement(
      lost.money === undefined
        ? translate('{0} tokens were paid for again.', number(lost.tokens))
        : translate(
            '{0} tokens were paid for again, {1} at list prices.',
            number(lost.tokens),
            money(lost.money),
          ),
    ),
    table(
      [translate('Cause'), counts(translate('Requests')), ...lostHeads],
      causes.map(({ cause, requests, tokensLost, moneyLost }) => [
        causeWords[cause],
        requests,
        tokensLost,
        moneyLost,
      ]),
    ),
    ...causeTotals(findings.filter(isMeant)).map(total => statement(meantSentence(causeText(total)))),
    table(
      [counts(translate('Request')), translate('Cause'), translate('Evidence'), ...lostHeads],
      findings.map(finding => {
        const { request, causes: found, recorded, evidence, tokensLost, moneyLost } = finding;
        return [
          labels[request] ?? '',
          [
            found.map(cause => causeWords[cause]).join(', '),
            note([certaintyText(finding), possibleText(finding) ?? []].flat().join('; ')),
          ],
          [
            ...(recorded === null ? [] : [translate('Provider’s report: {0}.', diagnosisText(recorded))]),
            ...evidence,
          ],
          tokensLost,
          moneyLost,
        ];
      }),
    ),
  ];
}

function wasteSection({ waste, summary, columns }: SessionReport): ReportSection {
  const words = new WasteWords({ summary, columns });
  return {
    heading: translate('Waste and fixes'),
    parts:
      waste.findings.length === 0
        ? [statement(translate('No waste found.'))]
        : [
            statement(wasteHeadline(waste)),
            table(
              [
                translate('Finding'),
                translate('Fix'),
                counts(translate('Requests')),
                counts(translate('Tokens')),
                moneyIn(translate('Saved')),
              ],
              waste.findings.map(finding => {
                const { title, evidence, advice } = words.of(finding);
                return [
                  [title, note(evidence)],
                  { kind: 'advice', ...advice },
                  finding.requests,
                  finding.tokens,
                  savingText(finding),
                ];
              }),
            ),
          ],
  };
}

function pruneSection({ prune }: SessionReport): ReportSection {
  const { protectTokens, minimumTokens, measure } = prune.options;
  return {
    heading: translate('Effect of pruning'),
    parts: [
      table(
        [
          translate('Rule set'),
          counts(translate('Old results')),
          counts(translate('Tokens freed')),
          counts(translate('Tokens after')),
          counts(translate('Then cached')),
          counts(translate('Rewritten')),
          counts(translate('Pays back after')),
          moneyIn(translate('Saved')),
        ],
        prune.rows.map(row => [
          row.ruleSet,
          row.candidates,
          row.tokensFreed,
          row.tokensAfter,
          row.prefixTokens,
          ...(row.executes ? netCells(row.net) : ['', '', translate('not pruned')]),
        ]),
      ),
      remark(
        translate(
          'Protected: the newest {0} tokens. Minimum to free: {1}. Measured in {2}.',
          number(protectTokens),
          number(minimumTokens),
          measure === 'tokens' ? translate('tokens') : translate('characters / 4'),
        ),
      ),
    ],
  };
}

/** The tokens written again, the number of requests until this pays off, and the savings in this session. */
function netCells({
  tokensRewritten,
  worth,
}: SessionReport['prune']['rows'][number]['net']): readonly Cell[] {
  const paysAfter =
    worth === undefined
      ? undefined
      : worth.breakEven === undefined
        ? translate('never')
        : translate('{0, plural, one {# request} other {# requests}}', worth.breakEven);
  return [tokensRewritten, paysAfter, worth?.gained.money];
}

function sensitivitySection({ sensitivity }: SessionReport): ReportSection {
  return {
    heading: translate('Sensitivity of the request'),
    parts: [
      sensitivity.length === 0
        ? statement(translate('No credentials or personal data found.'))
        : table(
            [translate('Kind'), translate('Label'), counts(translate('Findings')), translate('First lines')],
            sensitivity.map(({ rule, label, count, lines }) => [
              ruleName(rule),
              labelCell(label),
              count,
              lines.map(number).join(', '),
            ]),
          ),
    ],
  };
}

function fileSection({ found }: SessionReport): readonly ReportSection[] {
  const part = table(
    [
      translate('Kind'),
      translate('Label'),
      translate('Place'),
      counts(translate('Findings')),
      counts(translate('Different')),
      translate('First lines'),
    ],
    found.map(({ rule, label, place, count, different, lines }) => [
      ruleName(rule),
      labelCell(label),
      placeWords[place],
      count,
      different,
      lines.map(number).join(', '),
    ]),
  );
  return found.length === 0
    ? []
    : [{ heading: translate('Sensitive data in the whole file'), parts: [part] }];
}

function exposureSection({ exposure: { secrets } }: SessionReport): readonly ReportSection[] {
  const part = table(
    [translate('Kind'), translate('Label'), ...exposureHeads],
    secrets.map(secret => [ruleName(secret.rule), labelCell(secret.label), ...exposureCells(secret)]),
  );
  return secrets.length === 0 ? [] : [{ heading: translate('Where secrets were sent'), parts: [part] }];
}

const labelCell = (label: SensitivityLabel): CellLine => ({
  kind: 'word',
  text: sensitivityWords[label],
  name: label,
  label,
});

const note = (text: string): CellLine => ({ kind: 'note', text });
