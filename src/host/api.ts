import type * as vscode from 'vscode';
import { lookedKey } from '../app/transcript/transcriptEditor';
import type { DocumentState, ShownSession } from '../app/transcript/transcriptDocument';
import type { TranscriptEditorProvider } from './editor/transcriptEditorProvider';

/**
 * The content of an open editor in a comparable form. Its only texts from the transcript are the title and the
 * descriptions of subagents, with secrets masked. The members of the session are present if `state` is `shown`.
 */
export interface OpenEditor extends Partial<ShownSession> {
  readonly uri: string;
  readonly state: DocumentState['kind'];
  /** The sentence of `failed`. */
  readonly sentence?: string;
}

/** The result of `activate`. */
export interface InspectorApi {
  readonly openEditors: () => readonly OpenEditor[];
  readonly onDidChange: vscode.Event<undefined>;
  /** The folder with measures for the next opening; undefined if none are stored. */
  readonly measureFolder: string | undefined;
  /** From now on, the list of findings never opens by itself. */
  readonly skipFirstLook: () => Thenable<void>;
}

export function inspectorApi(
  provider: TranscriptEditorProvider,
  measureFolder: string | undefined,
  memory: vscode.Memento,
): InspectorApi {
  return {
    openEditors: () =>
      provider.openDocuments.map(document => ({
        uri: document.address,
        state: document.state.kind,
        ...details(document.state),
      })),
    onDidChange: provider.onDidChange,
    measureFolder,
    skipFirstLook: () => memory.update(lookedKey, true),
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
