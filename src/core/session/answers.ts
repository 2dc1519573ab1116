import type { IdealLayout } from '../stability/idealLayout';
import type { StabilityReport } from '../stability/stabilityReport';
import type { SensitivityFinding } from '../sensitivity/finding';
import type { TextSegment } from '../sensitivity/maskText';

/** One page of a block's text. */
export interface BlockText {
  readonly segments: readonly TextSegment[];
  /** UTF-16 offset of the page, its end, and the length of the whole text. */
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  readonly findings: readonly SensitivityFinding[];
  /** `sha256:` digest of the text as the Prompt IR normalises it. */
  readonly irHash: string;
}

/** How stable a request's context is, what better breakpoints would do, and what another order would keep frozen. */
export interface StabilityAnswer {
  readonly report: StabilityReport;
  readonly layout: IdealLayout;
  /** `sha256:` digest of the stable prefix; absent where it is empty. */
  readonly fingerprint?: string;
}

/** The selected request in the four slots of the upstream's renderer. Tokens are its own character estimate. */
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
