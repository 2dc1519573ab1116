import { formatMoney } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { oneLine } from '../../core/finder/sessionText';
import {
  type BreakdownPair,
  type Comparison,
  type Difference,
  type DifferenceKind,
  differenceKinds,
} from '../../core/compare/comparison';
import { compareSessions } from '../../core/compare/compareSessions';
import {
  commonSentence,
  comparedFigure,
  differenceWords,
  differingParts,
  factRows,
  isDifferent,
  notRecordedSentence,
  promptSentence,
} from '../../core/compare/compareWords';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import type { TranscriptSession } from '../../core/session/transcriptSession';
import { command, type ExitCode, print } from '../command';
import { jsonOption, modelsOption, option } from '../options/options';
import { tableLines } from '../output/tableLines';
import { requestAt, requestsOf, withTranscript } from '../sessions/transcripts';
import { readWhole } from '../options/values';
import { inLines, number, tokens } from '../output/words';

/** Widths of a line, in UTF-16 units. */
const nameWidth = 44;
const valueWidth = 34;
/** The number of printed rows of a list, and of printed lines of the system prompts. */
const mostRows = 12;
const mostLines = 20;

export const compare = command({
  name: 'compare',
  operands: ['FILE', 'FILE'],
  summary: translate(
    'Compares two sessions: facts, cost, cache, system prompt, tools, memory, files that only one of them read, and token breakdown. With --request, compares two requests.',
  ),
  example: 'before.jsonl latest',
  options: {
    request: option(
      'N',
      translate(
        'Compare this request of the first file, counted from 0 in its main conversation, with one of the second. Default with --other-request: the last one.',
      ),
    ),
    'other-request': option(
      'N',
      translate('The request of the second file. Default with --request: the last one.'),
    ),
    ...jsonOption,
    ...modelsOption,
  },
  run: (values, file, [otherFile = '']) => {
    const request = readWhole('--request', values.request, 0, undefined);
    const other = readWhole('--other-request', values['other-request'], 0, undefined);
    const isWhole = request === undefined && other === undefined;
    const chosen = (name: string, session: TranscriptSession, index: number | undefined) =>
      isWhole ? undefined : requestAt(name, requestsOf(name, session, 0), index).request;
    const whole = { readsSubagents: true };
    const compareWith = (first: TranscriptSession): Promise<ExitCode> =>
      withTranscript<ExitCode>(
        otherFile,
        values.models,
        async second => {
          const [one, another] = [chosen(file, first, request), chosen(otherFile, second, other)];
          await first.measure();
          await second.measure();
          const comparison = await compareSessions(
            { session: first, request: one },
            { session: second, request: another },
          );
          await print(values.json, comparison, () => describe(comparison));
          return 0;
        },
        whole,
      );
    return withTranscript<ExitCode>(file, values.models, compareWith, whole);
  },
});

function describe(comparison: Comparison): string {
  const { sides, mapped, lists, breakdown } = comparison;
  const common = commonSentence(comparison);
  return inLines([
    ...sides.map(
      ({ title }, side) => `${side === 0 ? 'A' : 'B'}  ${cut(oneLine(withNamedMarks(title)), 90)}`,
    ),
    ...(differingParts(comparison).length === 0 ? [translate('No differences.')] : []),
    ...(mapped ? [translate('Files match if their path inside the project folder is the same.')] : []),
    ...(common === undefined ? [] : [common]),
    '',
    ...tableLines(
      [
        ['', 'A', 'B'],
        ...factRows(comparison).map(({ name, values }) => [
          cut(name, 28),
          ...values.map(value => cutStart(value, valueWidth)),
        ]),
      ],
      3,
    ),
    '',
    ...promptLines(comparison),
    ...differenceKinds.flatMap(kind => listLines(kind, lists[kind])),
    translate('Tokens by part'),
    ...tableLines([['', 'A', 'B', 'B − A', 'A $', 'B $'], ...breakdownRows(breakdown, 0)], 1),
  ]);
}

function promptLines(comparison: Comparison): readonly string[] {
  const { kind, runs, tokens: sizes } = comparison.prompt;
  if (kind === 'equal' || kind === 'notRecorded') {
    return [translate('System prompt: {0}', promptSentence(comparison)), ''];
  }
  const lines = runs.flatMap(run =>
    run.kind === 'same'
      ? [`    ${translate('{0, plural, one {# equal line} other {# equal lines}}', run.count)}`]
      : run.lines.map(line => `  ${run.kind === 'onlyFirst' ? '-' : '+'} ${cut(line, 94)}`),
  );
  const sums = (['onlyFirst', 'onlySecond'] as const).map(side =>
    runs.reduce((sum, run) => sum + (run.kind === side ? run.tokens.value : 0), 0),
  );
  return [
    translate('System prompt: {0}', promptSentence(comparison)),
    `  ${translate('A {0}, B {1}; only A {2}, only B {3}', comparedFigure(sizes[0]), comparedFigure(sizes[1]), tokens(sums[0] ?? 0), tokens(sums[1] ?? 0))}`,
    ...lines.slice(0, mostLines),
    ...moreLine(lines.length - mostLines),
    '',
  ];
}

function listLines(
  kind: DifferenceKind,
  { rows, same, recorded }: Comparison['lists'][DifferenceKind],
): readonly string[] {
  const name = differenceWords[kind];
  if (!recorded[0] || !recorded[1]) {
    return [`${name}: ${notRecordedSentence(recorded)}`, ''];
  }
  if (rows.length === 0) {
    return same === 0 ? [] : [translate('{0}: {1} in both, no differences', name, number(same)), ''];
  }
  return [
    translate('{0}: {1} in both, {2} different', name, number(same), number(rows.length)),
    ...tableLines(rows.slice(0, mostRows).map(differenceCells), 2).map(line => `  ${line}`),
    ...moreLine(rows.length - mostRows),
    '',
  ];
}

function differenceCells({ name, first, second }: Difference): readonly string[] {
  const shown = cutStart(oneLine(name), 60);
  if (first !== undefined && second !== undefined) {
    return [
      translate('changed'),
      shown,
      `${comparedFigure(first.tokens)} → ${comparedFigure(second.tokens)}`,
    ];
  }
  const only = first ?? second;
  return [
    first === undefined ? translate('only B') : translate('only A'),
    shown,
    only === undefined ? '' : comparedFigure(only.tokens),
  ];
}

function moreLine(count: number): readonly string[] {
  return count > 0 ? [`    ${translate('and {0} more: --json', number(count))}`] : [];
}

/** The parts down to tools, servers and files; the largest of each group. */
function breakdownRows(pair: BreakdownPair, depth: number): readonly (readonly string[])[] {
  const { first, second, children } = pair;
  const difference = second.tokens - first.tokens;
  const indent = '  '.repeat(depth);
  const below = children.filter(isDifferent).slice(0, depth === 0 ? children.length : 5);
  return [
    [
      `${indent}${cutStart(oneLine(pair.name), nameWidth - indent.length)}`,
      number(first.tokens),
      number(second.tokens),
      `${difference > 0 ? '+' : ''}${number(difference)}`,
      ...[first.money, second.money].map(money => (money === null ? '' : formatMoney(money))),
    ],
    ...(depth < 2 ? below.flatMap(child => breakdownRows(child, depth + 1)) : []),
  ];
}

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;
/** The end of a path is more useful than its beginning. */
const cutStart = (text: string, width: number): string =>
  text.length > width ? `…${text.slice(text.length - width + 1)}` : text;
