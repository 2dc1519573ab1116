import * as v from 'valibot';
import { type Described, texts } from '../base/schema';
import type { Columns } from '../base/typedColumns';
import { entryOf } from '../base/entryOf';
import { parseJson } from '../base/json';
import { sourceOfBlock } from '../content/toolSources';
import {
  type Block,
  type BlockKind,
  blockKinds,
  blockFlags,
  derivedKinds,
  type TextReference,
} from '../model/block';
import { type PromptRole, promptRoles } from '../model/labels';
import { type Source, sources } from '../model/source';
import type { Transcript } from '../model/transcript';
import { newColumns, packColumns, unpackColumns } from './columnFile';

/** The index's data for each block: enough to name a found place and to read its text again. */
const blockTypes = {
  /** The offset of the record with the text, in bytes. */
  offset: 'float64',
  length: 'uint32',
  line: 'uint32',
  /** Number of the place in the record from 1; 0 if the whole file must be read for the text. */
  place: 'uint32',
  /** The first block with the same text. Only that block has words in the index. */
  first: 'uint32',
  /** Seconds since 1970; 0 if not recorded. */
  time: 'uint32',
  /** The first request that carried the block, counted from 1 in its conversation; 0 if none did. */
  request: 'uint32',
  /** The first request that no longer carried a removed block, counted from 1; 0 if there is none. */
  left: 'uint32',
  conversation: 'uint16',
  /** Numbers of names from 1; 0 for none. */
  tool: 'uint16',
  model: 'uint16',
  path: 'uint32',
  /** Index into `blockKinds`, `promptRoles` and `sources`. */
  kind: 'uint8',
  role: 'uint8',
  source: 'uint8',
  /** Bits of `tableFlags`. */
  flags: 'uint8',
} as const;

const tableFlags = { removed: 1, error: 2 } as const;

const blockTexts = v.strictObject({
  /** Tools, models and files, without credentials. */
  names: v.array(v.string()),
  places: v.array(v.string()),
  /** The places of credentials in the texts of blocks, in UTF-16 units. */
  masked: v.array(
    v.strictObject({ block: v.number(), start: v.number(), end: v.number(), ...texts('rule') }),
  ),
});
export type MaskedPlace = Described<typeof blockTexts>['masked'][number];

const valuePath = v.array(v.union([v.string(), v.number()]));
const part = { start: v.exactOptional(v.number()), end: v.exactOptional(v.number()) };
/** A TextReference without its record. */
const placeSchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('string'), path: valuePath, ...part }),
  v.strictObject({ kind: v.literal('json'), path: valuePath }),
  v.strictObject({ kind: v.literal('parts'), path: valuePath }),
  v.strictObject({
    kind: v.literal('derived'),
    path: valuePath,
    via: v.picklist(derivedKinds),
    inner: valuePath,
    ...part,
    readAs: v.exactOptional(v.picklist(['json', 'parts'])),
  }),
]);

/** A block in the index. */
export interface IndexedBlock {
  readonly block: number;
  readonly first: number;
  readonly line: number;
  readonly kind: BlockKind;
  readonly role: PromptRole;
  readonly source: Source;
  readonly tool: string | undefined;
  /** The model of the first request that carried the block or replied with it. */
  readonly model: string | undefined;
  /** The file that the block is about. */
  readonly path: string | undefined;
  /** True for a result that the record marks as failed. */
  readonly isError: boolean;
  /** Milliseconds since 1970, to the second. */
  readonly time: number | undefined;
  readonly conversation: number;
  /** The first request that carried the block, counted from 0 in its conversation. */
  readonly request: number | undefined;
  /**
   * True if the newest request of its conversation does not carry the block, because of a compaction or a cleared
   * result.
   */
  readonly removed: boolean;
  /**
   * The first request that no longer carried the block, counted from 0; undefined if it is still carried or no request
   * followed.
   */
  readonly left: number | undefined;
  /** The place of its text; undefined if the whole file must be read for it. */
  readonly text: Exclude<TextReference, { kind: 'joined' | 'literal' }> | undefined;
}

/**
 * The table of a transcript as bytes.
 * @param isInRecords true if each text can be read from its record alone: not for packed files and single documents
 * @param shown removes credentials from a name
 */
