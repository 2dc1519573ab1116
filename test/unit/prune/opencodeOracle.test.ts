import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { planOf, type PruneMessage, type PruneResult } from './transcripts';

const folder = resolve('../shared/agent-runs/opencode/1.18.34');

const oracleSchema = v.array(
  v.object({
    case: v.string(),
    loop: v.number(),
    before: v.nullable(v.string()),
    after: v.string(),
    scannedTokens: v.number(),
    tokensOver40000: v.number(),
    predictedPartIds: v.array(v.string()),
    markedByOpencodePartIds: v.array(v.string()),
    match: v.boolean(),
  }),
);

const partSchema = v.object({
  id: v.string(),
  type: v.string(),
  tool: v.optional(v.string()),
  state: v.optional(
    v.object({
      status: v.string(),
      output: v.optional(v.string()),
      time: v.optional(v.object({ compacted: v.optional(v.number()) })),
    }),
  ),
});

const exportSchema = v.object({
  messages: v.array(
    v.object({
      info: v.object({
        role: v.picklist(['user', 'assistant']),
        summary: v.optional(v.unknown()),
      }),
      parts: v.array(partSchema),
    }),
  ),
});

type Export = v.InferOutput<typeof exportSchema>;

function readJson(path: string): unknown {
  const bytes = readFileSync(existsSync(path) ? path : `${path}.gz`);
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8'));
}

function prunedParts(session: Export): ReadonlySet<string> {
  return new Set(
    session.messages.flatMap(({ parts }) =>
      parts.flatMap(({ id, state }) => (state?.time?.compacted === undefined ? [] : [id])),
    ),
  );
}

function readSession(session: Export, prunedBefore: ReadonlySet<string>) {
  const partIds: string[] = [];
  const messages = session.messages.map(({ info, parts }): PruneMessage => ({
    role: info.role,
    summary: info.role === 'assistant' && info.summary === true,
    results: parts.flatMap(({ id, type, tool, state }): PruneResult[] => {
      if (type !== 'tool' || state === undefined) {
        return [];
      }
      const output = state.output ?? '';
      partIds.push(id);
      return [
        {
          block: partIds.length - 1,
          tool: tool ?? '',
          status: state.status === 'completed' ? 'completed' : state.status === 'error' ? 'error' : 'pending',
          callHash: '',
          contentHash: '',
          path: '',
          alreadyPruned: prunedBefore.has(id),
          useless: false,
          tokens: 0,
          characters: output.length,
          bytes: Buffer.byteLength(output),
          imageCount: 0,
          resultMessage: partIds.length - 1,
          endTokens: 0,
          endBytes: 0,
        },
      ];
    }),
  }));
  return { messages, partIds };
}

describe('rule set opencode against opencode itself', () => {
  it(
    'weighs and marks what opencode weighed and marked',
    { skip: existsSync(folder) ? false : `${folder} is absent` },
    () => {
      const loops = v.parse(oracleSchema, readJson(join(folder, 'prune-oracle.json')));
      assert.ok(loops.length > 0);
      for (const loop of loops) {
        const name = `${loop.case} ${loop.loop}`;
        const exported = (file: string) =>
          v.parse(exportSchema, readJson(join(folder, loop.case, 'exports', file)));
        const before = loop.before === null ? new Set<string>() : prunedParts(exported(loop.before));
        const { messages, partIds } = readSession(exported(loop.after), before);
        const plan = planOf(messages, { ...defaultPruneOptions(), measure: 'chars4' }, () => 0);
        const planned = plan.executes ? plan.candidates.map(block => partIds[block]) : [];
        assert.equal(plan.scannedTokens, loop.scannedTokens, name);
        assert.equal(plan.candidateTokens, loop.tokensOver40000, name);
        assert.deepEqual(planned.toSorted(), loop.predictedPartIds.toSorted(), name);
        if (loop.match) {
          assert.deepEqual(planned.toSorted(), loop.markedByOpencodePartIds.toSorted(), name);
        }
      }
    },
  );
});
