import { formatExactShare } from '../core/base/format';
import type { InspectReport, RequestReport } from './inspect';
import { count, figure, money, number, percent } from './words';

/** The report for a person at a terminal: figures with their quality, one statement a line. */
export function describeReport(report: InspectReport): string {
  const { agent, usage, request, prune } = report;
  const lines = [
    [agent.name, agent.versions.join(', '), report.model].filter(part => part !== '').join(' · '),
    `${count(report.requests, 'request')}, ${count(report.messages, 'message')}, ${count(report.blocks, 'block')}, ` +
      `${count(report.subagents, 'subagent')}, ${count(report.compactions, 'compaction')}`,
    `Used in all: ${number(usage.input)} fresh input, ${number(usage.cacheRead)} cache read, ` +
      `${number(usage.cacheWrite)} cache write, ${number(usage.output)} output`,
    ...describeCost(report),
  ];
  if (request !== null) {
    const share =
      request.window === null
        ? ''
        : ` of ${number(request.window)} (${percent(request.tokens.value / request.window)})`;
    const { system, knowledge, state, history } = request.partitions;
    lines.push(
      '',
      `Request ${request.index}: ${figure(request.tokens)} tokens${share}${request.cost === null ? '' : `, ${money(request.cost)}`}`,
      ...(request.doubtfulOutput === undefined ? [] : [describeOutput(request.doubtfulOutput)]),
      `  system ${number(system)}, of that not recorded ${number(request.notRecorded)}`,
      `  knowledge ${number(knowledge)}, state ${number(state)}, history ${number(history)}`,
      `  frozen prefix: ${request.frozen.recordedTokens === null ? 'not recorded' : `${number(request.frozen.recordedTokens)} recorded`}, ` +
        `${number(request.frozen.predictedTokens)} predicted (${count(request.frozen.predictedBlocks, 'block')})`,
      request.sensitivity === null
        ? '  sensitive: not looked for'
        : `  sensitive: ${number(request.sensitivity.restricted)} restricted, ${number(request.sensitivity.private)} private`,
    );
  }
  if (prune !== null) {
    lines.push(
      '',
      `Prune by the ${prune.ruleSet} rules: ${count(prune.candidateCount, 'candidate')}, ` +
        `${number(prune.tokensFreed)} tokens${prune.executes ? ' freed' : ', not executed'}`,
      ...prune.candidates.map(
        ({ tool, tokens, line, sourceId }) => `  line ${line}: ${tool} ${sourceId}, ${number(tokens)} tokens`,
      ),
    );
  }
  if (report.problems.length > 0) {
    lines.push(
      '',
      ...report.problems.map(
        ({ kind, line, count: times }) => `Problem: ${kind}, ${times} ×, first on line ${line}`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function describeOutput({ recorded, estimate, cost }: NonNullable<RequestReport['doubtfulOutput']>): string {
  const known = `  output: ${number(recorded)} recorded, known to be too low`;
  return estimate === null
    ? known
    : `${known}; by the reply's own tokens about ${figure(estimate)}${cost === null ? '' : `, with it ${money(cost)}`}`;
}

/** Money and cache hits of the conversation; a line says what the sum lacks. */
function describeCost({ cost, cacheShare }: InspectReport): readonly string[] {
  const { total, unpricedRequests, doubtfulRequests, estimatedOutput, byModel } = cost;
  const isLeast = unpricedRequests + doubtfulRequests > 0;
  const models = byModel.flatMap(({ model, total: sum }) => (sum === null ? [] : [`${model} ${money(sum)}`]));
  return [
    ...(total === null
      ? []
      : [
          `Cost at list prices: ${isLeast ? 'at least ' : ''}${money(total)}` +
            (models.length > 1 ? ` (${models.join(', ')})` : ''),
        ]),
    ...(unpricedRequests === 0
      ? []
      : [`No price is known for the model of ${count(unpricedRequests, 'request')}`]),
    ...(doubtfulRequests === 0
      ? []
      : [
          `The output of ${count(doubtfulRequests, 'request')} is recorded too low` +
            (estimatedOutput === undefined
              ? ''
              : `: ${number(estimatedOutput.recorded)} tokens, by the replies' own tokens about ` +
                `${number(estimatedOutput.estimated)} (estimated)`) +
            (typeof estimatedOutput?.total !== 'number'
              ? ''
              : `, which makes the cost about ${money(estimatedOutput.total)}`),
        ]),
    ...(cacheShare === null ? [] : [`Read from the cache: ${formatExactShare(cacheShare)} of the input`]),
  ];
}
