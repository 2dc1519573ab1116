import * as vscode from 'vscode';
import type { Desk, Log } from '../../app/desk';
import { type UsageApp, type UsagePage, usageTitles } from '../../app/usage/usageApp';
import { translate } from '../../core/base/translate';
import type { UsagePart } from '../../protocol/usageParts';
import { commandIds, usagePageType } from '../manifest';
import { registerCommand } from '../messages/userMessages';
import { webviewSurface } from './webviewSurface';

interface UsagePanelTools {
  readonly extensionUri: vscode.Uri;
  readonly usage: UsageApp;
  readonly desk: Desk;
  readonly log: Log;
}

/** The panel with the usage of all sessions. There is one at most. */
export class UsagePanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly disposables: readonly vscode.Disposable[];
  private opened: { readonly panel: vscode.WebviewPanel; readonly page: UsagePage } | undefined;

  constructor(private readonly tools: UsagePanelTools) {
    const { usage, desk } = tools;
    this.disposables = [
      vscode.window.registerWebviewPanelSerializer(usagePageType, this),
      registerCommand(commandIds.usage, () => this.show('usage')),
      registerCommand(commandIds.whatIf, () => this.show('whatIf')),
      registerCommand(commandIds.searchAllSessions, () => this.show('search')),
      registerCommand(commandIds.deleteIndex, () => usage.deleteIndex(desk)),
    ];
  }

  dispose(): void {
    this.opened?.panel.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Called by VS Code for a page that was open when the window was closed. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel, undefined);
    return Promise.resolve();
  }

  private show(part: UsagePart): void {
    if (this.opened === undefined) {
      const title = usageTitles[part];
      this.fill(vscode.window.createWebviewPanel(usagePageType, title, vscode.ViewColumn.Active, {}), part);
    } else {
      this.opened.panel.reveal();
      this.opened.page.show(part);
    }
  }

  private fill(panel: vscode.WebviewPanel, part: UsagePart | undefined): void {
    const { extensionUri, usage, desk, log } = this.tools;
    const surface = webviewSurface(panel, { extensionUri, log, script: 'usage', title: translate('Usage') });
    this.opened = { panel, page: usage.open(surface, desk, part) };
    panel.onDidDispose(() => {
      this.opened = undefined;
    });
  }
}
