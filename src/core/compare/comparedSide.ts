import { defined } from '../base/defined';
import { lossesIn } from '../cache/cacheFinding';
import { causeTotals } from '../cache/cacheReport';
import { requestsOfThread } from '../model/requestBlocks';
import { cacheQuestions } from '../questions/cacheQuestions';
import { estimatedTotal } from '../tokens/calibration';
import type { TokenFigure } from '../tokens/quality';
import { cacheShare, knownCost } from '../tokens/usageFigures';
import { recordedInput, RequestTokens } from '../view/requestTokens';
import { sessionCost, wholeCost } from '../view/sessionCost';
import type { ComparedSide, Fill } from './comparison';
import type { Side } from './side';

const known = (value = Number.NaN): number | undefined => (Number.isNaN(value) ? undefined : value);

/** The facts of one side. */
export async function describeSide(side: Side): Promise<ComparedSide> {
  const { columns, opened, session, requests, request } = side;
  const { summary } = opened;
  const { findings } = await cacheQuestions(session).report();
  const counts = new Set(requests);
  const thread = request === undefined ? 0 : (columns.requests.thread[request] ?? 0);
  const own = requestsOfThread(columns, thread).filter(each => each <= (request ?? each));
  const cost = sessionCost(columns, summary.models, each => counts.has(each));
  const { total } = request === undefined ? wholeCost(cost, summary) : cost;
  const time = known(columns.requests.timestamp[request ?? -1]);
  const { input, cacheRead, cacheWrite, output } = total;
  const { money, isLeast, recorded } = knownCost(total);
  const unrecorded = requests.length - cost.total.requests + cost.total.withoutInput;
  const of = summary.compactions.filter(each => request === undefined || each.request <= request);
  const window = columns.requests.window[own.at(-1) ?? -1] ?? 0;
  const model = columns.strings.at(columns.requests.model[request ?? -1] ?? 0);
  return {
    title: summary.title,
    agent: summary.agent.name,
    version: summary.agent.versions.at(-1) ?? '',
    model: model === undefined || model === '' ? summary.model : model,
    project: session.transcript.workingDirectory ?? '',
    requests: own.length,
    allRequests:
      request === undefined
        ? columns.requests.thread.length + (summary.subagentFiles?.figures.requests ?? 0)
        : request + 1,
    usage: { input, cacheRead, cacheWrite, output },
    unrecorded,
    doubtful: total.lowOutput,
    isLeast,
    losses: causeTotals(lossesIn(findings).filter(finding => counts.has(finding.request))).map(loss => ({
      ...loss,
    })),
    compactions: of.filter(({ kind }) => kind === 'compaction').length,
    clearings: of.filter(({ kind }) => kind === 'clearing').length,
    total: totalOf(side, unrecorded),
    fills: fillsOf(side, own),
    ...defined({
      request: request === undefined ? undefined : side.requestPlace(request),
      began: request === undefined ? summary.began : time,
      ended: request === undefined ? summary.ended : time,
      money,
      recordedCost: recorded,
      cacheShare: cacheShare(total),
      window: window === 0 ? undefined : window,
    }),
  };
}

function totalOf({ view, request, tree }: Side, unrecorded: number): TokenFigure {
  if (request !== undefined && view !== undefined) {
    return view.total;
  }
  return {
    value: (tree.cached[0] ?? 0) + (tree.fresh[0] ?? 0),
    quality: unrecorded === 0 ? 'exact' : 'estimated',
  };
}

function fillsOf({ columns }: Side, requests: readonly number[]): readonly Fill[] {
  const sizes = new RequestTokens(columns);
  const { cacheRead, window, totalError } = columns.requests;
  return requests.map(request => {
    const recorded = recordedInput(columns, request);
    return {
      tokens:
        recorded === undefined
          ? estimatedTotal(sizes.total(request), totalError[request] ?? 0)
          : { value: recorded, quality: 'exact' },
      ...defined({
        cacheRead: recorded === undefined ? undefined : cacheRead[request],
        window: (window[request] ?? 0) === 0 ? undefined : window[request],
      }),
    };
  });
}
