import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import { assertNever } from '../core/model/labels';
import { thisMachine } from '../node/thisMachine';
import { describeFileError } from '../node/fileErrors';
import type { IndexParams } from '../protocol/indexService';
import { readMessage } from '../protocol/messages';
import { postAnswer } from '../protocol/sessionMessages';
import { type FromUsagePage, fromUsagePage, type ToUsagePage, type UsageDeed } from '../protocol/usagePage';
import type { Configuration } from './configuration';
import { commandIds, indexSetting, usagePageType } from './manifest';
import { showSaved } from './exportActs';
import { refusal } from './refusal';
import { SessionIds } from './sessionIds';
import type { SessionIndex } from './sessionIndex';
import type { TranscriptEditorProvider } from './transcriptEditorProvider';
import { type Log, registerCommand, showMessage } from './userMessages';
import { showPage } from './webviewPage';
import { workspacePaths } from './workspacePaths';

type UsageQuestion = Extract<FromUsagePage, { type: 'question' }>['question'];

interface UsageTools {
  readonly extensionUri: vscode.Uri;
  readonly index: SessionIndex;
  readonly provider: TranscriptEditorProvider;
  readonly configuration: Configuration;
  readonly log: Log;
}

/** The page with the usage of all sessions. The index behind it is kept up to date only while the page is open. */
export class UsagePanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly index: SessionIndex;
  private readonly ids = new SessionIds<{ readonly path: string }>();
  private readonly disposables: readonly { dispose(): unknown }[];
  private panel: vscode.WebviewPanel | undefined;
  /** Whether the search field gets the focus when the page is there. */
  private wantsSearch = false;

  constructor(private readonly tools: UsageTools) {
    const { configuration, index } = tools;
    this.index = index;
    this.disposables = [
      this.index.onDidChange(state => this.post({ type: 'state', state })),
      configuration.onDidChangeIndex(() => this.update()),
      configuration.onDidChangeModels(() => this.update()),
      vscode.window.registerWebviewPanelSerializer(usagePageType, this),
      registerCommand(commandIds.usage, () => this.show()),
      registerCommand(commandIds.searchAllSessions, () => this.search()),
      registerCommand(commandIds.deleteIndex, () => this.deleteIndex()),
    ];
  }

  dispose(): void {
    this.panel?.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** VS Code shows the page again that was open when the window was closed. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel);
    return Promise.resolve();
  }

  private show(): void {
    if (this.panel !== undefined) {
      this.panel.reveal();
      return;
    }
    this.fill(
      vscode.window.createWebviewPanel(usagePageType, translate('Usage'), vscode.ViewColumn.Active, {}),
    );
  }

  private search(): void {
    // A page that is not shown is made again, and says when it is ready.
    this.wantsSearch = this.panel?.visible !== true;
    this.show();
    this.post({ type: 'search' });
  }

  private fill(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.index.end();
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) {
        this.update();
      }
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    showPage(panel.webview, this.tools.extensionUri, { name: 'usage', title: translate('Usage') });
    this.index.update();
  }

  private update(): void {
    if (this.panel !== undefined) {
      this.index.update();
    }
  }

  private receive(value: unknown): void {
    const { log } = this.tools;
    const read = readMessage(fromUsagePage, value);
    if (!read.ok) {
      log.error(refusal(read, translate('Usage')).line);
      return;
    }
    this.act(read.message).catch((error: unknown) => {
      const sentence = describeFileError(error);
      log.error(`${read.message.type}: ${sentence}`);
      showMessage('error', sentence);
    });
  }

  private async act(message: FromUsagePage): Promise<void> {
    switch (message.type) {
      case 'ready':
        if (this.wantsSearch) {
          this.wantsSearch = false;
          this.post({ type: 'search' });
        }
        if (this.index.state !== undefined) {
          this.post({ type: 'state', state: this.index.state });
        }
        return;
      case 'question': {
        postAnswer(
          message.id,
          () => this.answer(message.question),
          answer => this.post(answer),
          describeFileError,
        );
        return;
      }
      case 'export':
        return this.exportTable(message.period);
      case 'deed':
        return this.do(message.deed);
      case 'open': {
        const found = this.ids.file(message.file);
        return found && this.tools.provider.openAt(vscode.Uri.file(found.path), message.place);
      }
      default:
        return assertNever(message);
    }
  }

  private async do(deed: UsageDeed): Promise<void> {
    switch (deed) {
      case 'update':
        this.index.update();
        return;
      case 'stop':
        this.index.stop();
        return;
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', indexSetting);
        return;
      case 'openExample':
        await vscode.commands.executeCommand(commandIds.openExample);
        return;
      default:
        assertNever(deed);
    }
  }

  /** The result as the page gets it: with numbers for the files. */
  private async answer(question: UsageQuestion): Promise<unknown> {
    switch (question.name) {
      case 'usage':
        return this.index.ask(question);
      case 'bar': {
        const { sessions } = await this.index.ask(question);
        return {
          sessions: sessions.map(({ file, ...session }) =>
            file === undefined ? session : { ...session, file: this.ids.of({ path: file }) },
          ),
        };
      }
      case 'search': {
        const result = await this.index.ask(question);
        return {
          ...result,
          hits: result.hits.map(hit => ({ ...hit, file: this.ids.of({ path: hit.file }) })),
        };
      }
      default:
        return assertNever(question);
    }
  }

  private async exportTable(period: IndexParams<'usage'>): Promise<void> {
    const [folder = thisMachine().home] = workspacePaths();
    const target = await vscode.window.showSaveDialog({
      title: translate('Export'),
      defaultUri: vscode.Uri.joinPath(vscode.Uri.file(folder), 'usage.csv'),
      filters: { CSV: ['csv'], JSON: ['json'] },
    });
    if (target !== undefined) {
      const form = target.path.toLowerCase().endsWith('.json') ? 'json' : 'csv';
      const text = await this.index.ask({ name: 'table', params: { ...period, form } });
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
      showSaved(target, translate('The export was saved.'));
    }
  }

  private async deleteIndex(): Promise<void> {
    await this.index.delete();
    showMessage('information', translate('The index over all sessions was deleted.'));
  }

  private post(message: ToUsagePage): void {
    this.panel?.webview
      .postMessage(message)
      .then(undefined, (error: unknown) => this.tools.log.error(describeFileError(error)));
  }
}
