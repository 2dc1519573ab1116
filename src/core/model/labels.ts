/**
 * The closed vocabularies of the prompt model. The spellings are those of the upstream JSON
 * (NeMo Relay, acg/prompt_ir.rs), so a label can be written to and read from it unchanged.
 */

/** The kind of a block's content. */
export const blockContentTypes = [
  'text',
  'tool_schema',
  'tool_result',
  'structured_output',
  'image',
] as const;
export type BlockContentType = (typeof blockContentTypes)[number];

/** The speaker of a block in the conversation. */
export const promptRoles = ['system', 'user', 'assistant', 'tool'] as const;
export type PromptRole = (typeof promptRoles)[number];

/** The origin of a block's content. */
export const provenanceLabels = ['system', 'developer', 'user', 'tool', 'retrieval', 'memory'] as const;
export type ProvenanceLabel = (typeof provenanceLabels)[number];

/** The sensitivity of a block's content, from harmless to dangerous to share. */
export const sensitivityLabels = ['public', 'private', 'restricted'] as const;
export type SensitivityLabel = (typeof sensitivityLabels)[number];

/** The four partitions of a context; `state` is task state and signals together. */
export const partitionNames = ['system', 'knowledge', 'state', 'history'] as const;
export type PartitionName = (typeof partitionNames)[number];

/**
 * Closes an exhaustive switch. Does not compile while a case is missing, and throws if a value does not have its
 * declared type.
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
