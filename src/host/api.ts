import type * as vscode from 'vscode';
import type { SessionSummary } from '../core/model/columns';
import type { DocumentState } from './transcriptDocument';
import type { TranscriptEditorProvider } from './transcriptEditorProvider';

/**
 * What an open editor shows, in a form that can be compared. Its only texts from the transcript are the title and the
 * descriptions of subagents, with secrets masked.
 */
export interface OpenEditor {
  readonly uri: string;
  readonly state: DocumentState['kind'];
  /** Present when `state` is `shown`, like the members below. */
  readonly fileName?: string;
  readonly summary?: SessionSummary;
  readonly blocks?: number;
  readonly requests?: number;
  /** Work in progress; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
  /** The sentence of `failed`. */
  readonly sentence?: string;
}

/** What `activate` returns. */
export interface InspectorApi {
  readonly openEditors: () => readonly OpenEditor[];
  readonly onDidChange: vscode.Event<undefined>;
  /** The folder that keeps measures for the next opening; undefined if none are kept. */
  readonly measureFolder: string | undefined;
}

export function inspectorApi(
  provider: TranscriptEditorProvider,
  measureFolder: string | undefined,
): InspectorApi {
  return {
    openEditors: () =>
      provider.openEditors.map(({ document }) => ({
        uri: document.uri.toString(),
        state: document.state.kind,
        ...details(document.state),
      })),
    onDidChange: provider.onDidChange,
    measureFolder,
  };
}

function details(state: DocumentState): Partial<OpenEditor> {
  switch (state.kind) {
    case 'shown': {
      const { fileName, summary, blocks, requests, pending } = state;
      return { fileName, summary, blocks, requests, pending };
    }
    case 'failed':
      return { sentence: state.message.sentence };
    case 'reading':
    case 'cancelled':
      return {};
  }
}
