import { blockKinds } from '../../src/core/model/block';
import { cacheQuestions } from '../core/questions/cacheQuestions';
import { causeWords } from '../core/cache/causeWords';
import { sensitivityFindings } from '../core/export/sensitivityFindings';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { buildRequestView, notRecordedRange, type RequestView } from '../core/view/requestView';
import type { Budget } from './budget';
import { count, number, percent } from './words';

/** A limit that is exceeded, or one that the transcript says too little about to tell. */
export interface BudgetFinding {
  readonly kind: 'exceeded' | 'unknown';
  readonly limit: Exclude<keyof Budget, 'requests'>;
  /** 0-based among the requests of the main conversation; null where it is about all that were checked. */
  readonly request: number | null;
  /** 1-based line in the transcript. */
  readonly line: number;
  readonly sentence: string;
}

/** Holds the requests of the main conversation, the last or every one, to a budget. The session is counted already. */
export async function checkBudget(
  session: TranscriptSession,
  budget: Budget,
  scanner: SecretScanner,
): Promise<readonly BudgetFinding[]> {
  const { transcript } = session;
  const { columns } = session.toSession();
  const all = [...transcript.requests.keys()].filter(request => transcript.requests[request]?.thread === 0);
  const range = notRecordedRange(columns);
  const checked = all
    .map((request, index) => ({ request, index }))
    .slice(budget.requests === 'last' ? -1 : 0)
    .map(({ request, index }) => ({ index, view: buildRequestView(columns, request, range) }));
  const findings = checked.flatMap(({ index, view }) =>
    limitsOf(session, budget, view).map(finding => ({
      ...finding,
      request: index,
      line: transcript.requests[view.request]?.line ?? 1,
    })),
  );
  return [
    ...findings,
    ...(await restricted(
      session,
      budget,
      checked.map(({ view }) => view),
      scanner,
    )),
    ...(await cacheBreaks(session, budget)),
  ];
}

type Limit = Omit<BudgetFinding, 'request' | 'line'>;

function limitsOf(session: TranscriptSession, budget: Budget, view: RequestView): readonly Limit[] {
  const { total, window, partitions, notRecorded } = view;
  const tools = toolTokens(session, view);
  const frozen = view.recorded?.tokens;
  return [
    atMost('maxSystemTokens', 'The system partition', partitions.system, budget.maxSystemTokens),
    tools === 0 && notRecorded.value > 0
      ? unknown('maxToolTokens', 'The tool schemas are not recorded', budget.maxToolTokens)
      : atMost('maxToolTokens', 'The tool schemas', tools, budget.maxToolTokens),
    atMost('maxKnowledgeTokens', 'The knowledge partition', partitions.knowledge, budget.maxKnowledgeTokens),
    atMost('maxTotalTokens', 'The request', total.value, budget.maxTotalTokens),
    window === undefined
      ? unknown('maxWindowShare', 'The context window is not known', budget.maxWindowShare)
      : shareOver('maxWindowShare', 'of the context window', total.value / window, budget.maxWindowShare),
    frozen === undefined
      ? unknown('minFrozenShare', 'The cache read is not recorded', budget.minFrozenShare)
      : shareUnder(
          'minFrozenShare',
          'read from the cache',
          total.value === 0 ? 0 : frozen / total.value,
          budget.minFrozenShare,
        ),
  ].flatMap(found => found ?? []);
}

function toolTokens(session: TranscriptSession, view: RequestView): number {
  const { blocks } = session.toSession().columns;
  const schema = blockKinds.indexOf('toolSchema');
  return view.blocks.reduce(
    (sum, block, position) => sum + (blocks.kind[block] === schema ? (view.tokens[position] ?? 0) : 0),
    0,
  );
}

function atMost(
  limit: BudgetFinding['limit'],
  what: string,
  tokens: number,
  most: number | undefined,
): Limit | undefined {
  return most === undefined || tokens <= most
    ? undefined
    : {
        kind: 'exceeded',
        limit,
        sentence: `${what} has ${number(tokens)} tokens, more than ${number(most)}.`,
      };
}

function unknown(limit: BudgetFinding['limit'], why: string, wanted: number | undefined): Limit | undefined {
  return wanted === undefined
    ? undefined
    : { kind: 'unknown', limit, sentence: `${why}, so that ${limit} cannot be checked.` };
}

function shareOver(
  limit: BudgetFinding['limit'],
  of: string,
  share: number,
  most: number | undefined,
): Limit | undefined {
  return most === undefined || share <= most
    ? undefined
    : {
        kind: 'exceeded',
        limit,
        sentence: `The request fills ${percent(share)} ${of}, more than ${percent(most)}.`,
      };
}

function shareUnder(
  limit: BudgetFinding['limit'],
  how: string,
  share: number,
  least: number | undefined,
): Limit | undefined {
  return least === undefined || share >= least
    ? undefined
    : {
        kind: 'exceeded',
        limit,
        sentence: `${percent(share)} of the request was ${how}, less than ${percent(least)}.`,
      };
}

/** One finding for each credential, where there are more of them than allowed. */
async function restricted(
  session: TranscriptSession,
  { maxRestrictedFindings: most }: Budget,
  views: readonly RequestView[],
  scanner: SecretScanner,
): Promise<readonly BudgetFinding[]> {
  if (most === undefined) {
    return [];
  }
  const blocks = [...new Set(views.flatMap(({ blocks: numbers }) => [...numbers]))];
  const found = (await sensitivityFindings(session, blocks, scanner)).filter(
    ({ label }) => label === 'restricted',
  );
  return found.length <= most
    ? []
    : found.map(({ line, rule }) => ({
        kind: 'exceeded',
        limit: 'maxRestrictedFindings',
        request: null,
        line,
        sentence: `A credential stands here (${rule}); ${count(found.length, 'finding')}, ${most} allowed.`,
      }));
}

/** One finding for each cache break, where there are more of them than allowed. */
async function cacheBreaks(
  session: TranscriptSession,
  { maxCacheBreaks: most }: Budget,
): Promise<readonly BudgetFinding[]> {
  const findings = most === undefined ? [] : (await cacheQuestions(session).report()).findings;
  if (most === undefined || findings.length <= most) {
    return [];
  }
  const { requests } = session.transcript;
  return findings.map(({ request, causes, tokensLost }) => ({
    kind: 'exceeded',
    limit: 'maxCacheBreaks',
    request: null,
    line: requests[request]?.line ?? 1,
    sentence:
      `The cache broke here (${causes.map(cause => causeWords[cause]).join(', ')}), ${number(tokensLost)} tokens were paid for again; ` +
      `${count(findings.length, 'break')}, ${most} allowed.`,
  }));
}
