import { requests as requestCount } from '../base/countWords';
import { formatDuration, formatExactShare, formatMinute, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { causeWords } from '../cache/causeWords';
import { figureNumber, qualityMark } from '../tokens/qualityWords';
import type { TokenFigure } from '../tokens/quality';
import { costText } from '../tokens/usageFigures';
import { requestLabel } from '../view/requestNames';
import {
  type BreakdownPair,
  type ComparedSide,
  type Comparison,
  type DifferenceKind,
  differenceKinds,
} from './comparison';

/** The heading of each list. */
export const differenceWords: Readonly<Record<DifferenceKind, string>> = {
  tools: translate('Tools sent'),
  called: translate('Tools called'),
  memory: translate('Memory files'),
  skills: translate('Skills and agents'),
  read: translate('Files read'),
  edited: translate('Files edited'),
  programs: translate('Programs'),
  commands: translate('Commands'),
};

/** A row of facts: its name and the value of each side. */
export interface FactRow {
  readonly name: string;
  readonly values: readonly [string, string];
}

/** `1,234`, followed by the mark of its quality. */
export function comparedFigure(figure: TokenFigure): string {
  const mark = figure.isLeast === true ? '' : qualityMark(figure.quality, figure.error);
  return [figureNumber(figure), mark].filter(part => part !== '').join(' ');
}

const notKnown = '–';

/** The facts of both sides, without those that neither has. */
export function factRows({ sides: [first, second] }: Comparison): readonly FactRow[] {
  const row = (name: string, of: (side: ComparedSide) => string): FactRow => ({
    name,
    values: [of(first) || notKnown, of(second) || notKnown],
  });
  const recorded = (name: string, of: (side: ComparedSide) => number): FactRow =>
    row(name, side => (isUnrecorded(side) ? '' : formatNumber(of(side))));
  const causes = [...new Set([first, second].flatMap(({ losses }) => losses.map(({ cause }) => cause)))];
  const rows = [
    row(translate('Agent'), ({ agent, version }) => [agent, version].filter(part => part !== '').join(' ')),
    row(translate('Model'), ({ model }) => model),
    row(translate('Project'), ({ project }) => project),
    row(translate('Request'), ({ request }) => (request === undefined ? '' : requestLabel(request))),
    row(translate('Requests'), side =>
      side.allRequests === side.requests
        ? requestCount(side.requests)
        : translate('{0} ({1} with subagents)', requestCount(side.requests), formatNumber(side.allRequests)),
    ),
    row(translate('Started'), ({ began }) => (began === undefined ? '' : formatMinute(began))),
    row(translate('Duration'), ({ began, ended }) =>
      began === undefined || ended === undefined || began === ended
        ? ''
        : formatDuration((ended - began) / 1000),
    ),
    row(translate('Context window'), ({ window }) => (window === undefined ? '' : formatNumber(window))),
    row(translate('Largest request'), ({ fills }) => {
      const [largest] = fills.toSorted((one, other) => other.tokens.value - one.tokens.value);
      return largest === undefined ? '' : comparedFigure(largest.tokens);
    }),
    row(translate('Sent'), ({ total }) => comparedFigure(total)),
    recorded(translate('Not cached'), ({ usage }) => usage.input),
    recorded(translate('Read from the cache'), ({ usage }) => usage.cacheRead),
    recorded(translate('Written to the cache'), ({ usage }) => usage.cacheWrite),
    row(translate('Output'), side =>
      isUnrecorded(side) && side.usage.output === 0
        ? ''
        : `${side.doubtful > 0 ? '≥ ' : ''}${formatNumber(side.usage.output)}`,
    ),
    row(translate('Cost'), ({ money, isLeast, recordedCost }) =>
      costText({ money, isLeast, recorded: recordedCost }),
    ),
    row(translate('Cached share'), ({ cacheShare }) =>
      cacheShare === undefined ? '' : formatExactShare(cacheShare),
    ),
    row(translate('Compactions'), ({ compactions }) => formatNumber(compactions)),
    row(translate('Pruning'), ({ clearings }) => formatNumber(clearings)),
    ...causes.map(cause =>
      row(translate('Cache lost: {0}', causeWords[cause]), ({ losses }) => {
        const loss = losses.find(each => each.cause === cause);
        return loss === undefined
          ? formatNumber(0)
          : translate(
              '{0, plural, one {once} other {# times}}, {1} tokens',
              loss.requests,
              formatNumber(loss.tokensLost),
            );
      }),
    ),
    row(translate('Without recorded usage'), ({ unrecorded }) =>
      unrecorded === 0 ? '' : requestCount(unrecorded),
    ),
  ];
  return rows.filter(({ values }) => values.some(value => value !== notKnown));
}

const isUnrecorded = ({ requests, unrecorded, allRequests, request }: ComparedSide): boolean =>
  requests === 0 || unrecorded === (request === undefined ? allRequests : 1);

/** The compared parts of two sessions that can differ. */
export type DifferingPart = 'facts' | 'prompt' | 'breakdown' | DifferenceKind;

/** The parts that differ. Titles do not count, because they name the two sessions. */
export function differingParts(comparison: Comparison): readonly DifferingPart[] {
  const { lists, prompt, breakdown } = comparison;
  return [
    ...(factRows(comparison).some(({ values: [one, other] }) => one !== other) ? (['facts'] as const) : []),
    ...(prompt.kind === 'different' || prompt.kind === 'masked' ? (['prompt'] as const) : []),
    ...differenceKinds.filter(kind => lists[kind].rows.length > 0),
    ...(isDifferent(breakdown) ? (['breakdown'] as const) : []),
  ];
}

/** True if a part of the breakdown, or one below it, has different figures. */
export function isDifferent({ first, second, children }: BreakdownPair): boolean {
  return first.tokens !== second.tokens || first.money !== second.money || children.some(isDifferent);
}

/** The sentence for each kind of prompt comparison. */
export function promptSentence({ prompt: { kind, recorded } }: Comparison): string {
  switch (kind) {
    case 'equal':
      return translate('Both have the same system prompt.');
    case 'masked':
      return translate('The system prompts differ only in masked text.');
    case 'notRecorded':
      return notRecordedSentence(recorded);
    case 'different':
      return translate('The system prompts differ.');
  }
}

/** The sentence about the common start of two requests; undefined for whole sessions. */
export function commonSentence({ common }: Comparison): string | undefined {
  return common === undefined
    ? undefined
    : common.blocks === 0
      ? translate('No common prefix.')
      : translate(
          'Common prefix: {0, plural, one {# block} other {# blocks}}; tokens: A {1}, B {2}',
          common.blocks,
          comparedFigure(common.tokens[0]),
          comparedFigure(common.tokens[1]),
        );
}

/** Says which of the two does not record the compared part. */
export function notRecordedSentence([first, second]: readonly [boolean, boolean]): string {
  return first
    ? translate('Not compared: not recorded in B.')
    : second
      ? translate('Not compared: not recorded in A.')
      : translate('Not compared: not recorded in A or B.');
}