export async function packBlocks(
  transcript: Transcript,
  isInRecords: boolean,
  masked: readonly MaskedPlace[],
  shown: (name: string) => Promise<string>,
): Promise<Uint8Array> {
  const { blocks, messages } = transcript;
  const columns = newColumns(blockTypes, blocks.length);
  const names = new Names();
  const places = new Names();
  const requests = requestsOfBlocks(transcript, columns);
  const { rows } = blocks;
  const sourceOf = sourceNumbers();
  for (let block = 0; block < blocks.length; block += 1) {
    const found = blocks.at(block);
    if (found === undefined) {
      continue;
    }
    const { text } = found;
    if (isInRecords && text.kind !== 'joined' && text.kind !== 'literal') {
      const { record, ...place } = text;
      columns.offset[block] = record.offset;
      columns.length[block] = record.length;
      columns.place[block] = places.add(JSON.stringify(place));
    }
    columns.line[block] = found.source.line;
    columns.first[block] = rows.content[block] ?? block;
    const request = transcript.requests[requests[block] ?? -1];
    const time = messages[found.message]?.timestamp ?? request?.timestamp ?? 0;
    columns.time[block] = Math.max(0, time / 1000);
    columns.tool[block] = names.add(found.toolName);
    columns.path[block] = names.add(found.path);
    columns.model[block] = names.add(request?.model);
    columns.source[block] = sourceOf(found);
    columns.kind[block] = rows.kind[block] ?? 0;
    columns.role[block] = rows.role[block] ?? 0;
    columns.flags[block] =
      (columns.flags[block] ?? 0) |
      (((rows.flags[block] ?? 0) & blockFlags.error) === 0 ? 0 : tableFlags.error);
  }
  const shownNames: string[] = [];
  for (const name of names.all) {
    shownNames.push(await shown(name));
  }
  const json = new TextEncoder().encode(JSON.stringify({ names: shownNames, places: places.all, masked }));
  const table = packColumns(blockTypes, blocks.length, columns);
  const bytes = new Uint8Array(table.length + json.length);
  bytes.set(table);
  bytes.set(json, table.length);
  return bytes;
}

/** Returns the number of a block's source. Results are cached by the deciding facts, which many blocks share. */
function sourceNumbers(): (block: Block) => number {
  const known = new Map<string, number>();
  return ({ kind, provenance, partition, toolName = '' }) =>
    entryOf(known, `${kind} ${provenance} ${partition} ${toolName}`, () =>
      sources.indexOf(sourceOfBlock({ kind, provenance, partition, toolName })),
    );
}

/** Notes for each block the first request that carries it, and if the newest one still does. Returns the requests. */
function requestsOfBlocks(
  { blocks, requests, contexts, compactions }: Transcript,
  columns: Table,
): Int32Array {
  const first = new Int32Array(blocks.length).fill(-1);
  const seen = new Uint32Array(contexts.length);
  const counts: number[] = [];
  const newest: number[] = [];
  const replies: (readonly number[])[] = [];
  /** By context: its conversation and its last request, counted from 1. */
  const threads: number[] = [];
  const last: number[] = [];
  const note = (block: number, request: number, conversation: number, index: number): void => {
    if ((columns.request[block] ?? 0) === 0) {
      first[block] = request;
      columns.request[block] = index;
      columns.conversation[block] = conversation;
    }
  };
  for (const [number, { context, length, thread, reply }] of requests.entries()) {
    const index = (counts[thread] ?? 0) + 1;
    counts[thread] = index;
    newest[thread] = context;
    threads[context] = thread;
    last[context] = index;
    replies[thread] = reply;
    const blocksOfContext = contexts[context] ?? [];
    for (let place = seen[context] ?? 0; place < length; place += 1) {
      note(blocksOfContext[place] ?? 0, number, thread, index);
    }
    seen[context] = Math.max(seen[context] ?? 0, length);
    reply.forEach(block => note(block, number, thread, index));
  }
  // A context without requests is the remainder of a compaction at the end of the file.
  const used = new Set(requests.map(({ context }) => context));
  const ended = new Set(
    compactions.flatMap(({ request, thread }) => (request === requests.length ? thread : [])),
  );
  const isThere = new Uint8Array(blocks.length);
  const mark = (block: number): void => {
    isThere[block] = 1;
  };
  newest.forEach((context, thread) => {
    if (!ended.has(thread)) {
      contexts[context]?.forEach(mark);
      replies[thread]?.forEach(mark);
    }
  });
  contexts.forEach((blocksOfContext, context) => {
    if (!used.has(context)) {
      blocksOfContext.forEach(mark);
    }
  });
  const isCarried = new Uint8Array(blocks.length);
  const left = new Uint32Array(blocks.length);
  contexts.forEach((blocksOfContext, context) => {
    const after = (last[context] ?? 0) + 1;
    const isFollowed = after > 1 && after <= (counts[threads[context] ?? 0] ?? 0);
    for (const block of blocksOfContext) {
      isCarried[block] = 1;
      left[block] = isFollowed ? after : 0;
    }
  });
  // Content directly before a compaction is only in the request that asked for the summary, which is not recorded.
  const lastCompaction = compactions.reduce((last, { line }) => Math.max(last, line), 0);
  for (let block = 0; block < blocks.length; block += 1) {
    const isBefore = (blocks.rows.line[block] ?? 0) < lastCompaction;
    if (isThere[block] === 0 && (isCarried[block] === 1 || isBefore)) {
      columns.flags[block] = tableFlags.removed;
      columns.left[block] = left[block] ?? 0;
    }
  }
  return first;
}

