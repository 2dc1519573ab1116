import type { JsonValueObject } from '../base/jsonValue';
import { snakeMembers } from '../base/snakeMembers';
import {
  type BlockContentType,
  type PromptRole,
  promptRoles,
  type ProvenanceLabel,
  type SensitivityLabel,
} from './labels';

/**
 * Address of a block: role, place in the sequence, and a detail that the place does not show (a tool's name, a call's
 * id). It is positional: a block inserted early renames all blocks after it.
 */
export type SpanId = `${PromptRole}-${number}` | `${PromptRole}-${number}-${string}`;

export function spanId(role: PromptRole, sequenceIndex: number, suffix?: string): SpanId {
  return suffix === undefined ? `${role}-${sequenceIndex}` : `${role}-${sequenceIndex}-${suffix}`;
}

const spanIdPattern = new RegExp(`^(?:${promptRoles.join('|')})-\\d+(?:-.*)?$`, 'su');

export function isSpanId(value: unknown): value is SpanId {
  return typeof value === 'string' && spanIdPattern.test(value);
}

/** Size of a block's content in tokens, and the model family whose tokenizer counted it. */
export interface TokenizationMetadata {
  readonly modelFamily: string;
  readonly tokenCount: number;
}

/** Digest of a whole tool definition; a change of the set invalidates what a provider has cached. */
export interface ToolSchemaHash {
  readonly toolName: string;
  readonly schemaHash: string;
}

/** One addressable piece of a prompt (NeMo Relay, acg/prompt_ir.rs). */
export interface PromptBlock {
  readonly spanId: SpanId;
  /** 0-based place among all blocks. */
  readonly sequenceIndex: number;
  readonly role: PromptRole;
  readonly content: string;
  readonly contentType: BlockContentType;
  readonly provenance: ProvenanceLabel;
  readonly sensitivity: SensitivityLabel;
  readonly tokenMetadata?: TokenizationMetadata;
}

/** A prompt taken apart into blocks, in order. */
export interface PromptIR {
  /** UUID of this instance. */
  readonly irId: string;
  readonly blocks: readonly PromptBlock[];
  /** Absent if the request had no list of tools; empty if it had an empty list. */
  readonly toolSchemaHashes?: readonly ToolSchemaHash[];
  readonly structuredOutputSchemaId?: string;
  readonly sourceRequestHash?: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
}

/** The JSON form of upstream: snake_case, members in its order, absent ones left out. */
export function promptIrToJson(ir: PromptIR): JsonValueObject {
  return snakeMembers({
    ...ir,
    blocks: ir.blocks.map(blockToJson),
    toolSchemaHashes: ir.toolSchemaHashes?.map(hash => snakeMembers({ ...hash })),
  });
}

/** The same of one block. */
export function blockToJson({ tokenMetadata, ...block }: PromptBlock): JsonValueObject {
  return snakeMembers({ ...block, tokenMetadata: tokenMetadata && snakeMembers({ ...tokenMetadata }) });
}
