import { translate } from '../../core/base/translate';
import { type BlockRow, blockRow } from '../../core/export/blockRow';
import type { SessionColumns } from '../../core/model/columns';
import type { TokenFigure } from '../../core/tokens/quality';
import { type BlockChange, type RequestDiff, diffRequests } from '../../core/view/requestDiff';
import { sessionCost } from '../../core/view/sessionCost';
import { type ExitCode, command, print } from '../command';
import { conversationOption, jsonOption, modelsOption } from '../options/options';
import { requestAt, requestsOf, withTranscript } from '../sessions/transcripts';
import { readWhole } from '../options/values';
import { blocks, figure, inLines, knownMoney, money, number, requestHeading, tokens } from '../output/words';

/** The output of `diff --json`. */
interface DiffReport {
  readonly before: RequestSide;
  readonly after: RequestSide;
  readonly commonPrefix: RequestDiff['commonPrefix'];
  readonly unchanged: number;
  readonly tokensAdded: number;
  readonly tokensRemoved: number;
  /** In the order of the later request. */
  readonly changes: readonly {
    readonly kind: BlockChange['kind'];
    readonly before: BlockRow | null;
    readonly after: BlockRow | null;
  }[];
}

interface RequestSide {
  /** 0-based among the requests of the conversation. */
  readonly request: number;
  readonly blocks: number;
  readonly tokens: TokenFigure;
  /** US dollars at list prices; null if the usage or the prices are unknown. */
  readonly money: number | null;
}

export const diff = command({
  name: 'diff',
  operands: ['FILE', 'REQUEST', 'REQUEST'],
  summary: translate(
    'Compares two requests of a conversation: blocks added, removed, changed and moved. The requests are given by index, counted from 0 as for --request.',
  ),
  example: 'session.jsonl 11 12',
  options: { ...conversationOption, ...jsonOption, ...modelsOption },
  run: (values, file, others) => {
    const indices = others.map(text => readWhole('REQUEST', text, 0, 0));
    const conversation = readWhole('--conversation', values.conversation, 0, 0);
    return withTranscript<ExitCode>(file, values.models, async session => {
      const requests = requestsOf(file, session, conversation);
      const [before = 0, after = 0] = indices.map(index => requestAt(file, requests, index).request);
      await session.measure();
      const { columns, summary } = session.toSession();
      const { byRequest } = sessionCost(columns, summary.models);
      const { changes, ...found } = diffRequests(columns, before, after);
      const side = (view: RequestDiff['before']): RequestSide => ({
        request: requests.indexOf(view.request),
        blocks: view.blocks.length,
        tokens: view.total,
        money: knownMoney(byRequest[view.request]),
      });
      const report: DiffReport = {
        ...found,
        before: side(found.before),
        after: side(found.after),
        changes: changes.map(change => rowsOf(columns, found, change)),
      };
      await print(values.json, report, () => describe(report));
      return 0;
    });
  },
});

function rowsOf(
  columns: SessionColumns,
  { before, after }: Pick<RequestDiff, 'before' | 'after'>,
  change: BlockChange,
): DiffReport['changes'][number] {
  return {
    kind: change.kind,
    before: 'before' in change ? blockRow(columns, before, change.before) : null,
    after: 'after' in change ? blockRow(columns, after, change.after) : null,
  };
}

const signs: Readonly<Record<BlockChange['kind'], string>> = {
  added: '+',
  removed: '-',
  changed: '~',
  moved: '>',
};

function describe({ before, after, commonPrefix, unchanged, changes, ...sums }: DiffReport): string {
  const side = ({ request, blocks: count, tokens: total, money: cost }: RequestSide): string =>
    translate('{0}: {1}, {2}', requestHeading({ conversation: 0, request }), blocks(count), figure(total)) +
    (cost === null ? '' : `, ${money(cost)}`);
  return inLines([
    side(before),
    side(after),
    translate(
      'Common prefix: {0}, {1}; unchanged in total: {2}',
      blocks(commonPrefix.blocks),
      tokens(commonPrefix.tokens),
      blocks(unchanged),
    ),
    translate('Added: {0}, removed: {1}', tokens(sums.tokensAdded), tokens(sums.tokensRemoved)),
    ...changes.map(change => {
      const shown = change.after ?? change.before;
      const size =
        change.kind === 'changed' && change.before !== null && change.after !== null
          ? `${number(change.before.tokens)} → ${tokens(change.after.tokens)}`
          : tokens(shown?.tokens ?? 0);
      const from =
        change.kind === 'moved'
          ? `, ${translate('from {0}', number((change.before?.position ?? 0) + 1))}`
          : '';
      return `${signs[change.kind]} ${number((shown?.position ?? 0) + 1)}: ${shown?.kind ?? ''} ${shown?.label ?? ''}, ${size}${from}`;
    }),
  ]);
}
