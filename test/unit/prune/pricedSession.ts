import { CacheSession } from '../../../src/core/cache/cacheSession';
import type { ModelRow } from '../../../src/core/model/modelRow';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import type { Compaction, RecordedRequest, RecordedUsage } from '../../../src/core/model/transcript';
import { pruneNet } from '../../../src/core/prune/net';
import { prunePreview } from '../../../src/core/prune/prunePreview';
import { unknownPrior } from '../../../src/core/tokens/tokenizerPrior';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

export const model = 'made-up';

/**
 * Reading costs a tenth of the uncached input price and writing a quarter more than that price, in whole dollars per
 * million tokens.
 */
export const prices = { input: 10, cacheRead: 1, cacheWrite: 12.5, output: 50 } as const;

export const row: ModelRow = {
  match: model,
  family: 'other',
  tokenizerPrior: unknownPrior,
  contextWindow: 200_000,
  cache: {
    minimumTokens: 1_024,
    lifetimeSeconds: 300,
    lookbackBlocks: 20,
    maximumBreakpoints: 4,
    explicit: true,
  },
  prices,
  source: 'invented',
  asOf: '2026-01',
};

/** Tokens of a request by billing; the rest of its input is uncached. */
export function used(cacheRead: number, cacheWrite: number, input = 0): RecordedUsage {
  return { input, cacheRead, cacheWrite, output: 0 };
}

/** A session built block by block, each with a number of tokens that its requests record exactly. */
export class PricedSession {
  readonly made = new HandMade();
  private readonly tokens: number[] = [];
  private readonly compactions: Compaction[] = [];

  prompt(tokens: number): number {
    return this.sized(this.made.prompt(`prompt ${this.tokens.length}`), tokens);
  }

  reply(tokens: number): number {
    return this.sized(this.made.assistant(`reply ${this.tokens.length}`), tokens);
  }

  /** A call of 100 tokens and its result. */
  tool(
    tokens: number,
    toolName = 'bash',
    rest: { readonly path?: string } = {},
  ): readonly [call: number, result: number] {
    const id = `c${this.tokens.length}`;
    const { call, result } = this.made.toolPair(toolName, id, `output of ${id}`, rest);
    return [this.sized(call, 100), this.sized(result, tokens)];
  }

  /** The replacement that a clearing left for a result. */
  notice(result: number, tokens: number): number {
    const { callId = '', toolName = '' } = this.made.builder.blocks.at(result) ?? {};
    const notice = this.made.block({
      label: toolName,
      role: 'tool',
      kind: 'toolResult',
      contentType: 'tool_result',
      toolName,
      callId,
      content: '[Old tool result content cleared]',
    });
    return this.sized(notice, tokens);
  }

  context(...blocks: readonly (number | readonly number[])[]): number {
    return this.made.builder.startContext(blocks.flat());
  }

  /** Appends a block to a context. */
  append(context: number, block: number): number {
    this.made.builder.contexts[context]?.push(block);
    return block;
  }

  request(
    context: number,
    length: number,
    usage?: RecordedUsage,
    rest: Partial<RecordedRequest> = {},
  ): number {
    return this.made.request(context, length, {
      model,
      complete: true,
      ...(usage === undefined ? {} : { usage }),
      ...rest,
    });
  }

  compact(kind: Compaction['kind'] = 'compaction'): void {
    this.compactions.push({ kind, request: this.made.builder.requests.length, thread: 0, line: 1 });
  }

  /** @param known the known facts about the model */
  build(known: ModelRow | 'nothing' = row): CacheSession {
    const chosen = known === 'nothing' ? undefined : known;
    this.made.builder.compactions.push(...this.compactions);
    const transcript = this.made.build();
    const lookUp = (): ModelRow | undefined => chosen;
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => this.tokens[block] ?? 0),
      lookUp,
    );
    return new CacheSession({
      summary: {
        format: 'hand-made',
        agent: { name: '', versions: [] },
        title: '',
        model,
        models: chosen === undefined ? [] : [{ id: model, row: chosen }],
        messages: transcript.messages.length,
        compactions: transcript.compactions,
        subagents: [],
        conversations: [],
        problems: [],
        leftOut: [],
        encoding: 'o200k_base',
      },
      columns,
    });
  }

  sized(block: number, tokens: number): number {
    this.tokens[block] = tokens;
    return block;
  }
}

/** opencode's rules without thresholds: everything before the two newest turns is pruned. */
export const everything: PruneOptions = {
  ...defaultPruneOptions(),
  measure: 'tokens',
  protectTokens: 0,
  minimumTokens: 0,
};

export function netAt(session: CacheSession, request: number, options: PruneOptions = everything) {
  const view = buildRequestView(session.columns, request);
  return pruneNet(session, view, prunePreview(session.columns, view, options), options);
}
