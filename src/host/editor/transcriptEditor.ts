import * as v from 'valibot';
import * as vscode from 'vscode';
import { colourModes } from '../../core/drawing/palette';
import type { ExportForm } from '../../core/model/exportForm';
import { assertNever } from '../../core/model/labels';
import { translate } from '../../core/base/translate';
import type { StartThread } from '../../node/threads/bundleThread';
import { type InspectorAct, inspectorPage, type PageTask } from '../../protocol/inspectorPage';
import { hostQuestions } from '../../protocol/questions';
import { type AnswersOf, answerTo, isQuestion } from '../../protocol/rpc';
import type { ShownPlace } from '../../protocol/shownPlace';
import type { WorkerStart } from '../../protocol/workerMessages';
import { transcriptClosed } from '../threads/askedThread';
import type { AskService } from '../asking/askService';
import type { AskSession } from '../asking/askSession';
import type { Configuration } from '../settings/configuration';
import { exportFile } from './exportActs';
import { handOffSession } from './handOffActs';
import { type ThisExtension, noteStep } from '../firstMinute';
import { copyLink } from '../links/linkActs';
import { commandIds } from '../manifest';
import { openParent, openPath, openSubagent, revealSource } from './transcriptActs';
import type { TranscriptDocument } from './transcriptDocument';
import { type Log, pick } from '../messages/userMessages';
import { WebviewPage } from '../pages/webviewPage';

export interface EditorTools {
  readonly extension: ThisExtension;
  readonly startWorker: StartThread;
  readonly workerStart: WorkerStart | undefined;
  readonly configuration: Configuration;
  readonly askService: AskService;
  readonly log: Log;
  /** The state remembered across files. */
  readonly memory: vscode.Memento;
}

const coloursKey = 'colours';
/** True once the list of findings has been open. */
export const lookedKey = 'looked';

/** The answers to page questions that the host answers itself. */
const answers: AnswersOf<typeof hostQuestions, EditorTools> = {
  askOffer: ({ askService }) => askService.offer(),
};

/** One panel that shows a transcript. VS Code may discard and recreate its page at any time; a new page asks for everything. */
export class TranscriptEditor {
  private readonly page: WebviewPage<typeof inspectorPage>;
  private readonly subscriptions: readonly vscode.Disposable[];
  /** The targets of exports that commands requested from the page, by request number. */
  private readonly exportTargets = new Map<number, vscode.Uri | undefined>();
  private lastExport = 0;
  private wantedPlace: ShownPlace | undefined;
  private readonly asks: AskSession;

  constructor(
    readonly document: TranscriptDocument,
    private readonly panel: vscode.WebviewPanel,
    private readonly tools: EditorTools,
  ) {
    const { configuration, extension, log } = tools;
    this.asks = tools.askService.sessionOf(document, news => this.page.tell({ type: 'ask', news }));
    this.page = new WebviewPage(panel, {
      extensionUri: extension.extensionUri,
      log,
      contract: inspectorPage,
      script: 'webview',
      title: document.fileName,
      onReady: () => this.tellAll(),
      answer: question =>
        isQuestion(hostQuestions, question) ? answerTo(answers, tools, question) : document.passOn(question),
      act: act => this.act(act),
      isExpected: sentence => sentence === transcriptClosed,
      onVisible: visible => document.setVisible(this, visible),
      onDispose: () => this.dispose(),
    });
    this.subscriptions = [
      document.onDidPost(message => this.page.tell(message)),
      configuration.onDidChange('prune', () => this.tellPruneOptions()),
      configuration.onDidChange('hiddenWaste', () => this.tellHiddenWaste()),
    ];
    document.setVisible(this, panel.visible);
  }

  /** Sets the title of the tab. Undefined leaves the name to VS Code. VS Code before 1.110 shows the file's name always. */
  nameTab(title: string | undefined): void {
    if (title !== undefined && title !== this.panel.title) {
      this.panel.title = title;
    }
  }

  private dispose(): void {
    this.asks.dispose();
    this.document.setVisible(this, false);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /**
   * Exports the visible content. Only the page knows the request and the options.
   * @returns false if there is no page yet
   */
  wantExport(form: ExportForm, target: vscode.Uri | undefined): boolean {
    if (!this.page.isReady) {
      return false;
    }
    this.lastExport += 1;
    this.exportTargets.set(this.lastExport, target);
    this.page.tell({ type: 'exportWanted', form, ask: this.lastExport });
    return true;
  }

  /** Shows a place as soon as there is a page with a session. */
  show(place: ShownPlace): void {
    if (this.page.isReady) {
      this.page.tell({ type: 'show', place });
    } else {
      this.wantedPlace = place;
    }
  }

  /** Tells the page to run a command's task. */
  run(task: PageTask): void {
    this.page.tell({ type: 'task', task });
  }

  private tellPruneOptions(): void {
    this.page.tell({ type: 'pruneOptions', options: this.tools.configuration.pruneOptions() });
  }

  private tellHiddenWaste(): void {
    this.page.tell({ type: 'hiddenWaste', kinds: this.tools.configuration.get('hiddenWaste') });
  }

  /** Sends everything to a page that has started. */
  private tellAll(): void {
    const { memory } = this.tools;
    this.tellPruneOptions();
    this.tellHiddenWaste();
    const mode = v.safeParse(v.picklist(colourModes), memory.get(coloursKey));
    if (mode.success) {
      this.page.tell({ type: 'colours', mode: mode.output });
    }
    if (memory.get(lookedKey) !== true) {
      this.page.tell({ type: 'neverLooked' });
    }
    this.document.postAgain();
    if (this.wantedPlace !== undefined) {
      this.page.tell({ type: 'show', place: this.wantedPlace });
      this.wantedPlace = undefined;
    }
    this.asks.postAgain();
  }

  private async act(act: InspectorAct): Promise<void> {
    switch (act.kind) {
      case 'revealSource':
        return revealSource(this.document, act.block);
      case 'openPath':
        return openPath(this.document, act.block, this.tools.configuration.get('sessions.folders'));
      case 'openSubagent':
        return openSubagent(this.document, act.id);
      case 'openParent':
        return openParent(this.document);
      case 'savePruneOptions':
        return this.tools.configuration.savePruneOptions(act.options);
      case 'export': {
        const { ask = 0 } = act;
        if (act.ask !== undefined && !this.exportTargets.has(ask)) {
          throw new Error(translate('The extension refused an invalid message from this page.'));
        }
        const target = this.exportTargets.get(ask);
        this.exportTargets.delete(ask);
        return exportFile(this.document, act, target);
      }
      case 'handOff':
        return handOffSession(this.document, act);
      case 'openAsText':
        await vscode.commands.executeCommand('vscode.openWith', this.document.uri, 'default');
        return;
      case 'openAs': {
        const formats = this.document.otherFormats.map(({ id, name, fits }) => ({
          id,
          label: name,
          description: fits ? translate('Likely match') : '',
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
      case 'looked':
        return this.tools.memory.update(lookedKey, true);
      case 'step':
        return noteStep(act.step);
      case 'askModel':
        return this.asks.handle(act.ask);
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
}
