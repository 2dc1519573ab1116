import { tokens as tokenCount } from '../base/countWords';
import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import { translate } from '../base/translate';
import { blockKinds } from '../model/block';
import type { Session, SessionColumns } from '../model/columns';
import { assertNever } from '../model/labels';
import { blocksOf, newestOfModel, newestOfThread } from '../model/requestBlocks';
import type { AfterNewest } from '../model/transcript';
import { recordedInput, RequestTokens } from './requestTokens';

/** The state from which the next request of the main conversation starts, if it is not that of the newest request. */
export interface ContextAfter {
  readonly change?: NonNullable<AfterNewest['change']>;
  /** Tokens that the next request will have, with system text and tools, but without a new prompt. */
  readonly tokens?: number;
  /** The model that was chosen, as the transcript names it. */
  readonly model?: string;
  /** True if that model may still have a part of this context in its cache, from an earlier request. */
  readonly mayRead?: true;
}

/**
 * Undefined if the conversation only grew after its newest request. Linear in the blocks that are left.
 * @param conversation the main one by default; of others no such change is known
 */
export function contextAfter(session: Session, conversation = 0): ContextAfter | undefined {
  const {
    columns,
    summary: { after },
  } = session;
  const newest = newestOfThread(columns, 0);
  if (after === undefined || newest < 0 || conversation !== 0) {
    return undefined;
  }
  const { change, model } = after;
  const mayRead = change === undefined && model !== undefined && newestOfModel(columns, 0, model) >= 0;
  return defined({
    change,
    tokens: tokensLeft(session, newest, after),
    model,
    mayRead: mayRead ? (true as const) : undefined,
  });
}

/** The tokens of the next request; undefined if what is left is not known. */
function tokensLeft({ columns, summary }: Session, newest: number, after: AfterNewest): number | undefined {
  const { change, blocks, lacksHistory, removedElsewhere = 0, stated = 0 } = after;
  if (blocks === undefined || lacksHistory === true) {
    return undefined;
  }
  const all = new RequestTokens(columns);
  if (change === 'rewind') {
    const same = sameBeginning(columns, newest, blocks);
    if (same !== undefined) {
      const sent = columns.requests.length[same] ?? 0;
      return all.total(same) + all.blocks(same, blocks.slice(sent));
    }
  }
  const base = lastRecorded(columns, newest) ?? newest;
  if (change !== 'compaction') {
    return Math.max(0, all.notRecorded(base) + all.blocks(base, blocks) - removedElsewhere);
  }
  if (summary.format === codexFormat && stated > 0) {
    return stated + notStatedByCodex(columns, all);
  }
  const kept = [...unnamedHead(columns, base, blocks), ...blocks];
  const left =
    summary.format === claudeCodeFormat
      ? systemOfClaudeCode(columns, base) + all.blocks(base, kept)
      : systemAndBlocks(columns, all, base, kept);
  // The figure of another agent may lack the system text and the tools.
  return Math.max(left, stated);
}

const codexFormat = 'codex';
const claudeCodeFormat = 'claude-code';

/**
 * Tokens that Codex leaves out of its figure, above all those of the tools. Its figure is a quarter of the bytes of its
 * items, so the first request shows the difference. In seven sessions the sum was within 3 % of the next request.
 */
function notStatedByCodex(columns: SessionColumns, all: RequestTokens): number {
  const first = columns.requests.thread.indexOf(0);
  const stated = blocksOf(columns, first).reduce(
    (sum, block) => sum + Math.ceil(((columns.blocks.bytes[block] ?? 0) + codexItemBytes) / 4),
    0,
  );
  return all.total(first) - stated;
}

/** Bytes of the names around the text of an item. */
const codexItemBytes = 60;

function lastRecorded(columns: SessionColumns, newest: number): number | undefined {
  for (let request = newest; request >= 0; request = newestOfThread(columns, 0, request - 1)) {
    if (recordedInput(columns, request) !== undefined) {
      return request;
    }
  }
  return undefined;
}

