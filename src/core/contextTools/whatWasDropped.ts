import * as v from 'valibot';
import { formatNumber } from '../base/format';
import type { TokenFigure } from '../tokens/quality';
import { figureTokens } from '../tokens/qualityWords';
import type { TranscriptSession } from '../session/transcriptSession';
import { type CompactionDiff, compactionDiffs } from '../view/compactionDiff';
import { requestLabel, requestNames } from '../view/requestNames';
import { RequestTokens } from '../view/requestTokens';
import { type AnswerLine, commonParams, contextTool, ToolError } from './contextTool';
import { recorded } from './recordedText';

const number = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffffffff)));

export const whatWasDropped = contextTool({
  name: 'what_was_dropped',
  title: 'What was dropped',
  description: 'What a compaction or clearing removed, largest first. `block`: the text of one block.',
  params: {
    compaction: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.description('1-based; default: newest')),
    ),
    block: number,
    ...commonParams,
  },
  answer: async ({ compaction, block, session: wanted }, { open }) => {
    const { session, conversation } = await open(wanted);
    if (block !== undefined) {
      return textOf(session, block);
    }
    const { columns, summary } = session.toSession();
    const diffs = compactionDiffs({ columns, summary }).filter(
      each => summary.compactions[each.compaction]?.thread === conversation,
    );
    const diff = diffs[(compaction ?? diffs.length) - 1];
    if (diff === undefined) {
      return [
        diffs.length === 0
          ? 'Nothing was compacted or cleared.'
          : `There is no compaction ${compaction}: the session has ${diffs.length}.`,
      ];
    }
    return describe(session, diff, `${diffs.indexOf(diff) + 1} of ${diffs.length}`);
  },
});

async function textOf(session: TranscriptSession, block: number): Promise<readonly AnswerLine[]> {
  if (block >= session.transcript.blocks.length) {
    throw new ToolError(`There is no block ${block}.`);
  }
  const text = await session.wholeText(block, false);
  return text.split('\n').map(line => ({ text: line, isRecorded: true }));
}

/** The parts of a request's tokens that are not empty. */
const partsText = (parts: readonly (readonly [name: string, tokens: number])[]): string =>
  parts.flatMap(([name, tokens]) => (tokens === 0 ? [] : [`${name} ${formatNumber(tokens)}`])).join(', ');

function describe(session: TranscriptSession, diff: CompactionDiff, place: string): readonly AnswerLine[] {
  const names = requestNames(session.transcript.requests);
  const labelOf = (request: number | undefined): string => {
    const name = request === undefined ? undefined : names[request];
    return name === undefined ? 'none' : requestLabel(name);
  };
  const { kind, before, after, tokensBefore, tokensAfter, tokens } = diff;
  const size = (figure: TokenFigure | undefined): string =>
    figure === undefined ? 'size not recorded' : figureTokens(figure);
  const gone = [...diff.summarised, ...diff.dropped, ...diff.cleared.map(pair => pair.before)];
  const requestTokens = new RequestTokens(session.toSession().columns);
  const sizes = new Map(
    gone.map(block => [block, before === undefined ? 0 : requestTokens.blocks(before, [block])]),
  );
  return [
    `${kind === 'compaction' ? 'Compaction' : 'Clearing'} ${place}, between request ${labelOf(before)} (${size(tokensBefore)}) and ${labelOf(after)} (${size(tokensAfter)})`,
    ...(before === undefined
      ? []
      : [
          `Of request ${labelOf(before)}: ${partsText([
            ['replaced by a summary', tokens.summarised],
            ['dropped', tokens.dropped],
            ['cleared results', tokens.clearedBefore],
            ['kept', tokens.kept],
            ['sent again', tokens.again],
            ['not recorded', tokens.hiddenBefore],
          ])}.`,
        ]),
    ...(after === undefined
      ? []
      : [
          `In request ${labelOf(after)}: ${partsText([
            ['new summary', tokens.summaries],
            ['kept', tokens.keptAfter],
            ['notices of cleared results', tokens.clearedAfter],
            ['sent again or attached', tokens.reinjected],
            ['new', tokens.added],
            ['not recorded', tokens.hiddenAfter],
          ])}.`,
        ]),
    ...gone
      .toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0))
      .map(block => ({
        text: `block ${block}: ${recorded(session.namesOf(block).find(name => name !== '') ?? '')} · ${formatNumber(sizes.get(block) ?? 0)} tokens`,
        place: { conversation: 0, ...(before === undefined ? {} : names[before]), block },
      })),
  ];
}
