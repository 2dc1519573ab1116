import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { assertNever } from '../../core/model/labels';
import { thisMachine } from '../../node/thisMachine';
import {
  type IndexParams,
  type indexQuestions,
  indexDeleted,
  searchReplaced,
  type usageQuestions,
  type UsageResult,
  whatIfStopped,
} from '../../protocol/indexService';
import { type AnswersOf, answerTo, type ResultOf } from '../../protocol/rpc';
import { type UsageAct, usagePage, type UsagePart } from '../../protocol/usagePage';
import type { Configuration } from '../settings/configuration';
import { commandIds, usagePageType } from '../manifest';
import { showSaved } from '../editor/exportActs';
import { SessionIds } from '../sessions/sessionIds';
import type { SessionIndex } from '../sessions/sessionIndex';
import { settingId } from '../settings/settingsTable';
import type { TranscriptEditorProvider } from '../editor/transcriptEditorProvider';
import { type Log, registerCommand, showMessage } from '../messages/userMessages';
import { WebviewPage } from './webviewPage';
import { workspacePaths } from '../links/workspacePaths';

interface UsageTools {
  readonly extensionUri: vscode.Uri;
  readonly index: SessionIndex;
  readonly provider: TranscriptEditorProvider;
  readonly configuration: Configuration;
  readonly log: Log;
}

interface AnswerContext {
  readonly index: SessionIndex;
  readonly ids: SessionIds<{ readonly path: string }>;
}

const numbered = (
  sessions: ResultOf<typeof indexQuestions, 'bar'>['sessions'],
  ids: AnswerContext['ids'],
): UsageResult<'bar'>['sessions'] =>
  sessions.map(({ file, ...session }) =>
    file === undefined ? session : { ...session, file: ids.of({ path: file }) },
  );

/** The answers of the index, with numbers for the files. */
const answers: AnswersOf<typeof usageQuestions, AnswerContext> = {
  usage: ({ index }, params) => index.ask({ name: 'usage', params }),
  radar: ({ index }, params) => index.ask({ name: 'radar', params }),
  bar: async ({ index, ids }, params) => {
    const { sessions } = await index.ask({ name: 'bar', params });
    return { sessions: numbered(sessions, ids) };
  },
  quotas: async ({ index, ids }, params) => {
    const { windows } = await index.ask({ name: 'quotas', params });
    return {
      windows: windows.map(({ sessions, ...window }) => ({ ...window, sessions: numbered(sessions, ids) })),
    };
  },
  whatIf: async ({ index, ids }, params) => {
    const answer = await index.ask({ name: 'whatIf', params });
    return { ...answer, rows: answer.rows.map(row => ({ ...row, file: ids.of({ path: row.file }) })) };
  },
  search: async ({ index, ids }, params) => {
    const result = await index.ask({ name: 'search', params });
    return { ...result, hits: result.hits.map(hit => ({ ...hit, file: ids.of({ path: hit.file }) })) };
  },
};

const titles: Readonly<Record<UsagePart, string>> = {
  usage: translate('Usage'),
  whatIf: translate('What if'),
  search: translate('Search in all sessions'),
};

/** The page with the usage of all sessions, what-if, and the search in them. The index behind it is kept up to date only while the page is open. */
export class UsagePanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly index: SessionIndex;
  private readonly context: AnswerContext;
  private readonly disposables: readonly { dispose(): unknown }[];
  private panel: vscode.WebviewPanel | undefined;
  private page: WebviewPage<typeof usagePage> | undefined;
  /** The part that is shown once the page is ready; undefined for the one that was shown last. */
  private wanted: UsagePart | undefined;

  constructor(private readonly tools: UsageTools) {
    const { configuration, index } = tools;
    this.index = index;
    this.context = { index, ids: new SessionIds() };
    this.disposables = [
      this.index.onDidChange(state => this.page?.tell({ type: 'state', state })),
      this.index.onDidPrice(progress => this.page?.tell({ type: 'pricing', progress })),
      configuration.onDidChange('index.enabled', () => this.update()),
      configuration.onDidChange('models', () => this.update()),
      vscode.window.registerWebviewPanelSerializer(usagePageType, this),
      registerCommand(commandIds.usage, () => this.show('usage')),
      registerCommand(commandIds.whatIf, () => this.show('whatIf')),
      registerCommand(commandIds.searchAllSessions, () => this.show('search')),
      registerCommand(commandIds.deleteIndex, () => this.deleteIndex()),
    ];
  }

  dispose(): void {
    this.panel?.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  /** Called by VS Code for a page that was open when the window was closed. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.fill(panel);
    return Promise.resolve();
  }

  private show(part: UsagePart): void {
    if (this.panel === undefined) {
      const title = titles[part];
      this.fill(vscode.window.createWebviewPanel(usagePageType, title, vscode.ViewColumn.Active, {}));
    } else {
      this.panel.reveal();
      this.panel.title = titles[part];
    }
    // A hidden page is created again and reports when it is ready.
    if (this.page?.isReady === true) {
      this.page.tell({ type: 'turnTo', part });
    } else {
      this.wanted = part;
    }
  }

  private fill(panel: vscode.WebviewPanel): void {
    const { extensionUri, log } = this.tools;
    this.panel = panel;
    this.page = new WebviewPage(panel, {
      extensionUri,
      log,
      contract: usagePage,
      script: 'usage',
      title: translate('Usage'),
      onReady: () => this.tellAll(),
      answer: question => answerTo(answers, this.context, question),
      act: act => this.act(act),
      isExpected: sentence => [searchReplaced(), whatIfStopped(), indexDeleted()].includes(sentence),
      onVisible: visible => {
        if (visible) {
          this.update();
        }
      },
      onDispose: () => {
        this.panel = undefined;
        this.index.end();
      },
    });
    this.index.update();
  }

  private update(): void {
    if (this.panel !== undefined) {
      this.index.update();
    }
  }

  private tellAll(): void {
    if (this.wanted !== undefined) {
      this.page?.tell({ type: 'turnTo', part: this.wanted });
      this.wanted = undefined;
    }
    if (this.index.state !== undefined) {
      this.page?.tell({ type: 'state', state: this.index.state });
    }
  }

  private async act(act: UsageAct): Promise<void> {
    switch (act.kind) {
      case 'update':
        this.index.update();
        return;
      case 'stop':
        this.index.stop();
        return;
      case 'stopPricing':
        this.index.stopPricing();
        return;
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', settingId('index.enabled'));
        return;
      case 'openExample':
        await vscode.commands.executeCommand(commandIds.openExample);
        return;
      case 'turnTo':
        if (this.panel !== undefined) {
          this.panel.title = titles[act.part];
        }
        return;
      case 'export':
        return this.exportTable(act.period);
      case 'open': {
        const found = this.context.ids.file(act.file);
        return found && this.tools.provider.openAt(vscode.Uri.file(found.path), act.place);
      }
      default:
        return assertNever(act);
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
    showMessage('information', indexDeleted());
  }
}
