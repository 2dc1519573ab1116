import type { SessionColumns } from '../../core/model/columns';
import { diffRequests, type BlockChange, type RequestDiff } from '../../core/view/requestDiff';
import { sessionCost } from '../../core/view/sessionCost';
import type { TokenFigure } from '../../core/tokens/quality';
import {
  commonOptions,
  jsonHelp,
  modelsHelp,
  modelsOption,
  printJson,
  readArguments,
  readIndex,
  readOptionalIndex,
  usageLine,
  UsageError,
  type Command,
  type ExitCode,
} from '../arguments';
import { blockRow, type BlockRow } from '../blockRow';
import { requestAt, requestsOf, withTranscript } from '../opened';
import { knownMoney, count, figure, money, number } from '../words';

/** What `diff --json` prints. */
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
  readonly request: number;
  readonly blocks: number;
  readonly tokens: TokenFigure;
  /** US dollars at list prices; null where the usage or the prices are unknown. */
  readonly money: number | null;
}

export const diff: Command = {
  name: 'diff',
  synopsis: 'FILE REQUEST REQUEST [--conversation N] [--json] [--models FILE]',
  help: `Compares two requests of a conversation: blocks added, removed, changed and moved.

  REQUEST           a request, counted from 0
  --conversation N  the conversation, by its number in the list of inspect --list; the main one when left out
${jsonHelp}${modelsHelp}`,
  async run(words) {
    const { values, positionals } = readArguments(words, {
      ...commonOptions,
      ...modelsOption,
      conversation: { type: 'string' },
    });
    const [file, first, second, ...rest] = positionals;
    if (file === undefined || first === undefined || second === undefined || rest.length > 0) {
      throw new UsageError(`Expected: ${usageLine(diff.name, diff.synopsis)}`);
    }
    const indices = [readIndex('REQUEST', first), readIndex('REQUEST', second)] as const;
    const conversation = readOptionalIndex('--conversation', values.conversation);
    return withTranscript<ExitCode>(
      file,
      async session => {
        const requests = requestsOf(file, session, conversation);
        const [before, after] = indices.map(index => requestAt(file, requests, index).request);
        await session.countTokens();
        const { columns, summary } = session.toSession();
        const { recordedByRequest } = sessionCost(columns, summary.models);
        const found = diffRequests(columns, before ?? 0, after ?? 0);
        const side = (view: RequestDiff['before'], index: number): RequestSide => ({
          request: index,
          blocks: view.blocks.length,
          tokens: view.total,
          money: knownMoney(recordedByRequest[view.request]),
        });
        const report: DiffReport = {
          before: side(found.before, indices[0]),
          after: side(found.after, indices[1]),
          commonPrefix: found.commonPrefix,
          unchanged: found.unchanged,
          tokensAdded: found.tokensAdded,
          tokensRemoved: found.tokensRemoved,
          changes: found.changes.map(change => rowsOf(columns, found, change)),
        };
        if (values.json === true) {
          printJson(report);
        } else {
          process.stdout.write(describe(report));
        }
        return 0;
      },
      values.models,
    );
  },
};

function rowsOf(
  columns: SessionColumns,
  { before, after }: RequestDiff,
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
  const side = ({ request, blocks, tokens, money: cost }: RequestSide): string =>
    `Request ${request}: ${count(blocks, 'block')}, ${figure(tokens)} tokens${cost === null ? '' : `, ${money(cost)}`}`;
  const lines = [
    side(before),
    side(after),
    `Common prefix: ${count(commonPrefix.blocks, 'block')}, ${number(commonPrefix.tokens)} tokens; ` +
      `${count(unchanged, 'block')} unchanged in all`,
    `Added ${number(sums.tokensAdded)} tokens, removed ${number(sums.tokensRemoved)}`,
    ...changes.map(change => {
      const shown = change.after ?? change.before;
      const tokens =
        change.kind === 'changed' && change.before !== null && change.after !== null
          ? `${number(change.before.tokens)} → ${number(change.after.tokens)}`
          : number(shown?.tokens ?? 0);
      const from = change.kind === 'moved' ? `, from ${change.before?.position ?? 0}` : '';
      return `${signs[change.kind]} ${shown?.position ?? 0}: ${shown?.kind ?? ''} ${shown?.label ?? ''}, ${tokens} tokens${from}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
