import type { JsonValueObject } from '../base/jsonValue';
import { snakeMembers } from '../base/snakeMembers';
import {
  type BlockContentType,
  type PromptRole,
  type ProvenanceLabel,
  type SensitivityLabel,
  blockContentTypes,
  promptRoles,
  provenanceLabels,
  sensitivityLabels,
} from './labels';
import * as v from 'valibot';

/**
 * Address of a block: role, place in the sequence, and what the place alone does not tell (a tool's name, a call's id).
 * It is positional: a block inserted early renames all that follow.
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
  /** Absent if the request named no tools at all; empty if it named an empty list. */
  readonly toolSchemaHashes?: readonly ToolSchemaHash[];
  readonly structuredOutputSchemaId?: string;
  readonly sourceRequestHash?: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** What upstream may leave out it also accepts as null. */
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema));

const blockSchema = v.pipe(
  v.object({
    span_id: v.custom<SpanId>(isSpanId),
    sequence_index: count,
    role: v.picklist(promptRoles),
    content: v.string(),
    content_type: v.picklist(blockContentTypes),
    provenance: v.picklist(provenanceLabels),
    sensitivity: v.optional(v.picklist(sensitivityLabels), 'public'),
    token_metadata: optional(v.object({ model_family: v.string(), token_count: count })),
  }),
  v.transform((block): PromptBlock => ({
    spanId: block.span_id,
    sequenceIndex: block.sequence_index,
    role: block.role,
    content: block.content,
    contentType: block.content_type,
    provenance: block.provenance,
    sensitivity: block.sensitivity,
    ...(block.token_metadata && {
      tokenMetadata: {
        modelFamily: block.token_metadata.model_family,
        tokenCount: block.token_metadata.token_count,
      },
    }),
  })),
);

const hashSchema = v.pipe(
  v.object({ tool_name: v.string(), schema_hash: v.string() }),
  v.transform((hash): ToolSchemaHash => ({ toolName: hash.tool_name, schemaHash: hash.schema_hash })),
);

const promptIrSchema = v.pipe(
  v.object({
    ir_id: v.pipe(v.string(), v.uuid()),
    blocks: v.array(blockSchema),
    tool_schema_hashes: optional(v.array(hashSchema)),
    structured_output_schema_id: optional(v.string()),
    source_request_hash: optional(v.string()),
    created_at: v.pipe(v.string(), v.isoTimestamp()),
  }),
  v.transform((ir): PromptIR => ({
    irId: ir.ir_id,
    blocks: ir.blocks,
    ...(ir.tool_schema_hashes && { toolSchemaHashes: ir.tool_schema_hashes }),
    ...(typeof ir.structured_output_schema_id === 'string' && {
      structuredOutputSchemaId: ir.structured_output_schema_id,
    }),
    ...(typeof ir.source_request_hash === 'string' && { sourceRequestHash: ir.source_request_hash }),
    createdAt: ir.created_at,
  })),
);

export type ParsedPromptIr =
  { readonly ok: true; readonly value: PromptIR } | { readonly ok: false; readonly problem: string };

/** Reads a Prompt IR from its JSON form; members that upstream does not know are ignored. */
export function promptIrFromJson(json: unknown): ParsedPromptIr {
  const parsed = v.safeParse(promptIrSchema, json);
  if (parsed.success) {
    return { ok: true, value: parsed.output };
  }
  const issue = parsed.issues[0];
  return { ok: false, problem: `${v.getDotPath(issue) ?? 'Prompt IR'}: ${issue.message}` };
}

/** The JSON form of upstream: snake_case, members in its order, absent ones left out. */
export function promptIrToJson(ir: PromptIR): JsonValueObject {
  return snakeMembers({
    ...ir,
    blocks: ir.blocks.map(({ tokenMetadata, ...block }) =>
      snakeMembers({ ...block, tokenMetadata: tokenMetadata && snakeMembers({ ...tokenMetadata }) }),
    ),
    toolSchemaHashes: ir.toolSchemaHashes?.map(hash => snakeMembers({ ...hash })),
  });
}