/** The newest request that sent only blocks with which the context still begins. */
function sameBeginning(
  columns: SessionColumns,
  newest: number,
  blocks: readonly number[],
): number | undefined {
  const { contexts, requests } = columns;
  /** By context: the number of blocks at its beginning that are the same. */
  const shared = new Map<number, number>();
  for (let request = newest; request >= 0; request = newestOfThread(columns, 0, request - 1)) {
    const number = requests.context[request] ?? 0;
    const same = entryOf(shared, number, () => {
      const end = blocks.findIndex((block, index) => block !== contexts[number]?.[index]);
      return end < 0 ? blocks.length : end;
    });
    const sent = requests.length[request] ?? 0;
    if (sent > 0 && sent <= same && recordedInput(columns, request) !== undefined) {
      return request;
    }
  }
  return undefined;
}

/**
 * The tokens that the first request had beyond its blocks stay after a compaction: they are system text and tools. Those
 * that came later belong to the conversation, so they are divided between its blocks.
 */
function systemAndBlocks(
  columns: SessionColumns,
  all: RequestTokens,
  base: number,
  kept: readonly number[],
): number {
  const hidden = all.notRecorded(columns.requests.thread.indexOf(0));
  const visible = all.total(base) - all.notRecorded(base);
  const share = visible > 0 ? Math.max(1, (all.total(base) - hidden) / visible) : 1;
  return hidden + Math.round(share * all.blocks(base, kept));
}

/** A larger step is a part of the conversation that is not recorded, such as a result; see below. */
const mostClientStep = 2000;

/**
 * The same for Claude Code. It adds texts that it does not record, in small steps, and again after a compaction. A large
 * step leaves with the conversation.
 */
function systemOfClaudeCode({ requests }: SessionColumns, base: number): number {
  const first = requests.thread.indexOf(0);
  let before = requests.notRecorded[first] ?? 0;
  let kept = before;
  for (let request = first + 1; request <= base; request += 1) {
    if (requests.thread[request] === 0) {
      const hidden = requests.notRecorded[request] ?? 0;
      const step = hidden - before;
      kept += Math.abs(step) > mostClientStep ? 0 : step;
      before = hidden;
    }
  }
  return Math.max(0, kept);
}

const systemKinds: ReadonlySet<number> = new Set(
  (['systemPrompt', 'toolSchema'] as const).map(kind => blockKinds.indexOf(kind)),
);

/** System text and tools of a request, where they are written with each request and not with the conversation. */
function unnamedHead(columns: SessionColumns, request: number, blocks: readonly number[]): readonly number[] {
  const isSystem = (block: number): boolean => systemKinds.has(columns.blocks.kind[block] ?? -1);
  return blocks.some(isSystem) ? [] : [...blocksOf(columns, request)].filter(isSystem);
}

/** Sentences without a full stop. */
export function afterSentences({ change, tokens, model, mayRead }: ContextAfter): readonly string[] {
  const changed = change === undefined ? undefined : changeSentence(change);
  const left =
    tokens === undefined
      ? translate('the size of the rest is not recorded')
      : translate('about {0} left', tokenCount(tokens));
  return [
    ...(changed === undefined ? [] : [`${changed}: ${left}`]),
    ...(model === undefined
      ? []
      : [
          mayRead === true
            ? translate(
                'The next request goes to another model, {0}. It may still have a part of this context in its cache',
                model,
              )
            : translate(
                'The next request goes to another model, {0}, and has to write its cache again',
                model,
              ),
        ]),
  ];
}

function changeSentence(change: NonNullable<AfterNewest['change']>): string {
  switch (change) {
    case 'compaction':
      return translate('Compacted after the newest request');
    case 'clearing':
      return translate('Results pruned after the newest request');
    case 'rewind':
      return translate('Rewound after the newest request');
    default:
      return assertNever(change);
  }
}
