import * as v from 'valibot';
import * as vscode from 'vscode';
import { colourModes } from '../core/drawing/palette';
import type { ExportForm } from '../core/model/exportForm';
import { assertNever } from '../core/model/labels';
import { translate } from '../core/base/translate';
import type { StartThread } from '../node/bundleThread';
import { describeFileError } from '../node/fileErrors';
import {
  type PageTask,
  type ShownPlace,
  type ToWebviewMessage,
  type WebviewAct,
  readWebviewMessage,
} from '../protocol/messages';
import {
  type AnswersOf,
  type HostQuestion,
  type Question,
  answerTo,
  hostQuestions,
} from '../protocol/questions';
import { postAnswer } from '../protocol/sessionMessages';
import type { WorkerStart } from '../protocol/workerMessages';
import { transcriptClosed } from './analysisWorker';
import type { AskService } from './asking/askService';
import type { AskSession } from './asking/askSession';
import type { Configuration } from './configuration';
import { exportFile } from './exportActs';
import { type ThisExtension, noteStep } from './firstMinute';
import { copyLink } from './linkActs';
import { commandIds } from './manifest';
import { refusal } from './refusal';
import { openParent, openPath, openSubagent, revealSource } from './transcriptActs';
import type { TranscriptDocument } from './transcriptDocument';
import { type Log, pick, showMessage } from './userMessages';
import { showPage } from './webviewPage';

export interface EditorTools {
  readonly extension: ThisExtension;
  readonly startWorker: StartThread;
  readonly workerStart: WorkerStart | undefined;
  readonly configuration: Configuration;
  readonly askService: AskService;
  readonly log: Log;
  /** What is remembered from file to file. */
  readonly memory: vscode.Memento;
}

const coloursKey = 'colours';

/** The answers to the page's questions that the host answers itself. */
const answers: AnswersOf<typeof hostQuestions, EditorTools> = {
  askOffer: ({ askService }) => askService.offer(),
};

function isForHost(question: Question): question is HostQuestion {
  return Object.hasOwn(hostQuestions, question.name);
}

