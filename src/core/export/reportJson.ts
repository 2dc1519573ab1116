import type { SessionCost } from '../view/sessionCost';
import { requestJson } from './requestFacts';
import type { SessionReport } from './sessionReport';

/** The member `report` of `report --out FILE.json`. Members are added, never changed. */
export function reportJson({
  insights,
  summary,
  view,
  notRecordedParts,
  index,
  requests,
  cost,
  largest,
  cache,
  prune,
  sensitivity,
  found,
  exposure,
}: SessionReport) {
  return {
    title: summary.title,
    request: index,
    requests,
    ...requestJson(view),
    notRecorded: view.notRecorded,
    notRecordedParts,
    frozen: { recorded: view.recorded ?? null, predicted: view.predicted },
    usage: cost.total,
    cost: { ...costJson(cost), subagentFiles: summary.subagentFiles?.figures.money ?? 0 },
    problems: summary.problems,
    largestBlocks: largest,
    cache,
    prune: { options: prune.options, ruleSets: prune.rows },
    sensitivity,
    found,
    exposure,
    insights,
  };
}

/** US dollars at list prices, by kind of token, and of tools that the provider ran; the total is of the whole session. */
function costJson({ total, estimated, paid }: SessionCost) {
  const { input, cacheRead, cacheWrite, output, tools } = paid;
  return {
    input,
    cacheRead,
    cacheWrite,
    output,
    tools,
    total: estimated?.money ?? total.money,
    recordedTotal: total.money,
    requests: total.requests - total.unpriced,
    unpriced: total.unpriced,
    estimated: paid.estimated,
    doubtful: paid.doubtful,
  };
}
