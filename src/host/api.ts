import type * as vscode from 'vscode';
import type { DocumentState, ShownSession } from './editor/transcriptDocument';
import type { TranscriptEditorProvider } from './editor/transcriptEditorProvider';

/**
 * What an open editor shows, in a form that can be compared. Its only texts from the transcript are the title and the
 * descriptions of subagents, with secrets masked. The members of the session are present when `state` is `shown`.
 */
export interface OpenEditor extends Partial<ShownSession> {
  readonly uri: string;
  readonly state: DocumentState['kind'];
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
      const { kind, ...session } = state;
      return session;
    }
    case 'failed':
      return { sentence: state.message.sentence };
    case 'reading':
    case 'cancelled':
      return {};
  }
}