/** One panel that shows a transcript. VS Code may discard and recreate its page at any time; a new page asks for everything. */
export class TranscriptEditor implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private ready = false;
  private disposed = false;
  /** The targets of exports that commands requested from the page, by the number of the request. */
  private readonly exportTargets = new Map<number, vscode.Uri | undefined>();
  private lastExport = 0;
  private wantedPlace: ShownPlace | undefined;
  private readonly asks: AskSession;

  constructor(
    readonly document: TranscriptDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly tools: EditorTools,
  ) {
    const { webview } = panel;
    this.asks = tools.askService.sessionOf(document, news => this.post({ type: 'ask', news }));
    webview.onDidReceiveMessage((message: unknown) => this.receive(message), undefined, this.disposables);
    document.onDidPost(message => this.post(message), undefined, this.disposables);
    tools.configuration.onDidChangePruneOptions(
      options => this.post({ type: 'pruneOptions', options }),
      undefined,
      this.disposables,
    );
    tools.configuration.onDidChangeHiddenWaste(
      kinds => this.post({ type: 'hiddenWaste', kinds }),
      undefined,
      this.disposables,
    );
    panel.onDidChangeViewState(() => this.noteVisibility(), undefined, this.disposables);
    panel.onDidDispose(() => this.dispose(), undefined, this.disposables);
    this.noteVisibility();
    showPage(webview, tools.extension.extensionUri, { name: 'webview', title: document.fileName });
  }

  dispose(): void {
    this.disposed = true;
    this.asks.dispose();
    this.document.setVisible(this, false);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  private noteVisibility(): void {
    const { visible } = this.panel;
    // A hidden page is discarded. What is posted to the next one before its script has run may be lost.
    this.ready &&= visible;
    this.document.setVisible(this, visible);
  }

  /**
   * Exports what is visible. Only the page knows the request and the options.
   * @returns false if there is no page yet
   */
  wantExport(form: ExportForm, target: vscode.Uri | undefined): boolean {
    if (!this.ready) {
      return false;
    }
    this.lastExport += 1;
    this.exportTargets.set(this.lastExport, target);
    this.post({ type: 'exportWanted', form, ask: this.lastExport });
    return true;
  }

  /** Shows a place as soon as there is a page with a session. */
  show(place: ShownPlace): void {
    if (this.ready) {
      this.post({ type: 'show', place });
    } else {
      this.wantedPlace = place;
    }
  }

  /** Has the page do what a command asks for. */
  run(task: PageTask): void {
    this.post({ type: 'task', task });
  }

  private receive(value: unknown): void {
    const read = readWebviewMessage(value);
    if (!read.ok) {
      const { line, message: answer } = refusal(read, this.document.fileName);
      this.tools.log.error(line);
      this.post(answer);
      return;
    }
    const { message } = read;
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.post({ type: 'pruneOptions', options: this.tools.configuration.pruneOptions() });
        this.post({ type: 'hiddenWaste', kinds: this.tools.configuration.hiddenWaste() });
        this.postColours();
        this.document.postAgain();
        if (this.wantedPlace !== undefined) {
          this.post({ type: 'show', place: this.wantedPlace });
          this.wantedPlace = undefined;
        }
        this.asks.postAgain();
        return;
      case 'question':
        postAnswer(
          message.id,
          () => this.answer(message.question),
          answer => this.post(answer),
          error => this.logged(message.question.name, error),
        );
        return;
      case 'act':
        this.act(message.act).catch((error: unknown) => {
          showMessage('error', this.logged(message.act.kind, error));
        });
        return;
      case 'ask':
        this.asks.handle(message.ask).catch((error: unknown) => {
          showMessage('error', this.logged(message.ask.kind, error));
        });
        return;
      default:
        assertNever(message);
    }
  }

  private answer(question: Question): unknown {
    return isForHost(question) ? answerTo(answers, this.tools, question) : this.document.passOn(question);
  }

  /** Writes an error to the log and returns it as a sentence. A transcript that was closed meanwhile is none. */
  private logged(what: string, error: unknown): string {
    const sentence = describeFileError(error);
    if (sentence !== transcriptClosed) {
      this.tools.log.error(`${what}: ${sentence}`);
    }
    return sentence;
  }

  private async act(act: WebviewAct): Promise<void> {
    switch (act.kind) {
      case 'revealSource':
        return revealSource(this.document, act.block);
      case 'openPath':
        return openPath(this.document, act.block, this.tools.configuration.sessionFolders());
      case 'openSubagent':
        return openSubagent(this.document, act.id);
      case 'openParent':
        return openParent(this.document);
      case 'savePruneOptions':
        return this.tools.configuration.savePruneOptions(act.options);
      case 'export': {
        const target = this.exportTargets.get(act.ask ?? 0);
        this.exportTargets.delete(act.ask ?? 0);
        return exportFile(this.document, act, target);
      }
      case 'openAsText':
        await vscode.commands.executeCommand('vscode.openWith', this.document.uri, 'default');
        return;
      case 'openAs': {
        const formats = this.document.otherFormats.map(({ id, name, fits }) => ({
          id,
          label: name,
          description: fits ? translate('The file looks like it') : '',
        }));
        const chosen = await pick(formats, translate('Open as'));
        if (chosen !== undefined) {
          this.document.openAs(chosen.id);
        }
        return;
      }
      case 'openExample':
        await vscode.commands.executeCommand(commandIds.openExample);
        return;
      case 'copyLink':
        return copyLink(this.tools.extension, this.document.uri, act);
      case 'chooseColours':
        return this.tools.memory.update(coloursKey, act.mode);
      case 'hideWaste':
        return this.tools.configuration.saveHiddenWaste(act.kinds);
      case 'step':
        return noteStep(act.step);
      case 'retry':
        this.document.open();
        return;
      case 'cancel':
        this.document.cancel();
        return;
      default:
        return assertNever(act);
    }
  }

  private postColours(): void {
    const mode = v.safeParse(v.picklist(colourModes), this.tools.memory.get(coloursKey));
    if (mode.success) {
      this.post({ type: 'colours', mode: mode.output });
    }
  }

  /** A page that is not ready yet gets everything once it is. */
  private post(message: ToWebviewMessage): void {
    if (this.ready && !this.disposed) {
      this.panel.webview
        .postMessage(message)
        .then(undefined, (error: unknown) => this.tools.log.error(describeFileError(error)));
    }
  }
}
