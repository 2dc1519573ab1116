import type { IdealLayout } from '../stability/idealLayout';
import type { StabilityReport } from '../stability/stabilityReport';
import type { TextSegment } from '../sensitivity/maskText';

/**
 * How stable a request's context is, what better breakpoints would do, and what another order of the blocks would keep
 * frozen.
 */
export interface StabilityAnswer {
  readonly report: StabilityReport;
  readonly layout: IdealLayout;
  /** `sha256:` digest of the stable prefix; absent where it is empty. */
  readonly fingerprint?: string;
}

/**
 * The selected request in the four slots of the upstream's renderer. Tokens are the renderer's own estimate by
 * characters.
 */
export interface RenderedSummary {
  readonly systemStableTokens: number;
  readonly systemKnowledgeTokens: number;
  readonly historyTokens: number;
  readonly totalTokens: number;
  readonly turns: number;
  /** Text of the state turn, masked like block text; absent when there is none. */
  readonly stateTurn?: readonly TextSegment[];
  readonly frozenPrefixLen?: number;
  readonly systemStableHash: string;
  readonly systemKnowledgeHash: string;
  /** Whether this render extends the previous request's, and how many leading turns are equal; absent for the first. */
  readonly extendsPrevious?: boolean;
  readonly commonTurnPrefix?: number;
  /** Number of Prompt IR blocks, and the digest of the request they were built from. */
  readonly irBlocks: number;
  readonly sourceRequestHash: string;
}