type Table = Columns<typeof blockTypes>;

/** Distinct texts by number from 1; 0 for none. */
class Names {
  private readonly numbers = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.numbers.keys()];
  }

  add(name: string | undefined): number {
    if (name === undefined || name === '') {
      return 0;
    }
    const known = this.numbers.get(name);
    if (known !== undefined) {
      return known;
    }
    this.numbers.set(name, this.numbers.size + 1);
    return this.numbers.size;
  }
}

/** The blocks of a file, from the bytes that `packBlocks` made. Throws RangeError if they are damaged. */
export class BlockTable {
  private readonly columns: Table;
  private readonly texts: Described<typeof blockTexts>;
  readonly count: number;
  private copies: Map<number, number[]> | undefined;
  /** By number: blocks of one kind are at few different places in their records. */
  private readonly places = new Map<number, Described<typeof placeSchema> | undefined>();

  constructor(bytes: Uint8Array) {
    const { count, columns, end } = unpackColumns(blockTypes, bytes);
    const texts = v.safeParse(blockTexts, parseJson(new TextDecoder().decode(bytes.subarray(end))));
    if (!texts.success) {
      throw new RangeError('The table of blocks is malformed.');
    }
    this.count = count;
    this.columns = columns;
    this.texts = texts.output;
  }

  at(block: number): IndexedBlock {
    const { columns, texts } = this;
    const time = columns.time[block] ?? 0;
    const request = columns.request[block] ?? 0;
    const left = columns.left[block] ?? 0;
    const flags = columns.flags[block] ?? 0;
    return {
      block,
      first: columns.first[block] ?? block,
      line: columns.line[block] ?? 0,
      kind: blockKinds[columns.kind[block] ?? 0] ?? 'other',
      role: promptRoles[columns.role[block] ?? 0] ?? 'user',
      source: sources[columns.source[block] ?? 0] ?? 'tools',
      tool: texts.names[(columns.tool[block] ?? 0) - 1],
      model: texts.names[(columns.model[block] ?? 0) - 1],
      path: texts.names[(columns.path[block] ?? 0) - 1],
      time: time === 0 ? undefined : time * 1000,
      conversation: columns.conversation[block] ?? 0,
      request: request === 0 ? undefined : request - 1,
      isError: (flags & tableFlags.error) !== 0,
      removed: (flags & tableFlags.removed) !== 0,
      left: left === 0 ? undefined : left - 1,
      text: this.referenceOf(block),
    };
  }

  /** The places of credentials in the text of a block. */
  maskedIn(block: number): readonly MaskedPlace[] {
    const first = this.columns.first[block] ?? block;
    return this.texts.masked.filter(place => place.block === first);
  }

  /** All blocks, the newest first. */
  get all(): readonly number[] {
    return Array.from({ length: this.count }, (_, place) => this.count - 1 - place);
  }

  /** All blocks with the text of this one, the newest first. */
  copiesOf(first: number): readonly number[] {
    if (this.copies === undefined) {
      this.copies = new Map();
      for (let block = this.count - 1; block >= 0; block -= 1) {
        const of = this.columns.first[block] ?? block;
        const known = this.copies.get(of);
        if (known === undefined) {
          this.copies.set(of, [block]);
        } else {
          known.push(block);
        }
      }
    }
    return this.copies.get(first) ?? [first];
  }

  private referenceOf(block: number): IndexedBlock['text'] {
    const { columns, texts } = this;
    const number = columns.place[block] ?? 0;
    if (number === 0) {
      return undefined;
    }
    const place = entryOf(this.places, number, () => {
      const parsed = v.safeParse(placeSchema, parseJson(texts.places[number - 1] ?? ''));
      return parsed.success ? parsed.output : undefined;
    });
    return (
      place && {
        ...place,
        record: {
          line: columns.line[block] ?? 0,
          offset: columns.offset[block] ?? 0,
          length: columns.length[block] ?? 0,
        },
      }
    );
  }
}
