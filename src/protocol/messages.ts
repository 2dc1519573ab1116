import type { CacheReport } from '../core/cache/cacheFinding';
import type { BlockText } from '../core/session/blockText';
import type { RenderedSummary, StabilityAnswer } from '../core/questions/answers';
import type { ColourMode } from '../core/drawing/palette';
import type { ExportForm } from '../core/model/exportForm';
import type { PruneOptions } from '../core/model/pruneConfig';
import type { ReplaySummary } from '../core/prune/replaySummary';
import type { Found, PruneMomentChoice, PruneOptionsChoice } from '../core/prune/search';
import type { SessionState, SessionUpdate } from './workerMessages';
import type { AskMessage, AskNews } from './asking';

export type { BlockText } from '../core/session/blockText';
export type { RenderedSummary, StabilityAnswer } from '../core/questions/answers';
export type { SensitivityFinding as TextFinding } from '../core/sensitivity/finding';
export type { TextSegment } from '../core/sensitivity/maskText';

/** What the worker is doing; `done` and `total` are bytes for reading, blocks for the others. */
export interface Progress {
  readonly phase: 'reading' | 'measuring';
  readonly done: number;
  readonly total: number;
}

/** A prune just before a request. */
export interface PruneQuestion {
  readonly request: number;
  readonly options: PruneOptions;
}

/** Questions of the webview, each answered once. */
export interface WebviewQuestions {
  readonly blockText: {
    readonly params: {
      readonly block: number;
      readonly start: number;
      readonly length: number;
      readonly reveal: boolean;
    };
    readonly result: BlockText;
  };
  readonly rendered: { readonly params: { readonly request: number }; readonly result: RenderedSummary };
  readonly stability: { readonly params: { readonly request: number }; readonly result: StabilityAnswer };
  readonly pruneReplay: { readonly params: PruneQuestion; readonly result: ReplaySummary };
  readonly bestMoment: { readonly params: PruneQuestion; readonly result: Found<PruneMomentChoice> };
  readonly bestOptions: { readonly params: PruneQuestion; readonly result: Found<PruneOptionsChoice> };
  readonly cacheReport: { readonly params: Readonly<Record<string, never>>; readonly result: CacheReport };
}
export type QuestionName = keyof WebviewQuestions;

export type Question = {
  [Name in QuestionName]: { readonly name: Name; readonly params: WebviewQuestions[Name]['params'] };
}[QuestionName];

/** What is to be exported. */
export interface ExportChoice {
  readonly form: ExportForm;
  readonly request: number;
  readonly options: PruneOptions;
  readonly colour: ColourMode;
  /** The number of `exportWanted`, where a command wanted it. */
  readonly ask?: number | undefined;
}

/** What the user does in the webview that only the host can carry out. */
export type WebviewAct =
  | { readonly kind: 'revealSource'; readonly block: number }
  | { readonly kind: 'openPath'; readonly block: number }
  | { readonly kind: 'openSubagent'; readonly id: string }
  | { readonly kind: 'openParent' }
  | { readonly kind: 'savePruneOptions'; readonly options: PruneOptions }
  /** Asks for a name and writes a file, of the request and with the options in view. */
  | ({ readonly kind: 'export' } & ExportChoice)
  | { readonly kind: 'openAsText' }
  | { readonly kind: 'retry' }
  | { readonly kind: 'cancel' };

export type FromWebviewMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'question'; readonly id: number; readonly question: Question }
  | { readonly type: 'act'; readonly act: WebviewAct }
  | { readonly type: 'ask'; readonly ask: AskMessage };

export type Answer =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly sentence: string };

export type ToWebviewMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | (SessionState & { readonly fileName: string })
  /** Applies to the revision before it; a page that has another one gets all of the session. */
  | SessionUpdate
  /** The file's name as it is shown has changed. */
  | { readonly type: 'fileName'; readonly fileName: string }
  | { readonly type: 'pruneOptions'; readonly options: PruneOptions }
  | { readonly type: 'ask'; readonly news: AskNews }
  /** A command wants an export of what is in view; the webview answers with the act. */
  | { readonly type: 'exportWanted'; readonly form: ExportForm; readonly ask: number }
  /** The transcript is a subagent's, and this is the file of the session that started it. */
  | { readonly type: 'parent'; readonly fileName: string }
  /** The file cannot be shown; `canOpenAsText` offers the way out. */
  | { readonly type: 'failed'; readonly sentence: string; readonly canOpenAsText: boolean }
  /** The user cancelled; `retry` opens again. */
  | { readonly type: 'cancelled' }
  | Answer;
