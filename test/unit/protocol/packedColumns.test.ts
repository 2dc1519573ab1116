import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BlockColumns, RequestColumns, SessionColumns } from '../../../src/core/model/columns';
import { packColumns, unpackColumns } from '../../../src/protocol/packedColumns';
import { withListedStrings } from '../../fixtures/listedStrings';

const blocks: BlockColumns = {
  role: Uint8Array.of(0, 1, 2),
  contentType: Uint8Array.of(0, 0, 2),
  kind: Uint8Array.of(0, 2, 7),
  provenance: Uint8Array.of(0, 2, 3),
  partition: Uint8Array.of(0, 1, 3),
  sensitivity: Uint8Array.of(0, 1, 2),
  findings: Uint16Array.of(0, 1, 65_535),
  tokens: Uint32Array.of(10, 20, 4_000_000_000),
  counted: Uint8Array.of(1, 1, 0),
  characters: Uint32Array.of(40, 80, 120),
  bytes: Uint32Array.of(41, 81, 121),
  textKind: Uint8Array.of(0, 1, 3),
  leftAt: Int32Array.of(-1, 1, -1),
  line: Uint32Array.of(1, 2, 3),
  label: Uint32Array.of(1, 2, 3),
  tool: Uint32Array.of(0, 0, 4),
  callId: Uint32Array.of(0, 0, 5),
  path: Uint32Array.of(0, 0, 6),
  content: Uint32Array.of(0, 1, 0),
  hashHigh: Uint32Array.of(7, 8, 7),
  hashLow: Uint32Array.of(9, 9, 9),
  message: Uint32Array.of(0, 1, 2),
  pair: Int32Array.of(-1, -1, 1),
  flags: Uint8Array.of(0, 0, 1),
  firstRequest: Int32Array.of(0, 0, -1),
  requestCount: Uint32Array.of(2, 2, 0),
  timestamp: Float64Array.of(Number.NaN, 1.5, 1_700_000_000_123),
};

const requests: RequestColumns = {
  context: Uint32Array.of(0),
  length: Uint32Array.of(2),
  thread: Uint16Array.of(3),
  timestamp: Float64Array.of(1_700_000_000_456),
  model: Uint32Array.of(10),
  input: Uint32Array.of(1),
  cacheRead: Uint32Array.of(2),
  cacheWrite: Uint32Array.of(3),
  output: Uint32Array.of(4),
  replyTokens: Uint32Array.of(40),
  cacheLifetime: Uint32Array.of(3600),
  cacheWriteHour: Uint32Array.of(2),
  recordedCost: Float64Array.of(0.25),
  billing: Uint32Array.of(0),
  flags: Uint8Array.of(3),
  window: Uint32Array.of(200_000),
  windowSource: Uint8Array.of(5),
  otherWindow: Uint32Array.of(1_000_000),
  predictedBlocks: Uint32Array.of(1),
  predictionReason: Uint8Array.of(1),
  predictedFrom: Int32Array.of(-1),
  scale: Float32Array.of(1.25),
  scaleError: Float32Array.of(0.5),
  notRecorded: Uint32Array.of(18_000),
  notRecordedError: Float32Array.of(0.25),
  jump: Int32Array.of(-35_000),
  totalError: Float32Array.of(0.5),
  diagnosis: Uint8Array.of(2),
  diagnosisTokens: Int32Array.of(11_689),
  skill: Uint32Array.of(11),
  plugin: Uint32Array.of(12),
  agent: Uint32Array.of(13),
  mcpServer: Uint32Array.of(14),
  effort: Uint32Array.of(15),
  frozenPrefixLen: Int32Array.of(-1),
  line: Uint32Array.of(9),
};

const columns: SessionColumns = {
  strings: ['', 'one', '__proto__'],
  blocks,
  contexts: [Uint32Array.of(0, 1, 2), new Uint32Array(), Uint32Array.of(2)],
  requests,
  breakpoints: [{ request: 0, positions: [1] }],
};

describe('wire', () => {
  it('gives back what was packed', () => {
    assert.deepStrictEqual(withListedStrings(unpackColumns(packColumns(columns))), columns);
  });

  it('survives structured cloning with the buffer transferred', () => {
    const packed = packColumns(columns);
    const received = structuredClone(packed, { transfer: [packed.buffer] });
    assert.equal(packed.buffer.byteLength, 0);
    assert.deepStrictEqual(withListedStrings(unpackColumns(received)), columns);
  });

  it('uses one buffer of exact size with aligned views', () => {
    const packed = packColumns(columns);
    // Three blocks: 9 byte columns and one 16-bit column in 8 bytes each, 16 columns of 32 bits in 16, one of 3 doubles
    // in 24.
    const blockBytes = 10 * 8 + 16 * 16 + 24;
    // One request: every one of the 36 columns fits 8 bytes. Contexts of 3, 0 and 1 blocks: 16 + 0 + 8. The ends of
    // three strings take 12 bytes, and so do their letters: 16 each.
    assert.equal(packed.buffer.byteLength, blockBytes + 36 * 8 + 24 + 2 * 16);
    const unpacked = unpackColumns(packed);
    const views: ArrayBufferView[] = [
      ...Object.values<ArrayBufferView>({ ...unpacked.blocks }),
      ...Object.values<ArrayBufferView>({ ...unpacked.requests }),
      ...unpacked.contexts,
    ];
    for (const array of views) {
      assert.equal(array.buffer, packed.buffer);
      assert.equal(array.byteOffset % 8, 0);
    }
  });

  it('copies out of views that share a larger buffer', () => {
    const shared = new Uint32Array(8).fill(7);
    const view = shared.subarray(2, 5);
    const unpacked = unpackColumns(packColumns({ ...columns, contexts: [view] }));
    assert.deepStrictEqual(unpacked.contexts, [Uint32Array.of(7, 7, 7)]);
  });

  it('packs an empty session', () => {
    const empty = unpackColumns(packColumns({ ...columns, contexts: [], breakpoints: [], strings: [''] }));
    assert.deepStrictEqual(empty.contexts, []);
  });
});
