import type { BlockColumns, RequestColumns, SessionColumns } from '../core/model/columns';
import { encodeUnits } from '../core/model/textTable';
import { VisibleTexts } from '../core/model/visibleTexts';
import { PackedTexts } from './packedTexts';

/**
 * The columns of a session in the form that crosses from the worker to the webview: one buffer of exactly the needed size,
 * which can be transferred, and the few numbers that say what lies where. Every column begins at a multiple of 8 bytes.
 */
export interface PackedColumns {
  readonly buffer: ArrayBuffer;
  readonly blockCount: number;
  readonly requestCount: number;
  /** Number of blocks in each context. */
  readonly contextLengths: readonly number[];
  /** Number of strings, and of the bytes that they take, which stand behind all else: where each ends, then the bytes. */
  readonly stringCount: number;
  readonly stringBytes: number;
  readonly breakpoints: SessionColumns['breakpoints'];
}

type Layout = Omit<PackedColumns, 'buffer' | 'stringCount' | 'stringBytes'>;
type Numbers = ArrayLike<number>;

const alignment = 8;
/** The next place where a column may begin. */
export const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** Hands out one aligned view after the other, filled from a source where there is one. */
class Cursor {
  private offset = 0;
  constructor(private readonly buffer: ArrayBuffer) {}

  private advance(bytes: number): number {
    const start = this.offset;
    this.offset = aligned(start + bytes);
    return start;
  }

  private fill<View extends { set(source: Numbers): void }>(view: View, source: Numbers | undefined): View {
    if (source !== undefined) {
      view.set(source);
    }
    return view;
  }

  uint8(length: number, source: Numbers | undefined): Uint8Array {
    return this.fill(new Uint8Array(this.buffer, this.advance(length), length), source);
  }

  uint16(length: number, source: Numbers | undefined): Uint16Array {
    return this.fill(new Uint16Array(this.buffer, this.advance(length * 2), length), source);
  }

  uint32(length: number, source: Numbers | undefined): Uint32Array {
    return this.fill(new Uint32Array(this.buffer, this.advance(length * 4), length), source);
  }

  int32(length: number, source: Numbers | undefined): Int32Array {
    return this.fill(new Int32Array(this.buffer, this.advance(length * 4), length), source);
  }

  float32(length: number, source: Numbers | undefined): Float32Array {
    return this.fill(new Float32Array(this.buffer, this.advance(length * 4), length), source);
  }

  float64(length: number, source: Numbers | undefined): Float64Array {
    return this.fill(new Float64Array(this.buffer, this.advance(length * 8), length), source);
  }
}

function blockColumns(cursor: Cursor, rows: number, source: BlockColumns | undefined): BlockColumns {
  return {
    role: cursor.uint8(rows, source?.role),
    contentType: cursor.uint8(rows, source?.contentType),
    kind: cursor.uint8(rows, source?.kind),
    provenance: cursor.uint8(rows, source?.provenance),
    partition: cursor.uint8(rows, source?.partition),
    sensitivity: cursor.uint8(rows, source?.sensitivity),
    findings: cursor.uint16(rows, source?.findings),
    tokens: cursor.uint32(rows, source?.tokens),
    counted: cursor.uint8(rows, source?.counted),
    characters: cursor.uint32(rows, source?.characters),
    bytes: cursor.uint32(rows, source?.bytes),
    line: cursor.uint32(rows, source?.line),
    label: cursor.uint32(rows, source?.label),
    tool: cursor.uint32(rows, source?.tool),
    callId: cursor.uint32(rows, source?.callId),
    path: cursor.uint32(rows, source?.path),
    content: cursor.uint32(rows, source?.content),
    hashHigh: cursor.uint32(rows, source?.hashHigh),
    hashLow: cursor.uint32(rows, source?.hashLow),
    message: cursor.uint32(rows, source?.message),
    pair: cursor.int32(rows, source?.pair),
    flags: cursor.uint8(rows, source?.flags),
    firstRequest: cursor.int32(rows, source?.firstRequest),
    requestCount: cursor.uint32(rows, source?.requestCount),
    timestamp: cursor.float64(rows, source?.timestamp),
  };
}

