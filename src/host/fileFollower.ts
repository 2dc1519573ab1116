import * as vscode from 'vscode';

/** Between a change and its report, so that a burst of appends is one change. */
const settleMilliseconds = 300;
/** Watchers miss changes on network drives and, in some environments, outside the workspace; asking now and then does not. */
const pollMilliseconds = 2000;

export interface FileFollowerListener {
  /** Whether anybody looks: only then the file is asked for its state now and then. */
  isWatched(): boolean;
  onChanged(): void;
  onDeleted(): void;
}

/** Tells when a file changes, shrinks, is replaced, disappears or comes back. */
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

  /** Notes the state of the file just before it is read: only later changes are reported. */
  async mark(): Promise<void> {
    this.checking = true;
    try {
      this.lastState = await this.state();
    } finally {
      this.checking = false;
    }
  }

  /** Looks at the file now; reports what changed since the last look. */
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

  /** Size and time of change; undefined when the file is not there. Rejects when it cannot be asked. */
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

/** In a glob pattern a character stands for itself inside brackets. */
function escapeGlob(name: string): string {
  return name.replace(/[*?{}[\]]/g, '[$&]');
}
