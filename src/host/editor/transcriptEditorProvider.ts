import * as vscode from 'vscode';
import type { ShownPlace } from '../../protocol/shownPlace';
import { viewType } from '../manifest';
import { tabTitles } from './tabTitle';
import { TranscriptDocument } from './transcriptDocument';
import { type EditorTools, TranscriptEditor } from './transcriptEditor';

/** Opens transcripts. Each file has one document and one worker, even with several editors. */
export class TranscriptEditorProvider
  implements vscode.CustomReadonlyEditorProvider<TranscriptDocument>, vscode.Disposable
{
  private readonly documents = new Map<string, TranscriptDocument>();
  private readonly editors = new Set<TranscriptEditor>();
  /** Places to show in editors that do not exist yet, by the address of the transcript. */
  private readonly wantedPlaces = new Map<string, ShownPlace>();
  private readonly changeEmitter = new vscode.EventEmitter<undefined>();
  /** An editor was opened or closed, or its content has changed. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly tools: EditorTools) {
    this.subscriptions = [
      vscode.window.registerCustomEditorProvider(viewType, this, {
        supportsMultipleEditorsPerDocument: true,
      }),
      tools.configuration.onDidChange('models', () =>
        this.documents.forEach(document => document.modelsChanged()),
      ),
      this.onDidChange(() => this.nameTabs()),
    ];
  }

  /** The document with this address, if an editor shows it. */
  find(uri: string): TranscriptDocument | undefined {
    return this.documents.get(uri);
  }

  get openEditors(): readonly TranscriptEditor[] {
    return [...this.editors];
  }

  /** The editor that has the focus of VS Code's editor area. */
  get activeEditor(): TranscriptEditor | undefined {
    return this.openEditors.find(({ isActive }) => isActive);
  }

  /** Opens a transcript and shows a place of it. */
  async openAt(uri: vscode.Uri, place: ShownPlace): Promise<void> {
    const key = uri.toString();
    this.wantedPlaces.set(key, place);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewType);
    // The editor was already open, or has been created by now.
    const { activeEditor } = this;
    if (activeEditor?.document.uri.toString() === key) {
      this.showWanted(activeEditor);
    }
  }

  private showWanted(editor: TranscriptEditor): void {
    const key = editor.document.uri.toString();
    const place = this.wantedPlaces.get(key);
    if (place !== undefined) {
      this.wantedPlaces.delete(key);
      editor.show(place);
    }
  }

  private nameTabs(): void {
    const { openEditors } = this;
    const titles = tabTitles(
      openEditors.map(({ document: { uri, fileName, state } }) => ({
        uri: uri.toString(),
        fileName,
        title: state.kind === 'shown' ? state.summary.title : undefined,
      })),
    );
    openEditors.forEach((editor, index) => editor.nameTab(titles[index]));
  }

  openCustomDocument(uri: vscode.Uri): TranscriptDocument {
    const document = new TranscriptDocument(uri, {
      startWorker: this.tools.startWorker,
      workerStart: this.tools.workerStart,
      models: () => this.tools.configuration.get('models'),
      unpackLimits: () => this.tools.configuration.unpackLimits(),
      findsPersonalData: () => this.tools.configuration.get('sensitivity.personalData'),
      log: this.tools.log,
    });
    this.documents.set(uri.toString(), document);
    document.onDidPost(() => this.changeEmitter.fire(undefined));
    document.onDidDispose(() => this.documents.delete(uri.toString()));
    document.open();
    return document;
  }

  resolveCustomEditor(document: TranscriptDocument, panel: vscode.WebviewPanel): void {
    const editor = new TranscriptEditor(document, panel, this.tools);
    this.editors.add(editor);
    this.showWanted(editor);
    panel.onDidDispose(() => {
      this.editors.delete(editor);
      this.changeEmitter.fire(undefined);
    });
    this.changeEmitter.fire(undefined);
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
    for (const document of this.documents.values()) {
      document.dispose();
    }
    this.changeEmitter.dispose();
  }
}