function requestColumns(cursor: Cursor, rows: number, source: RequestColumns | undefined): RequestColumns {
  return {
    context: cursor.uint32(rows, source?.context),
    length: cursor.uint32(rows, source?.length),
    thread: cursor.uint16(rows, source?.thread),
    timestamp: cursor.float64(rows, source?.timestamp),
    model: cursor.uint32(rows, source?.model),
    input: cursor.uint32(rows, source?.input),
    cacheRead: cursor.uint32(rows, source?.cacheRead),
    cacheWrite: cursor.uint32(rows, source?.cacheWrite),
    output: cursor.uint32(rows, source?.output),
    replyTokens: cursor.uint32(rows, source?.replyTokens),
    cacheLifetime: cursor.uint32(rows, source?.cacheLifetime),
    cacheWriteHour: cursor.uint32(rows, source?.cacheWriteHour),
    flags: cursor.uint8(rows, source?.flags),
    window: cursor.uint32(rows, source?.window),
    predictedBlocks: cursor.uint32(rows, source?.predictedBlocks),
    predictionReason: cursor.uint8(rows, source?.predictionReason),
    predictedFrom: cursor.int32(rows, source?.predictedFrom),
    scale: cursor.float32(rows, source?.scale),
    scaleError: cursor.float32(rows, source?.scaleError),
    frozenPrefixLen: cursor.int32(rows, source?.frozenPrefixLen),
    line: cursor.uint32(rows, source?.line),
  };
}

function columnsIn(
  cursor: Cursor,
  layout: Layout,
  source: SessionColumns | undefined,
): Omit<SessionColumns, 'strings'> {
  return {
    blocks: blockColumns(cursor, layout.blockCount, source?.blocks),
    contexts: layout.contextLengths.map((length, index) => cursor.uint32(length, source?.contexts[index])),
    requests: requestColumns(cursor, layout.requestCount, source?.requests),
    breakpoints: layout.breakpoints,
  };
}

/** Copies all columns into one new buffer of exact size; hand `buffer` to `postMessage` as a transferable. */
export function packColumns(columns: SessionColumns): PackedColumns {
  const layout: Layout = {
    blockCount: columns.blocks.role.length,
    requestCount: columns.requests.context.length,
    contextLengths: columns.contexts.map(context => context.length),
    breakpoints: columns.breakpoints,
  };
  const { strings } = columns;
  const bytesOf = (index: number): Uint8Array =>
    strings instanceof VisibleTexts ? strings.bytesOf(index) : encodeUnits(strings.at(index) ?? '');
  const stringCount = strings.length;
  let stringBytes = 0;
  for (let index = 0; index < stringCount; index += 1) {
    stringBytes += bytesOf(index).length;
  }
  const buffer = new ArrayBuffer(sizeOf(columns, layout) + aligned(stringCount * 4) + aligned(stringBytes));
  const cursor = new Cursor(buffer);
  columnsIn(cursor, layout, columns);
  const ends = cursor.uint32(stringCount, undefined);
  const bytes = cursor.uint8(stringBytes, undefined);
  let end = 0;
  for (let index = 0; index < stringCount; index += 1) {
    const text = bytesOf(index);
    bytes.set(text, end);
    end += text.length;
    ends[index] = end;
  }
  return { buffer, stringCount, stringBytes, ...layout };
}

/** A copy of the columns that has as many rows as the layout says, at least those that there are. */
export function columnsWith(
  columns: SessionColumns,
  layout: Layout,
  strings: SessionColumns['strings'],
): SessionColumns {
  const cursor = new Cursor(new ArrayBuffer(sizeOf(columns, layout)));
  return { strings, ...columnsIn(cursor, layout, columns) };
}

function sizeOf(columns: SessionColumns, { blockCount, requestCount, contextLengths }: Layout): number {
  const bytes = (rows: number, arrays: object): number =>
    Object.values<{ readonly BYTES_PER_ELEMENT: number }>({ ...arrays }).reduce(
      (sum, array) => sum + aligned(rows * array.BYTES_PER_ELEMENT),
      0,
    );
  return (
    bytes(blockCount, columns.blocks) +
    bytes(requestCount, columns.requests) +
    contextLengths.reduce((sum, length) => sum + aligned(length * 4), 0)
  );
}

/** The columns as views on the packed buffer: nothing is copied. */
export function unpackColumns(packed: PackedColumns): SessionColumns {
  const cursor = new Cursor(packed.buffer);
  const columns = columnsIn(cursor, packed, undefined);
  const ends = cursor.uint32(packed.stringCount, undefined);
  return { strings: new PackedTexts(ends, cursor.uint8(packed.stringBytes, undefined)), ...columns };
}
