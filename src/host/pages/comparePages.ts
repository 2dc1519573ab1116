import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import type { Comparison } from '../../core/compare/comparison';
import { withNamedMarks } from '../../core/sensitivity/redactionMark';
import type { StartThread } from '../../node/threads/bundleThread';
import { comparePage } from '../../protocol/comparePage';
import type { ReadingParams } from '../../protocol/sessionReading';
import { transcriptClosed } from '../threads/askedThread';
import type { Configuration } from '../settings/configuration';
import { comparePageType } from '../manifest';
import { plainText } from '../messages/plainText';
import { ReadingThread } from '../threads/readingThread';
import type { TranscriptEditorProvider } from '../editor/transcriptEditorProvider';
import { type Log, showMessage } from '../messages/userMessages';
import { WebviewPage } from './webviewPage';

interface CompareTools {
  readonly startWorker: StartThread;
  readonly extensionUri: vscode.Uri;
  readonly provider: TranscriptEditorProvider;
  readonly configuration: Configuration;
  readonly log: Log;
}

type Both = readonly [vscode.Uri, vscode.Uri];

/** The index of a request of each session in its main conversation; null for whole sessions. */
type ChosenRequests = ReadingParams<'compare'>['requests'];

/** Pages with two sessions side by side. */
export class ComparePages implements vscode.Disposable {
  private readonly panels = new Set<vscode.WebviewPanel>();

  constructor(private readonly tools: CompareTools) {}

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
    choose: (path: string) => Promise<vscode.Uri | undefined>,
  ): Promise<void> {
    const first = given ?? this.tools.provider.activeEditor?.document.uri;
    if (first === undefined) {
      return;
    }
    if (first.scheme !== 'file') {
      showMessage('warning', translate('Only transcripts on this machine can be compared.'));
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
    const { extensionUri, log, provider } = this.tools;
    const pair = new ComparedPair(sessions, this.tools);
    new WebviewPage(panel, {
      extensionUri,
      log,
      contract: comparePage,
      script: 'compare',
      title,
      onReady: () => undefined,
      answer: async ({ params }) => {
        const comparison = await pair.compare(params.requests);
        panel.title = comparison.sides.map(side => plainText(withNamedMarks(side.title))).join(' ↔ ');
        return comparison;
      },
      act: ({ side, place }) => provider.openAt(sessions[side], place),
      // The answer belongs to an earlier choice of requests.
      isExpected: sentence => sentence === transcriptClosed,
      onDispose: () => {
        this.panels.delete(panel);
        pair.dispose();
      },
    });
  }
}

/**
 * The comparisons of a pair of sessions: of the whole sessions, and of the requests chosen last. Each comparison is
 * read in a separate thread, which ends with the answer.
 */
class ComparedPair implements vscode.Disposable {
  private thread: ReadingThread | undefined;
  private whole: Promise<Comparison> | undefined;
  private chosen: { readonly key: string; readonly comparison: Promise<Comparison> } | undefined;

  constructor(
    private readonly sessions: Both,
    private readonly tools: Pick<CompareTools, 'startWorker' | 'configuration'>,
  ) {
    this.compareWhole().catch(() => undefined);
  }

  dispose(): void {
    this.thread?.end();
  }

  /** The comparison of other requests is cancelled. */
  async compare(requests: ChosenRequests): Promise<Comparison> {
    // The comparison of the whole sessions has the requests to choose from, so it is never cancelled.
    const whole = await this.compareWhole();
    if (requests === null) {
      return whole;
    }
    const key = requests.join(' ');
    if (this.chosen?.key !== key) {
      this.thread?.end();
      const comparison = this.read(requests);
      const chosen = { key, comparison };
      this.chosen = chosen;
      comparison.catch(() => {
        this.chosen = this.chosen === chosen ? undefined : this.chosen;
      });
    }
    return this.chosen.comparison;
  }

  private compareWhole(): Promise<Comparison> {
    this.whole ??= this.read(null).catch((error: unknown) => {
      this.whole = undefined;
      throw error;
    });
    return this.whole;
  }

  private read(requests: ChosenRequests): Promise<Comparison> {
    const { startWorker, configuration } = this.tools;
    const [first, second] = this.sessions;
    const thread = new ReadingThread(startWorker);
    this.thread = thread;
    const params = {
      paths: [first.fsPath, second.fsPath],
      requests,
      models: configuration.get('models'),
      limits: configuration.unpackLimits(),
    } as const;
    return thread.ask({ name: 'compare', params }).finally(() => thread.end());
  }
}
