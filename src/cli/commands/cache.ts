import { cacheQuestions } from '../../core/questions/cacheQuestions';
import type { CacheReport } from '../../core/cache/cacheFinding';
import { causeWords, certaintyWords } from '../../core/cache/causeWords';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import {
  commonOptions,
  jsonHelp,
  modelsHelp,
  modelsOption,
  onlyFile,
  printJson,
  readArguments,
  type Command,
  type ExitCode,
} from '../arguments';
import { withTranscript } from '../opened';
import { count, money, number } from '../words';

/** A request by its conversation and its 0-based place there. */
interface RequestName {
  readonly conversation: number;
  readonly request: number;
}

export const cache: Command = {
  name: 'cache',
  synopsis: 'FILE [--json] [--models FILE]',
  help: `Shows the frozen boundary of every request, and why the provider's cache broke. Exit code 1 when it did.

${jsonHelp}${modelsHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, { ...commonOptions, ...modelsOption });
    const file = onlyFile(cache, positionals);
    return withTranscript<ExitCode>(
      file,
      async session => {
        await session.countTokens();
        const report = await cacheQuestions(session).report();
        const names = requestNames(session);
        if (values.json === true) {
          printJson(named(report, names));
        } else {
          process.stdout.write(describe(report, names));
        }
        return report.findings.length === 0 ? 0 : 1;
      },
      values.models,
    );
  },
};

function requestNames({ transcript }: TranscriptSession): readonly RequestName[] {
  const next = new Map<number, number>();
  return transcript.requests.map(({ thread }) => {
    const request = next.get(thread) ?? 0;
    next.set(thread, request + 1);
    return { conversation: thread, request };
  });
}

/** The report with requests named as the other commands name them. */
function named(report: CacheReport, names: readonly RequestName[]) {
  return {
    ...report,
    findings: report.findings.map(({ request, previous, ...rest }) => ({
      ...names[request],
      previous: names[previous] ?? null,
      ...rest,
    })),
    boundaries: report.boundaries.map(({ request, predicted, ...rest }) => ({
      ...names[request],
      ...rest,
      predicted: {
        ...predicted,
        from: predicted.from === undefined ? null : (names[predicted.from] ?? null),
      },
    })),
  };
}

function describe(report: CacheReport, names: readonly RequestName[]): string {
  const { input, lost, conservation, agreement, findings, causes, boundaries } = report;
  const name = (request: number): string => {
    const found = names[request];
    return found === undefined
      ? ''
      : found.conversation === 0
        ? String(found.request)
        : `${found.conversation}/${found.request}`;
  };
  const cost = (dollars: number | undefined): string => (dollars === undefined ? '' : `, ${money(dollars)}`);
  const width = Math.max(7, ...names.map((_, request) => name(request).length));
  const lines = [
    `Input: ${number(input.read)} tokens read from the cache, ${number(input.written)} written, ${number(input.fresh)} fresh`,
    `Lost to ${count(findings.length, 'break')}: ${number(lost.tokens)} tokens${cost(lost.money)}`,
    `Recorded boundary where predicted: ${agreement.agreeing} of ${agreement.compared}; ` +
      `all read that was written before: ${conservation.kept} of ${conservation.checked}`,
    ...causes.map(
      total =>
        `  ${causeWords[total.cause]}: ${count(total.requests, 'request')}, ${number(total.tokensLost)} tokens${cost(total.moneyLost)}`,
    ),
    ...findings.flatMap(finding => [
      '',
      `Request ${name(finding.request)}: ${finding.causes.map(cause => causeWords[cause]).join(' and ')} (${certaintyWords[finding.certainty]})`,
      `  read ${number(finding.read)} of ${number(finding.readable)} readable tokens, ` +
        `${number(finding.tokensLost)} paid for again${cost(finding.moneyLost)}`,
      ...(finding.possible.length === 0
        ? []
        : [`  possible: ${finding.possible.map(cause => causeWords[cause]).join(', ')}`]),
      ...finding.evidence.map(fact => `  ${fact}`),
    ]),
    '',
    `${'request'.padEnd(width)}  ${'recorded'.padStart(10)}  ${'readable'.padStart(10)}  ${'predicted'.padStart(10)}  why the prediction ends there`,
    ...boundaries.map(({ request, recorded, readable, predicted, agreement: verdict }) =>
      [
        name(request).padEnd(width),
        (recorded === undefined ? '–' : number(recorded)).padStart(10),
        (readable === undefined ? '–' : number(readable)).padStart(10),
        number(predicted.tokens).padStart(10),
        `${predicted.reason}${verdict === 'short' || verdict === 'beyond' ? `, recorded ${verdict}` : ''}`,
      ].join('  '),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
