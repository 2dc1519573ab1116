import { canonicalJson, digest, normalizeWhitespace } from '../context/canonicalJson';
import { sensitivityLabels } from '../model/labels';
import type { PromptBlock, PromptIR, SpanId, ToolSchemaHash } from '../model/promptIr';
import type { TextBlock } from './contextPartitionsOf';

/** A block of a request with what the view knows of it. */
export interface IrSource extends TextBlock {
  readonly spanId: SpanId;
  /** 0-based place in the Prompt IR, which is not always the place on the wire. */
  readonly sequenceIndex: number;
  readonly tokens: number;
  /** Index into sensitivityLabels. */
  readonly sensitivity: number;
}

export interface IrIdentity {
  readonly irId: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The model whose tokens the counts are. */
  readonly modelFamily: string;
}

/**
 * The Prompt IR of a request as the program sees it: upstream's order, span ids, normalisation and hashes, with the
 * provenance and sensitivity that the program found, tokens, and images as image blocks. The source request hash is over
 * role, content type and exact text of every block, since not every transcript holds the request's own JSON.
 */
export function promptIrOf(sources: readonly IrSource[], identity: IrIdentity): PromptIR {
  const inOrder = [...sources].sort((first, second) => first.sequenceIndex - second.sequenceIndex);
  const schemas = inOrder.filter(({ block }) => block.kind === 'toolSchema');
  const output = inOrder.find(({ block }) => block.kind === 'structuredOutput');
  return {
    irId: identity.irId,
    blocks: inOrder.map((source): PromptBlock => ({
      spanId: source.spanId,
      sequenceIndex: source.sequenceIndex,
      role: source.block.role,
      content: source.block.contentType === 'image' ? source.text : normalizeWhitespace(source.text),
      contentType: source.block.contentType,
      provenance: source.block.provenance,
      sensitivity: sensitivityLabels[source.sensitivity] ?? 'public',
      tokenMetadata: { modelFamily: identity.modelFamily, tokenCount: source.tokens },
    })),
    ...(schemas.length === 0 ? {} : { toolSchemaHashes: schemas.map(schemaHash) }),
    ...(output === undefined ? {} : { structuredOutputSchemaId: digest(canonicalText(output.text)) }),
    sourceRequestHash: digest(
      JSON.stringify(sources.map(({ block, text }) => [block.role, block.contentType, text])),
    ),
    createdAt: identity.createdAt,
  };
}

function schemaHash({ block, text }: IrSource): ToolSchemaHash {
  return { toolName: block.toolName ?? '', schemaHash: digest(canonicalText(text)) };
}

function canonicalText(json: string): string {
  return canonicalJson(JSON.parse(json));
}
