import type { SensitivityLabel } from '../core/model/labels';
import type { PruneOptions } from '../core/model/pruneConfig';
import type { SessionSummary } from '../core/model/columns';
import type { PackedColumns } from './wire';

/** What the worker is doing; `done` and `total` are bytes for reading, blocks for the others. */
export interface Progress {
  readonly phase: 'reading' | 'counting' | 'scanning';
  readonly done: number;
  readonly total: number;
}

/** A run of a block's text: shown, or masked because a finding covers it. `masked` is a length in UTF-16 units. */
export type TextSegment =
  | { readonly text: string }
  | { readonly masked: number; readonly rule: string; readonly label: SensitivityLabel };

export interface TextFinding {
  readonly rule: string;
  readonly label: SensitivityLabel;
  /** UTF-16 offsets in the block's whole text. */
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** One page of a block's text. */
export interface BlockText {
  readonly segments: readonly TextSegment[];
  /** UTF-16 offset of the page, its end, and the length of the whole text. */
  readonly start: number;
  readonly end: number;
  readonly characters: number;
  readonly findings: readonly TextFinding[];
  /** `sha256:` digest of the text as the Prompt IR normalises it. */
  readonly irHash: string;
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

/** Questions of the webview, each answered once. */
export interface WebviewQuestions {
  readonly blockText: {
    readonly params: { readonly block: number; readonly start: number; readonly length: number; readonly reveal: boolean };
    readonly result: BlockText;
  };
  readonly rendered: { readonly params: { readonly request: number }; readonly result: RenderedSummary };
}
export type QuestionName = keyof WebviewQuestions;

export type Question = {
  [Name in QuestionName]: { readonly name: Name; readonly params: WebviewQuestions[Name]['params'] };
}[QuestionName];

/** What the user does in the webview that only the host can carry out. */
export type WebviewAct =
  | { readonly kind: 'revealSource'; readonly block: number }
  | { readonly kind: 'openPath'; readonly block: number }
  | { readonly kind: 'openSubagent'; readonly id: string }
  | { readonly kind: 'savePruneOptions'; readonly options: PruneOptions }
  | { readonly kind: 'openAsText' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel' };

export type FromWebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'question'; readonly id: number; readonly question: Question }
  | { readonly type: 'act'; readonly act: WebviewAct };

export type Answer =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly sentence: string };

export type ToWebviewMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** All of a session. Sent when the file was read, when counts or the scan are through, and again when the file grew. */
  | {
      readonly type: 'session';
      readonly fileName: string;
      readonly summary: SessionSummary;
      readonly columns: PackedColumns;
      /** Work that still goes on in the background; absent when every figure is final. */
      readonly pending?: 'counting' | 'scanning';
    }
  | { readonly type: 'pruneOptions'; readonly options: PruneOptions }
  /** The file cannot be shown; `canOpenAsText` offers the way out. */
  | { readonly type: 'failed'; readonly sentence: string; readonly canOpenAsText: boolean }
  /** The user cancelled; `retry` opens again. */
  | { readonly type: 'cancelled' }
  | Answer;
