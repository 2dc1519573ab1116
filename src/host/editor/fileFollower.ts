import * as vscode from 'vscode';

/** Delay between a change and its report, so that a burst of appends is one change. */
const settleMilliseconds = 300;
/** Watchers miss changes on network drives and, in some environments, outside the workspace, so files are also polled. */
const pollMilliseconds = 1500;

export interface FileFollowerListener {
  /** True if an editor is visible. The file is polled only then. */
  isWatched(): boolean;
  onChanged(): void;
  onDeleted(): void;
}

/** Reports when a file changes, shrinks, is replaced, disappears or comes back. */
export class FileFollower implements vscode.Disposable {
  private readonly disposables: vscode.Disposable[] = [];
  private readonly poll: NodeJS.Timeout;
  private settling: NodeJS.Timeout | undefined;
  private checking = false;
  private lastState: string | undefined;
  private disposed = false;

  constructor(
    private readonly uri: vscode.Uri,
    private readonly listener: FileFollowerListener,
  ) {
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), escapeGlob(baseName(uri))),
    );
    this.disposables.push(watcher);
    const settle = (): void => this.settle();
    watcher.onDidChange(settle, undefined, this.disposables);
    watcher.onDidCreate(settle, undefined, this.disposables);
    watcher.onDidDelete(settle, undefined, this.disposables);
    this.poll = setInterval(() => {
      if (listener.isWatched()) {
        this.check();
      }
    }, pollMilliseconds);
  }

  /** Notes the state of the file directly before it is read, so that only later changes are reported. */
  async mark(): Promise<void> {
    this.checking = true;
    try {
      this.lastState = await this.state();
    } finally {
      this.checking = false;
    }
  }

  /** Checks the file now and reports a change since the last check. */
  check(): void {
    if (this.checking || this.disposed) {
      return;
    }
    this.checking = true;
    this.state().then(
      state => {
        this.checking = false;
        if (this.disposed || state === this.lastState) {
          return;
        }
        this.lastState = state;
        if (state === undefined) {
          this.listener.onDeleted();
        } else {
          this.listener.onChanged();
        }
      },
      () => {
        this.checking = false;
      },
    );
  }

  dispose(): void {
    this.disposed = true;
    clearInterval(this.poll);
    clearTimeout(this.settling);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private settle(): void {
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      this.check();
    }, settleMilliseconds);
  }

  /** Size and time of the last change; undefined if the file does not exist. Rejects if it cannot be accessed. */
  private async state(): Promise<string | undefined> {
    try {
      const { size, mtime } = await vscode.workspace.fs.stat(this.uri);
      return `${size} ${mtime}`;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
        return undefined;
      }
      throw error;
    }
  }
}

export function baseName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** Inside brackets, a character of a glob pattern has no special meaning. */
function escapeGlob(name: string): string {
  return name.replace(/[*?{}[\]]/g, '[$&]');
}
