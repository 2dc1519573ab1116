import type { BlockKind } from '../model/block';
import { kindOf, partitionOf, roleOf, sensitivityOf } from '../model/blockWords';
import type { SessionColumns } from '../model/columns';
import type { PartitionName, SensitivityLabel } from '../model/labels';
import { hashDigits } from '../model/contentHash';
import type { RequestView } from '../view/requestView';

/** A block of a request for JSON. Its label is masked. */
export interface BlockRow {
  /** 0-based position on the wire. */
  readonly position: number;
  readonly role: string;
  readonly kind: BlockKind;
  readonly partition: PartitionName;
  readonly sensitivity: SensitivityLabel;
  readonly label: string;
  readonly tokens: number;
  /** 1-based line in the transcript. */
  readonly line: number;
  /** 16 hex digits over the exact text, the role and the kind. */
  readonly contentHash: string;
}

export function blockRow({ blocks, strings }: SessionColumns, view: RequestView, position: number): BlockRow {
  const block = view.blocks[position] ?? 0;
  return {
    position,
    role: roleOf(blocks, block),
    kind: kindOf(blocks, block),
    partition: partitionOf(blocks, block),
    sensitivity: sensitivityOf(blocks, block),
    label: strings.at(blocks.label[block] ?? 0) ?? '',
    tokens: view.tokens[position] ?? 0,
    line: blocks.line[block] ?? 0,
    contentHash: hashDigits(blocks.hashHigh[block], blocks.hashLow[block]),
  };
}
