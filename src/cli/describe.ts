import type { TokenFigure } from '../core/tokens/quality';
import type { InspectReport } from './inspect';

const number = new Intl.NumberFormat('en');

/** The report for a person at a terminal: figures with their quality, one statement a line. */
export function describeReport(report: InspectReport): string {
  const { agent, usage, request, prune } = report;
  const lines = [
    [agent.name, agent.versions.join(', '), report.model].filter(part => part !== '').join(' · '),
    `${count(report.requests, 'request')}, ${count(report.messages, 'message')}, ${count(report.blocks, 'block')}, ` +
      `${count(report.subagents, 'subagent')}, ${count(report.compactions, 'compaction')}`,
    `Used in all: ${number.format(usage.input)} fresh input, ${number.format(usage.cacheRead)} cache read, ` +
      `${number.format(usage.cacheWrite)} cache write, ${number.format(usage.output)} output`,
  ];
  if (request !== null) {
    const share =
      request.window === null
        ? ''
        : ` of ${number.format(request.window)} (${percent(request.tokens.value / request.window)})`;
    const { system, knowledge, state, history } = request.partitions;
    lines.push(
      '',
      `Request ${request.index}: ${figure(request.tokens)} tokens${share}`,
      `  system ${number.format(system)}, of that not recorded ${number.format(request.notRecorded)}`,
      `  knowledge ${number.format(knowledge)}, state ${number.format(state)}, history ${number.format(history)}`,
      `  frozen prefix: ${request.frozen.recordedTokens === null ? 'not recorded' : `${number.format(request.frozen.recordedTokens)} recorded`}, ` +
        `${number.format(request.frozen.predictedTokens)} predicted (${count(request.frozen.predictedBlocks, 'block')})`,
      `  sensitive: ${number.format(request.sensitivity.restricted)} restricted, ${number.format(request.sensitivity.private)} private`,
    );
  }
  if (prune !== null) {
    lines.push(
      '',
      `Prune by the ${prune.ruleSet} rules: ${count(prune.candidateCount, 'candidate')}, ` +
        `${number.format(prune.tokensFreed)} tokens${prune.executes ? ' freed' : ', not executed'}`,
      ...prune.candidates.map(
        ({ tool, tokens, line, sourceId }) =>
          `  line ${line}: ${tool} ${sourceId}, ${number.format(tokens)} tokens`,
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

function count(amount: number, noun: string): string {
  return `${number.format(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function figure({ value, quality, error }: TokenFigure): string {
  return `${number.format(value)} (${quality}${error === undefined ? '' : ` ±${percent(error)}`})`;
}
