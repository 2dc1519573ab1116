import * as vscode from 'vscode';
import type { SaveTarget } from '../../app/desk';
import type { StartThread } from '../../node/threads/bundleThread';
import type { ExportForm } from '../../core/model/exportForm';
import type { PageTask } from '../../protocol/inspectorPage';
import type { ShownPlace } from '../../protocol/shownPlace';
import type { WorkerStart } from '../../protocol/workerMessages';
import { TranscriptDocument } from '../../app/transcript/transcriptDocument';
import { type EditorTools, TranscriptEditor } from '../../app/transcript/transcriptEditor';
import type { ThisExtension } from '../firstMinute';
import { viewType } from '../manifest';
import { webviewSurface } from '../pages/webviewSurface';
import { tabTitles } from './tabTitle';

interface ProviderTools extends EditorTools {
  readonly extension: ThisExtension;
  readonly startWorker: StartThread;
  readonly workerStart: WorkerStart | undefined;
}

/** A document of VS Code: its transcript. */
interface OpenDocument extends vscode.CustomDocument {
  readonly transcript: TranscriptDocument;
}

/** A panel that shows a transcript. */
interface OpenPanel {
  readonly uri: vscode.Uri;
  readonly panel: vscode.WebviewPanel;
  readonly editor: TranscriptEditor;
}

/** Opens transcripts. Each file has one document and one worker, even with several editors. */
export class TranscriptEditorProvider
  implements vscode.CustomReadonlyEditorProvider<OpenDocument>, vscode.Disposable
{
  private readonly documents = new Map<string, TranscriptDocument>();
  private readonly panels = new Set<OpenPanel>();
  /** Places to show in editors that do not exist yet, by the address of the transcript. */
  private readonly wantedPlaces = new Map<string, ShownPlace>();
  private readonly changeEmitter = new vscode.EventEmitter<undefined>();
  /** An editor was opened or closed, or its content has changed. */
  readonly onDidChange = this.changeEmitter.event;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly tools: ProviderTools) {
    this.subscriptions = [
      vscode.window.registerCustomEditorProvider(viewType, this, {
        supportsMultipleEditorsPerDocument: true,
      }),
      vscode.Disposable.from(
        tools.configuration.onDidChange('models', () =>
          this.documents.forEach(document => document.modelsChanged()),
        ),
      ),
      this.onDidChange(() => this.nameTabs()),
    ];
  }

  /** The document with this address, if an editor shows it. */
  find(uri: string): TranscriptDocument | undefined {
    return this.documents.get(uri);
  }

  /** The documents of all editors: a document twice that two editors show. */
  get openDocuments(): readonly TranscriptDocument[] {
    return [...this.panels].map(({ editor }) => editor.document);
  }

  /** The document of the editor that has the focus of VS Code's editor area. */
  get activeDocument(): TranscriptDocument | undefined {
    return this.active?.editor.document;
  }

  /** Opens a transcript and shows a place of it. */
  async openAt(uri: vscode.Uri, place: ShownPlace): Promise<void> {
    const key = uri.toString();
    this.wantedPlaces.set(key, place);
    await vscode.commands.executeCommand('vscode.openWith', uri, viewType);
    // The editor was already open, or has been created by now.
    const { active } = this;
    if (active?.uri.toString() === key) {
      this.showWanted(active);
    }
  }

  /**
   * Exports what the active editor shows.
   * @returns false if there is no page yet
   */
  exportActive(form: ExportForm, target: SaveTarget | undefined): boolean {
    return this.active?.editor.wantExport(form, target) ?? false;
  }

  /** Tells the page of the active editor to run a command's task. */
  runInActive(task: PageTask): void {
    this.active?.editor.run(task);
  }

  private get active(): OpenPanel | undefined {
    return [...this.panels].find(({ panel }) => panel.active);
  }

  private showWanted({ uri, editor }: OpenPanel): void {
    const key = uri.toString();
    const place = this.wantedPlaces.get(key);
    if (place !== undefined) {
      this.wantedPlaces.delete(key);
      editor.show(place);
    }
  }

  private nameTabs(): void {
    const panels = [...this.panels];
    const titles = tabTitles(
      panels.map(({ uri, editor: { document } }) => ({
        uri: uri.toString(),
        fileName: document.fileName,
        title: document.state.kind === 'shown' ? document.state.summary.title : undefined,
      })),
    );
    panels.forEach(({ panel }, index) => {
      const title = titles[index];
      // VS Code names a tab without a title itself. Before 1.110 it shows the file's name always.
      if (title !== undefined && title !== panel.title) {
        panel.title = title;
      }
    });
  }

  openCustomDocument(uri: vscode.Uri): OpenDocument {
    const { startWorker, workerStart, configuration, surroundings, desk } = this.tools;
    const key = uri.toString();
    const transcript = new TranscriptDocument(key, {
      startWorker,
      workerStart,
      models: () => configuration.get('models'),
      unpackLimits: () => configuration.unpackLimits(),
      findsPersonalData: () => configuration.get('sensitivity.personalData'),
      files: surroundings.files,
      desk,
      log: surroundings.log,
    });
    this.documents.set(key, transcript);
    transcript.onDidPost(() => this.changeEmitter.fire(undefined));
    transcript.onDidDispose(() => this.documents.delete(key));
    transcript.open();
    return { uri, transcript, dispose: () => transcript.dispose() };
  }

  resolveCustomEditor({ uri, transcript }: OpenDocument, panel: vscode.WebviewPanel): void {
    const { extension, surroundings } = this.tools;
    const surface = webviewSurface(panel, {
      extensionUri: extension.extensionUri,
      log: surroundings.log,
      script: 'webview',
      title: transcript.fileName,
    });
    const opened = { uri, panel, editor: new TranscriptEditor(transcript, surface, this.tools) };
    this.panels.add(opened);
    this.showWanted(opened);
    panel.onDidDispose(() => {
      this.panels.delete(opened);
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
