import { translate } from '../core/base/translate';
import { lossesIn } from '../core/cache/cacheFinding';
import { causeWords } from '../core/cache/causeWords';
import { partitionWords } from '../core/drawing/drawingWords';
import { fileFindings } from '../core/export/fileFindings';
import { blockKinds } from '../core/model/block';
import { cacheQuestions } from '../core/questions/cacheQuestions';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { requestsOfConversation } from '../core/view/requestNames';
import { buildRequestView, notRecordedRange, type RequestView } from '../core/view/requestView';
import type { Budget } from './budget';
import { number, percent, tokens } from './output/words';
import { ruleName } from '../core/sensitivity/ruleWords';

type LimitName = Exclude<keyof Budget, 'requests'>;

/** A limit that is exceeded, or one that cannot be checked because the transcript does not record enough. */
export interface BudgetFinding {
  readonly kind: 'exceeded' | 'unknown';
  readonly limit: LimitName;
  /** 0-based among the requests of the main conversation; null for a finding about all checked requests. */
  readonly request: number | null;
  /** 1-based line in the transcript. */
  readonly line: number;
  readonly sentence: string;
}

/** Checks the last request of the main conversation, or every one, against a budget. The session must be counted. */
export async function checkBudget(
  session: TranscriptSession,
  budget: Budget,
  scanner: SecretScanner,
): Promise<readonly BudgetFinding[]> {
  const { requests } = session.transcript;
  const { columns } = session.toSession();
  const range = notRecordedRange(columns);
  const checked = requestsOfConversation(requests, 0)
    .map((request, index) => ({ index, request }))
    .slice(budget.requests === 'last' ? -1 : 0)
    .map(({ index, request }) => ({ index, view: buildRequestView(columns, request, range) }));
  return [
    ...checked.flatMap(({ index, view }) =>
      limitsOf(session, budget, view).map(finding => ({
        ...finding,
        request: index,
        line: requests[view.request]?.line ?? 1,
      })),
    ),
    ...(await restricted(session, budget, scanner)),
    ...(await cacheBreaks(session, budget)),
  ];
}

type Finding = Omit<BudgetFinding, 'request' | 'line'>;

function limitsOf(session: TranscriptSession, budget: Budget, view: RequestView): readonly Finding[] {
  const { total, window, partitions, notRecorded } = view;
  const tools = toolTokens(session, view);
  const frozen = view.recorded?.tokens;
  const found: Finding[] = [];
  /** Compares a figure with its limit. If the figure is unknown, reports the reason. */
  const check = (
    limit: LimitName,
    figure: number | string,
    isExceeded: (figure: number, bound: number) => boolean,
    sentence: (figure: number, bound: number) => string,
  ): void => {
    const bound = budget[limit];
    if (bound === undefined) {
      return;
    }
    if (typeof figure === 'string') {
      const unknown = translate('{0}, so {1} cannot be checked.', figure, limit);
      found.push({ kind: 'unknown', limit, sentence: unknown });
    } else if (isExceeded(figure, bound)) {
      found.push({ kind: 'exceeded', limit, sentence: sentence(figure, bound) });
    }
  };
  const isMore = (figure: number, bound: number): boolean => figure > bound;
  const tooMany =
    (what: string) =>
    (figure: number, most: number): string =>
      translate('{0} has {1}, more than {2}.', what, tokens(figure), number(most));
  check(
    'maxSystemTokens',
    partitions.system,
    isMore,
    tooMany(translate('The lane {0}', partitionWords.system)),
  );
  check(
    'maxToolTokens',
    tools === 0 && notRecorded.value > 0 ? translate('The tool schemas are not recorded') : tools,
    isMore,
    tooMany(translate('The list of tool schemas')),
  );
  check(
    'maxKnowledgeTokens',
    partitions.knowledge,
    isMore,
    tooMany(translate('The lane {0}', partitionWords.knowledge)),
  );
  check('maxTotalTokens', total.value, isMore, tooMany(translate('The request')));
  check(
    'maxWindowShare',
    window === undefined ? translate('The context window is not known') : total.value / window,
    isMore,
    (share, most) =>
      translate('The request fills {0} of the context window, more than {1}.', percent(share), percent(most)),
  );
  check(
    'minFrozenShare',
    frozen === undefined
      ? translate('The cache read is not recorded')
      : total.value === 0
        ? 0
        : frozen / total.value,
    (share, least) => share < least,
    (share, least) =>
      translate('{0} of the request was read from the cache, less than {1}.', percent(share), percent(least)),
  );
  return found;
}

function toolTokens(session: TranscriptSession, view: RequestView): number {
  const { blocks } = session.toSession().columns;
  const schema = blockKinds.indexOf('toolSchema');
  return view.blocks.reduce(
    (sum, block, position) => sum + (blocks.kind[block] === schema ? (view.tokens[position] ?? 0) : 0),
    0,
  );
}

/**
 * One finding for each credential if there are more than allowed. The whole file counts, whichever requests are
 * checked, because anyone with the file has all of them.
 */
async function restricted(
  session: TranscriptSession,
  { maxRestrictedFindings: most }: Budget,
  scanner: SecretScanner,
): Promise<readonly BudgetFinding[]> {
  if (most === undefined) {
    return [];
  }
  const found = (await fileFindings(session, scanner)).filter(({ label }) => label === 'restricted');
  return (found.length <= most ? [] : found).map(({ line, rule }) => ({
    kind: 'exceeded',
    limit: 'maxRestrictedFindings',
    request: null,
    line: Math.max(line, 1),
    sentence: translate(
      'A credential was found here ({0}); {1, plural, one {# finding} other {# findings}}, {2} allowed.',
      ruleName(rule),
      found.length,
      most,
    ),
  }));
}

/** One finding for each cache loss if there are more than allowed. */
async function cacheBreaks(
  session: TranscriptSession,
  { maxCacheBreaks: most }: Budget,
): Promise<readonly BudgetFinding[]> {
  if (most === undefined) {
    return [];
  }
  const findings = lossesIn((await cacheQuestions(session).report()).findings);
  const { requests } = session.transcript;
  return (findings.length <= most ? [] : findings).map(({ request, causes, tokensLost }) => ({
    kind: 'exceeded',
    limit: 'maxCacheBreaks',
    request: null,
    line: requests[request]?.line ?? 1,
    sentence: translate(
      'The cache was lost here ({0}), {1} paid again; lost {2, plural, one {# time} other {# times}}, {3} allowed.',
      causes.map(cause => causeWords[cause]).join(', '),
      tokens(tokensLost),
      findings.length,
      most,
    ),
  }));
}
