import * as vscode from 'vscode';
import { type CompareTools, openComparison } from '../../app/compare/compareApp';
import type { Desk } from '../../app/desk';
import { pathOf } from '../../app/address';
import { translate } from '../../core/base/translate';
import { comparePageType } from '../manifest';
import type { TranscriptEditorProvider } from '../editor/transcriptEditorProvider';
import { showMessage } from '../messages/userMessages';
import { webviewSurface } from './webviewSurface';

interface ComparePagesTools extends CompareTools {
  readonly extensionUri: vscode.Uri;
  readonly provider: Pick<TranscriptEditorProvider, 'activeDocument'>;
  readonly desk: Desk;
}

/** Pages with two sessions side by side. */
export class ComparePages implements vscode.Disposable {
  private readonly panels = new Set<vscode.WebviewPanel>();

  constructor(private readonly tools: ComparePagesTools) {}

  dispose(): void {
    vscode.Disposable.from(...this.panels).dispose();
  }

  /**
   * Compares a session with one that the user chooses.
   * @param given the transcript; if undefined, the one in the focused editor
   * @param choose asks for a session other than the one with this path
   */
  async compareWith(
    given: vscode.Uri | undefined,
    choose: (path: string) => Promise<string | undefined>,
  ): Promise<void> {
    const address = given?.toString() ?? this.tools.provider.activeDocument?.address;
    if (address === undefined) {
      return;
    }
    const first = pathOf(address);
    if (first === undefined) {
      showMessage('warning', translate('Only transcripts on this machine can be compared.'));
      return;
    }
    const second = await choose(first);
    if (second !== undefined) {
      this.show(first, second);
    }
  }

  private show(first: string, second: string): void {
    const title = translate('Comparison');
    const panel = vscode.window.createWebviewPanel(comparePageType, title, vscode.ViewColumn.Active, {});
    this.panels.add(panel);
    panel.onDidDispose(() => this.panels.delete(panel));
    const { extensionUri, log, desk } = this.tools;
    const surface = webviewSurface(panel, { extensionUri, log, script: 'compare', title });
    openComparison(surface, desk, [first, second], this.tools);
  }
}
