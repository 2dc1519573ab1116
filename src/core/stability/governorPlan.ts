import type { HashText } from '../base/sha256';
import type { PromptBlock, PromptIR } from '../model/promptIr';
import { breakpointKindOf, type BreakpointPlan, planBreakpoints, type PlannedBlock } from './breakpointPlan';
import { type GovernorStability, livePrefixFingerprint } from './governorStability';

// How NeMo Relay plans cache breakpoints (acg_component.rs, acg/economics.rs, acg/capability.rs; release 0.9.2).

/**
 * Minimum cacheable prefix in tokens by model family, from upstream's table. Several are not the provider's own
 * figures.
 */
const minimumTokens: Readonly<Record<string, number>> = {
  'claude-opus-4.6': 4096,
  'claude-opus-4.5': 4096,
  'claude-opus-4.1': 1024,
  'claude-opus-4': 1024,
  'claude-sonnet-4.6': 2048,
  'claude-sonnet-4.5': 1024,
  'claude-sonnet-4': 1024,
  'claude-haiku-4.5': 4096,
  'claude-haiku-3.5': 2048,
  'claude-3.5-sonnet': 1024,
  'claude-3-opus': 2048,
  'claude-3-haiku': 1024,
};

/** Prices in parts of fresh input, the same for every model. */
const prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25 };
const maximumBreakpoints = 4;
const minimumObservations = 2;

/** The minimum of the family whose name begins the model's name. If several match, the longest name is used. */
export function governorMinimumTokens(model: string): number | undefined {
  const [longest] = Object.keys(minimumTokens)
    .filter(family => model.startsWith(family))
    .sort((first, second) => second.length - first.length);
  return longest === undefined ? undefined : minimumTokens[longest];
}

export interface GovernorInput {
  /** The request to plan for. */
  readonly ir: PromptIR;
  /** Its learning key, and the knowledge learned under this key before; undefined if none. */
  readonly learningKey: string;
  readonly stability: GovernorStability | undefined;
  readonly model: string;
  readonly hasSystemPrompt: boolean;
  readonly hashText?: HashText | undefined;
}

/** Upstream's plan for an Anthropic request, or its first reason against a plan. Tokens are estimates. */
export function governorPlan({
  ir,
  learningKey,
  stability,
  model,
  hasSystemPrompt,
  hashText,
}: GovernorInput): BreakpointPlan {
  // Upstream treats a request without a system prompt as one to OpenAI.
  if (!hasSystemPrompt) {
    return { ok: false, reason: 'noSystemPrompt' };
  }
  if (stability === undefined || stability.totalObservations < minimumObservations) {
    return { ok: false, reason: 'tooFewObservations' };
  }
  const { scores, stablePrefixLength, stablePrefixFingerprint, totalObservations } = stability;
  if (stablePrefixLength === 0) {
    return { ok: false, reason: 'emptyPrefix' };
  }
  const live = livePrefixFingerprint(ir, stablePrefixLength, learningKey, hashText);
  if (live === undefined || live !== stablePrefixFingerprint) {
    return { ok: false, reason: 'otherRequest' };
  }
  const minimum = governorMinimumTokens(model);
  if (minimum === undefined) {
    return { ok: false, reason: 'modelUnknown' };
  }
  return planBreakpoints({
    observations: totalObservations,
    // Upstream combines the score and the block with the same index. At a place with several spans, the least stable
    // score comes first and ends the priced prefix.
    blocks: scores.slice(0, stablePrefixLength).flatMap((score, index): readonly PlannedBlock[] => {
      const block = ir.blocks[index];
      return block === undefined
        ? []
        : [
            {
              tokens: tokensOf(block),
              score: score.score,
              confidence: score.confidence,
              class: score.classification,
              kind: breakpointKindOf(block.role, block.contentType, block.provenance),
              isInsideTools:
                block.contentType === 'tool_schema' && ir.blocks[index + 1]?.contentType === 'tool_schema',
            },
          ];
    }),
    tokensBefore: 0,
    rules: { explicit: true, maximumBreakpoints, minimumTokens: minimum },
    prices,
    everyPlace: true,
  });
}

/** Tokens of the leading blocks of an IR, estimated like upstream. */
export function estimatedTokens({ blocks }: PromptIR, length: number): number {
  return blocks.slice(0, length).reduce((sum, block) => sum + tokensOf(block), 0);
}

function tokensOf({ tokenMetadata, content }: PromptBlock): number {
  return tokenMetadata?.tokenCount ?? Math.floor(encoder.encode(content).length / 4);
}

const encoder = new TextEncoder();
