import * as vscode from 'vscode';
import { pathOf } from '../../app/address';
import { stringAt } from '../../core/base/json';
import type { StartThread } from '../../node/threads/bundleThread';
import { indexFolder } from '../../node/index/indexFolder';
import { thisMachine } from '../../node/thisMachine';
import type { ToolAnswer } from '../../protocol/toolAnswer';
import type { TranscriptEditorProvider } from '../editor/transcriptEditorProvider';
import { workspacePaths } from '../links/workspacePaths';
import type { Configuration } from '../../app/settings/configuration';
import { ReadingThread } from '../../app/threads/readingThread';

/** The thread ends after this much idle time, in milliseconds. */
const idleMilliseconds = 60_000;

/** The tool that asks about all sessions. */
const searchTool = 'find_in_sessions';

export interface AnsweredQuestion extends ToolAnswer {
  /** The session that the answer is about; undefined if it is about none, or about several. */
  readonly uri: vscode.Uri | undefined;
}

/**
 * Asks the tools for agents in threads: that of the active editor, whose session is meant if no other is named, otherwise
 * one for the sessions of the workspace.
 */
export class SessionQuestions implements vscode.Disposable {
  private readonly started = Date.now();
  private thread: ReadingThread | undefined;
  private waiting = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly tools: {
      readonly startWorker: StartThread;
      readonly provider: Pick<TranscriptEditorProvider, 'activeDocument'>;
      readonly configuration: Configuration;
    },
  ) {}

  /** Rejects with one sentence. */
  async ask(name: string, params: unknown): Promise<AnsweredQuestion> {
    const { started } = this;
    const question = { name, params, folders: workspacePaths(), started };
    const document =
      name === searchTool || stringAt(params, 'session') !== undefined
        ? undefined
        : this.tools.provider.activeDocument;
    if (document === undefined) {
      const answer = await this.askThread(question);
      return { ...answer, uri: answer.path === undefined ? undefined : vscode.Uri.file(answer.path) };
    }
    await document.whenAtRest();
    const path = pathOf(document.address) ?? document.fileName;
    const answer = await document.ask({ name: 'contextTool', params: { ...question, path } });
    return { ...answer, uri: vscode.Uri.parse(document.address) };
  }

  dispose(): void {
    clearTimeout(this.idle);
    this.thread?.end();
  }

  private async askThread(question: {
    readonly name: string;
    readonly params: unknown;
    readonly folders: readonly string[];
    readonly started: number;
  }): Promise<ToolAnswer> {
    const { configuration } = this.tools;
    clearTimeout(this.idle);
    this.waiting += 1;
    this.thread ??= new ReadingThread(this.tools.startWorker, () => {
      this.thread = undefined;
    });
    try {
      return await this.thread.ask({
        name: 'contextTool',
        params: {
          ...question,
          added: configuration.get('sessions.folders'),
          allFolders: configuration.get('mcp.allFolders'),
          searches: configuration.get('index.enabled') && indexFolder(thisMachine()) !== undefined,
          models: configuration.get('models'),
          limits: configuration.unpackLimits(),
        },
      });
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) {
        this.idle = setTimeout(() => {
          this.thread?.end();
          this.thread = undefined;
        }, idleMilliseconds);
      }
    }
  }
}
