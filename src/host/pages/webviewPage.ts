import * as vscode from 'vscode';
import { currentTranslations } from '../../core/base/translate';
import { describeFileError } from '../../node/files/fileErrors';
import {
  type ActOf,
  type FromPage,
  type NewsOf,
  type PageContract,
  readMessage,
  refusalOf,
  type ToPage,
} from '../../protocol/page';
import { postAnswer, type QuestionOf } from '../../protocol/rpc';
import { type Log, showMessage } from '../messages/userMessages';
import { createNonce, webviewHtml } from './webviewHtml';

/** The functions behind a page. */
export interface PageTools<Contract extends PageContract> {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  readonly contract: Contract;
  /** The name of the page's script and style sheet. */
  readonly script: 'webview' | 'sessions' | 'usage' | 'compare';
  /** For people, in the page and in the log. */
  readonly title: string;
  /** Called when the page has started or restarted, to send its data. */
  onReady(): unknown;
  /** Rejects with one sentence, which the page shows. */
  answer(question: QuestionOf<Contract['questions']>): unknown;
  /** Rejects with one sentence, which a message shows. */
  act(act: ActOf<Contract>): unknown;
  /** True if a failure is expected and should not be logged. */
  isExpected?(sentence: string): boolean;
  /** The page was hidden or shown. */
  onVisible?(visible: boolean): void;
  onDispose?(): void;
}

/**
 * A page of the extension in a panel or a view. VS Code may discard and recreate the page at any time. Every message of the
 * page passes the gate; a refused one gets an answer and a line in the log.
 */
export class WebviewPage<Contract extends PageContract> {
  private hasBegun = false;
  /** True if the page had begun when it was hidden. */
  private mayBeKept = false;
  private isDisposed = false;

  constructor(
    readonly surface: vscode.WebviewPanel | vscode.WebviewView,
    private readonly tools: PageTools<Contract>,
  ) {
    const { webview } = surface;
    if ('iconPath' in surface) {
      // The text editor of a transcript has the icon of the file, and VS Code's own icon of a page is hard to see.
      const icon = (kind: 'light' | 'dark'): vscode.Uri =>
        vscode.Uri.joinPath(tools.extensionUri, 'media', `tab-${kind}.svg`);
      surface.iconPath = { light: icon('light'), dark: icon('dark') };
    }
    const subscriptions = [
      webview.onDidReceiveMessage((value: unknown) => this.receive(value)),
      'onDidChangeVisibility' in surface
        ? surface.onDidChangeVisibility(() => this.noteVisibility())
        : surface.onDidChangeViewState(() => this.noteVisibility()),
    ];
    surface.onDidDispose(() => {
      this.isDisposed = true;
      vscode.Disposable.from(...subscriptions).dispose();
      tools.onDispose?.();
    });
    this.fill();
  }

  /** True if the page can receive messages. */
  get isReady(): boolean {
    return this.hasBegun && !this.isDisposed;
  }

  /** Sends news to a page. A page that is not ready gets everything once it is. */
  tell(news: NewsOf<Contract>): void {
    this.post(news);
  }

  private fill(): void {
    const { extensionUri, script, title } = this.tools;
    const { webview } = this.surface;
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const address = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.html = webviewHtml({
      cspSource: webview.cspSource,
      nonce: createNonce(),
      scriptUri: address(`${script}.js`),
      styleUri: address(`${script}.css`),
      title,
      translations: currentTranslations(),
    });
  }

  private noteVisibility(): void {
    const { visible, webview } = this.surface;
    // A hidden page is discarded. Messages to the next one may be lost before its script runs.
    if (!visible) {
      this.mayBeKept ||= this.hasBegun;
      this.hasBegun = false;
    } else if (this.mayBeKept && !this.hasBegun) {
      // A page that was hidden for a moment only, as while an editor opens, is kept. It would never be ready again.
      this.mayBeKept = false;
      webview.postMessage({ type: 'called' }).then(undefined, () => undefined);
    }
    this.tools.onVisible?.(visible);
  }

  private receive(value: unknown): void {
    const { contract, title, log } = this.tools;
    const read = readMessage(contract, value);
    if (read.ok) {
      this.handle(read.message);
    } else {
      const { line, answer } = refusalOf(read, title);
      log.error(line);
      this.post(answer);
    }
  }

  private handle(message: FromPage<Contract>): void {
    switch (message.type) {
      case 'here':
        if (!this.hasBegun) {
          this.begin();
        }
        return;
      case 'ready':
        this.begin();
        return;
      case 'question': {
        const { id, question } = message;
        postAnswer(
          id,
          () => this.tools.answer(question),
          answer => this.post(answer),
          error => this.logged(question.name, error),
        );
        return;
      }
      case 'act':
        this.carryOut(message.act.kind, () => this.tools.act(message.act));
        return;
    }
  }

  private begin(): void {
    this.hasBegun = true;
    this.carryOut('ready', () => this.tools.onReady());
  }

  private carryOut(what: string, work: () => unknown): void {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => showMessage('error', this.logged(what, error)));
  }

  /** Writes an error to the log and returns it as a sentence. */
  private logged(what: PropertyKey, error: unknown): string {
    const sentence = describeFileError(error);
    if (!this.isDisposed && this.tools.isExpected?.(sentence) !== true) {
      this.tools.log.error(`${String(what)}: ${sentence}`);
    }
    return sentence;
  }

  private post(message: ToPage<Contract>): void {
    if (this.isReady) {
      this.surface.webview
        .postMessage(message)
        .then(undefined, (error: unknown) => this.tools.log.error(describeFileError(error)));
    }
  }
}
