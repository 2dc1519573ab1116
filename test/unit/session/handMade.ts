import { type NewBlock, TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import type { SourceRange } from '../../../src/core/model/block';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { RecordedRequest, Transcript } from '../../../src/core/model/transcript';
import { lookUpModel, type ModelLookUp } from '../../../src/core/tokens/modelTable';
import type { BlockMeasures } from '../../../src/core/view/blockColumns';
import { ColumnBuilder } from '../../../src/core/view/columnBuilder';

/** A model whose blocks cost the same for each tokenizer token, of any kind, so that figures are easy to compute. */
export const plainModel: ModelLookUp = id => {
  const row = lookUpModel(id);
  return row === undefined ? undefined : { ...row, family: 'other' };
};

const source: SourceRange = { line: 1, offset: 0, length: 0 };

/** A block with only the members that matter to a test; its text is its label unless `content` is given. */
export type BlockSketch = Partial<NewBlock> & Pick<NewBlock, 'label'> & { readonly message?: number };

/** Builds transcripts block by block, each block a message of its own unless `message` says otherwise. */
export class HandMade {
  readonly builder = new TranscriptBuilder();

  block(sketch: BlockSketch): number {
    const { role = 'user', label, content = label } = sketch;
    const { message = this.builder.addMessage({ role, timestamp: 0 }), ...rest } = sketch;
    const block = {
      role,
      contentType: 'text',
      kind: 'prompt',
      provenance: 'user',
      partition: 'history',
      source,
      text: { kind: 'literal', text: content },
      ...rest,
      content,
    } as const;
    return this.builder.addBlock(block, message);
  }

  prompt(label: string): number {
    return this.block({ label });
  }

  assistant(label: string): number {
    return this.block({ label, role: 'assistant', kind: 'assistant', provenance: 'developer' });
  }

  /** A call and its result; returns the number of the result. */
  tool(toolName: string, callId: string, content: string, rest: Partial<NewBlock> = {}): number {
    const { call, result } = this.toolPair(toolName, callId, content, rest);
    return Math.max(call, result);
  }

  toolPair(
    toolName: string,
    callId: string,
    content: string,
    rest: Partial<NewBlock> = {},
  ): { readonly call: number; readonly result: number } {
    const call = this.block({
      label: toolName,
      role: 'assistant',
      kind: 'toolCall',
      provenance: 'developer',
      toolName,
      callId,
      content: '{}',
    });
    const result = this.block({
      label: toolName,
      role: 'tool',
      kind: 'toolResult',
      contentType: 'tool_result',
      provenance: 'tool',
      toolName,
      callId,
      content,
      ...rest,
    });
    return { call, result };
  }

  request(context: number, length: number, rest: Partial<RecordedRequest> = {}): number {
    return (
      this.builder.requests.push({
        context,
        length,
        thread: 0,
        reply: [],
        complete: false,
        line: 1,
        model: 'claude-sonnet-4-5-20250929',
        ...rest,
      }) - 1
    );
  }

  build(): Transcript {
    return this.builder.build('hand-made');
  }
}

/** Measures with the given tokens for each block; every block is public. */
export function measuresOf(transcript: Transcript, tokens: (block: number) => number): BlockMeasures {
  const count = transcript.blocks.length;
  return {
    tokens: Uint32Array.from({ length: count }, (_, block) => tokens(block)),
    counted: new Uint8Array(count).fill(1),
    sensitivity: new Uint8Array(count),
    findings: new Uint16Array(count),
  };
}

/** The columns of a transcript and its measures. */
export function toColumns(
  transcript: Transcript,
  measures: BlockMeasures,
  lookUp: ModelLookUp = plainModel,
): SessionColumns {
  return new ColumnBuilder().build(transcript, measures, lookUp);
}

/** Usage of a request that reads `cacheRead` of `total` input tokens from the cache and sends the rest fresh. */
export function usageOf(total: number, cacheRead = 0): NonNullable<RecordedRequest['usage']> {
  return { input: total - cacheRead, cacheRead, cacheWrite: 0, output: 10 };
}
