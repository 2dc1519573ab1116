import { translate } from '../base/translate';
import { readTranscript } from '../formats/readTranscript';
import { lineFormats } from '../formats/registry';
import type { Block } from '../model/block';
import type { ByteSource } from '../model/byteSource';
import type { Transcript } from '../model/transcript';
import type { SiblingFiles } from '../reading/format';

/**
 * Reads a written copy of a transcript and compares it with the original. Rejects with one sentence if an agent would
 * read other messages, ids, roles, times or requests from it.
 * @param siblings the files next to the original
 * @param addsBlocks true if the agent reads the notice of a cleared result as another block
 */
export async function expectSameStructure(
  original: Transcript,
  copy: ByteSource,
  siblings: SiblingFiles | undefined,
  addsBlocks = false,
): Promise<void> {
  const { format } = original;
  const recognised = await readTranscript(copy, { siblings });
  // The user may have chosen the format of the original.
  const read =
    recognised.ok && recognised.transcript.format === format
      ? recognised
      : await readTranscript(copy, { siblings, format });
  if (!read.ok || !isSameStructure(original, read.transcript, addsBlocks)) {
    throw new Error(
      translate('Nothing was written: the copy would have other messages, ids or roles than the transcript.'),
    );
  }
}

/** True if two transcripts have the same messages, blocks and requests, whatever their texts. */
export function isSameStructure(original: Transcript, copy: Transcript, addsBlocks = false): boolean {
  const names = new NamePairs();
  // A change within a document may move the lines behind it.
  const hasRecords = lineFormats.some(({ id }) => id === original.format);
  // Reasoning that has become a text has no id: that of its item names reasoning.
  const reasoning = new Set(
    [...original.blocks].flatMap(({ kind, message }) => (kind === 'thinking' ? [message] : [])),
  );
  return (
    isSameList(
      original.messages,
      copy.messages,
      (one, other, index) =>
        one.role === other.role &&
        one.timestamp === other.timestamp &&
        (names.areSame(one.id, other.id) || (other.id === undefined && reasoning.has(index))),
    ) &&
    (addsBlocks ||
      (isSameList([...original.blocks], [...copy.blocks], (one, other) =>
        isSameBlock(one, other, names, hasRecords),
      ) &&
        isSameList(original.contexts, copy.contexts, areSameNumbers))) &&
    isSameList(
      original.requests,
      copy.requests,
      (one, other) =>
        one.thread === other.thread &&
        one.timestamp === other.timestamp &&
        (!hasRecords || one.line === other.line) &&
        one.usage?.input === other.usage?.input &&
        one.usage?.output === other.usage?.output &&
        names.areSame(one.id, other.id) &&
        names.areSame(one.model, other.model) &&
        one.reply.length === other.reply.length &&
        (addsBlocks || (one.context === other.context && one.length === other.length)),
    ) &&
    isSameList(
      original.subagents,
      copy.subagents,
      (one, other) => one.thread === other.thread && names.areSame(one.id, other.id),
    )
  );
}

function areSameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return isSameList(one, other, (number, otherNumber) => number === otherNumber);
}

function isSameBlock(one: Block, other: Block, names: NamePairs, hasRecords: boolean): boolean {
  return (
    one.role === other.role &&
    one.message === other.message &&
    (!hasRecords || one.source.line === other.source.line) &&
    // Reasoning that has lost its signature is a text.
    (one.kind === other.kind || one.kind === 'thinking') &&
    names.areSame(one.callId, other.callId) &&
    names.areSame(one.toolName, other.toolName)
  );
}

function isSameList<Item>(
  one: readonly Item[],
  other: readonly Item[],
  isSame: (item: Item, otherItem: Item, index: number) => boolean,
): boolean {
  return (
    one.length === other.length &&
    one.every((item, index) => {
      const otherItem = other[index];
      return otherItem !== undefined && isSame(item, otherItem, index);
    })
  );
}

/** Names and ids of the original with those of the copy: equal ones stay equal, and different ones different. */
class NamePairs {
  private readonly copied = new Map<string, string>();
  private readonly originals = new Map<string, string>();

  areSame(one: string | undefined, other: string | undefined): boolean {
    if (one === other) {
      return true;
    }
    if (one === undefined || other === undefined) {
      return false;
    }
    const isSame = (this.copied.get(one) ?? other) === other && (this.originals.get(other) ?? one) === one;
    this.copied.set(one, other);
    this.originals.set(other, one);
    return isSame;
  }
}
