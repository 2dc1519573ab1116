import * as v from 'valibot';
import type { BlockText, RenderedSummary } from '../../src/protocol/messages';

const label = v.picklist(['private', 'restricted']);
const segment = v.union([
  v.object({ text: v.string() }),
  v.object({ masked: v.number(), rule: v.string(), label }),
]);

const blockTextSchema: v.GenericSchema<unknown, BlockText> = v.object({
  segments: v.array(segment),
  start: v.number(),
  end: v.number(),
  characters: v.number(),
  findings: v.array(
    v.object({ rule: v.string(), label, start: v.number(), end: v.number(), message: v.string() }),
  ),
  irHash: v.string(),
});

const renderedSchema: v.GenericSchema<unknown, RenderedSummary> = v.object({
  systemStableTokens: v.number(),
  systemKnowledgeTokens: v.number(),
  historyTokens: v.number(),
  totalTokens: v.number(),
  turns: v.number(),
  stateTurn: v.exactOptional(v.array(segment)),
  frozenPrefixLen: v.exactOptional(v.number()),
  systemStableHash: v.string(),
  systemKnowledgeHash: v.string(),
  extendsPrevious: v.exactOptional(v.boolean()),
  commonTurnPrefix: v.exactOptional(v.number()),
  irBlocks: v.number(),
  sourceRequestHash: v.string(),
});

export const parseBlockText = (value: unknown): BlockText => v.parse(blockTextSchema, value);
export const parseRendered = (value: unknown): RenderedSummary => v.parse(renderedSchema, value);
