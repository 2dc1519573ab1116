import type { Columns } from '../base/typedColumns';
import { type BlockKind, blockKinds } from './block';
import type { blockTypes, readBlockTypes } from './columnSchema';
import {
  type BlockContentType,
  blockContentTypes,
  type PartitionName,
  partitionNames,
  type PromptRole,
  promptRoles,
  type ProvenanceLabel,
  provenanceLabels,
  type SensitivityLabel,
  sensitivityLabels,
} from './labels';

/** The words for the numbers in a block's row. A missing row reads as an ordinary block. */
type Rows = Columns<typeof readBlockTypes>;

export function roleOf({ role }: Pick<Rows, 'role'>, block: number): PromptRole {
  return promptRoles[role[block] ?? 0] ?? 'user';
}

export function contentTypeOf({ contentType }: Pick<Rows, 'contentType'>, block: number): BlockContentType {
  return blockContentTypes[contentType[block] ?? 0] ?? 'text';
}

export function kindOf({ kind }: Pick<Rows, 'kind'>, block: number): BlockKind {
  return blockKinds[kind[block] ?? 0] ?? 'other';
}

export function provenanceOf({ provenance }: Pick<Rows, 'provenance'>, block: number): ProvenanceLabel {
  return provenanceLabels[provenance[block] ?? 0] ?? 'user';
}

export function partitionOf({ partition }: Pick<Rows, 'partition'>, block: number): PartitionName {
  return partitionNames[partition[block] ?? 0] ?? 'history';
}

export function sensitivityOf(
  { sensitivity }: Pick<Columns<typeof blockTypes>, 'sensitivity'>,
  block: number,
): SensitivityLabel {
  return sensitivityLabels[sensitivity[block] ?? 0] ?? 'public';
}
