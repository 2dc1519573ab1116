import type * as vscode from 'vscode';
import type { SessionSummary } from '../core/model/columns';
import type { DocumentState } from './transcriptDocument';
import type { TranscriptEditorProvider } from './transcriptEditorProvider';

/**
 * What an open editor shows, in a form that can be compared. Of the transcript's text it has the title and the
 * descriptions of subagents alone, with secrets masked.
 */
export interface OpenEditor {
  readonly uri: string;
  readonly state: DocumentState['kind'];
  /** The remaining members are there when `state` is `shown`. */
  readonly fileName?: string;
  readonly summary?: SessionSummary;
  readonly blocks?: number;
  readonly requests?: number;
  /** Work that still goes on; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
  /** The sentence of `failed`. */
  readonly sentence?: string;
}

/** What `activate` returns. */
export interface InspectorApi {
  readonly openEditors: () => readonly OpenEditor[];
  readonly onDidChange: vscode.Event<undefined>;
  /** The folder where measures are kept from one opening to the next; undefined where none are. */
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
