import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import { assertNever } from '../core/model/labels';
import type { StartThread } from '../node/bundleThread';
import { describeFileError } from '../node/fileErrors';
import { type FromComparePage, fromComparePage, type ToComparePage } from '../protocol/comparePage';
import { readMessage } from '../protocol/messages';
import { readingAnswers } from '../protocol/sessionReading';
import type { Configuration } from './configuration';
import { comparePageType } from './manifest';
import { plainText } from './plainText';
import { ReadingThread } from './readingThread';
import { refusal } from './refusal';
import type { TranscriptEditorProvider } from './transcriptEditorProvider';
import { type Log, showMessage } from './userMessages';
import { showPage } from './webviewPage';

interface CompareTools {
  readonly startWorker: StartThread;
  readonly extensionUri: vscode.Uri;
  readonly provider: TranscriptEditorProvider;
  readonly configuration: Configuration;
  readonly log: Log;
}

type Both = readonly [vscode.Uri, vscode.Uri];

/** The indices of a request of each in its main conversation; null for the whole sessions. */
type ChosenRequests = Extract<FromComparePage, { type: 'compare' }>['requests'];

/** Pages with two sessions side by side. Each pair is read in a thread of its own, which ends with the answer. */
export class ComparePages implements vscode.Disposable {
  private readonly panels = new Set<vscode.WebviewPanel>();

  constructor(private readonly tools: CompareTools) {}

  dispose(): void {
    vscode.Disposable.from(...this.panels).dispose();
  }

  /**
   * Compares a session with one that the user chooses.
   * @param given the transcript in the editor that has the focus where it is undefined
   * @param choose asks for another session than that with this path
   */
  async compareWith(
    given: vscode.Uri | undefined,
    choose: (path: string) => Promise<vscode.Uri | undefined>,
  ): Promise<void> {
    const first = given ?? this.tools.provider.activeEditor?.document.uri;
    if (first === undefined) {
      return;
    }
    if (first.scheme !== 'file') {
      showMessage('warning', translate('Only transcripts on a disk of this machine can be compared.'));
      return;
    }
    const second = await choose(first.fsPath);
    if (second !== undefined) {
      this.show([first, second]);
    }
  }

  private show(sessions: Both): void {
    const title = translate('Comparison');
    const panel = vscode.window.createWebviewPanel(comparePageType, title, vscode.ViewColumn.Active, {});
    this.panels.add(panel);
    const pair = new ComparedPair(
      (thread, requests) => this.compare(thread, sessions, requests),
      this.tools.startWorker,
    );
    panel.onDidDispose(() => {
      this.panels.delete(panel);
      pair.dispose();
    });
    const post = (message: ToComparePage): void => {
      if (this.panels.has(panel)) {
        if (message.type === 'comparison') {
          panel.title = message.comparison.sides.map(side => plainText(side.title)).join(' ↔ ');
        }
        panel.webview.postMessage(message).then(undefined, this.logError);
      }
    };
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const read = readMessage(fromComparePage, value);
      if (!read.ok) {
        this.tools.log.error(refusal(read, title).line);
        return;
      }
      this.act(read.message, sessions, pair, post).catch((error: unknown) => {
        this.logError(error);
        showMessage('error', describeFileError(error));
      });
    });
    showPage(panel.webview, this.tools.extensionUri, { name: 'compare', title });
  }

  private async compare(
    thread: ReadingThread,
    [first, second]: Both,
    requests: ChosenRequests,
  ): Promise<ToComparePage> {
    const { configuration } = this.tools;
    const order = {
      kind: 'compare',
      paths: [first.fsPath, second.fsPath],
      requests: requests ?? undefined,
      models: configuration.models(),
      limits: configuration.unpackLimits(),
    } as const;
    try {
      return { type: 'comparison', comparison: await thread.ask(order, readingAnswers.compare) };
    } catch (error) {
      return { type: 'failed', sentence: describeFileError(error) };
    }
  }

  private async act(
    message: FromComparePage,
    sessions: Both,
    pair: ComparedPair,
    post: (message: ToComparePage) => void,
  ): Promise<void> {
    switch (message.type) {
      case 'ready':
        for (const answer of pair.answers()) {
          post(await answer);
        }
        return;
      case 'compare': {
        const answer = await pair.choose(message.requests);
        if (answer !== undefined) {
          post(answer);
        }
        return;
      }
      case 'open':
        return this.tools.provider.openAt(sessions[message.side], message.place);
      default:
        return assertNever(message);
    }
  }

  private readonly logError = (error: unknown): void => this.tools.log.error(describeFileError(error));
}

/** What is known of a pair of sessions: they as a whole, and a request of each once that was asked for. */
class ComparedPair implements vscode.Disposable {
  private thread: ReadingThread | undefined;
  private readonly whole: Promise<ToComparePage>;
  private chosen: Promise<ToComparePage> | undefined;

  constructor(
    private readonly compare: (thread: ReadingThread, requests: ChosenRequests) => Promise<ToComparePage>,
    private readonly startWorker: StartThread,
  ) {
    this.whole = this.read(null);
  }

  dispose(): void {
    this.thread?.end();
  }

  /** For a page that begins anew. */
  answers(): readonly Promise<ToComparePage>[] {
    return this.chosen === undefined ? [this.whole] : [this.whole, this.chosen];
  }

  /** Undefined where something else was chosen meanwhile. */
  async choose(requests: ChosenRequests): Promise<ToComparePage | undefined> {
    // The first answer names the requests to choose from, so it is never given up.
    await this.whole;
    this.thread?.end();
    const answered = requests === null ? undefined : this.read(requests);
    this.chosen = answered;
    const answer = await (answered ?? this.whole);
    return this.chosen === answered ? answer : undefined;
  }

  private read(requests: ChosenRequests): Promise<ToComparePage> {
    const thread = new ReadingThread(this.startWorker, () => undefined);
    this.thread = thread;
    return this.compare(thread, requests).finally(() => thread.end());
  }
}
