import * as vscode from 'vscode';
import type { SessionPlace } from '../core/sessions/agentLocations';

/** Between a change and its report: an agent at work writes all the time. */
const settleMilliseconds = 2000;
/** The list is made again at most once in so many times as long as it takes to make. */
const restFactor = 10;

/** Tells when sessions may have changed, as often as a list of them is worth making again, while the view is visible. */
export class SessionWatcher implements vscode.Disposable {
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly visibility: vscode.Disposable;
  private settling: NodeJS.Timeout | undefined;
  private wait = settleMilliseconds;
  private isStale = false;

  constructor(
    private readonly view: vscode.TreeView<unknown>,
    private readonly onChange: () => void,
  ) {
    this.visibility = view.onDidChangeVisibility(({ visible }) => {
      if (visible && this.isStale) {
        this.refresh();
      }
    });
  }

  /** @param took how long the list was in the making, in milliseconds */
  watch(places: readonly SessionPlace[], took: number): void {
    this.wait = Math.max(settleMilliseconds, restFactor * took);
    const wanted = new Map(places.map(place => [`${place.root}\0${place.pattern}`, place]));
    for (const [key, watcher] of this.watchers) {
      if (!wanted.has(key)) {
        watcher.dispose();
        this.watchers.delete(key);
      }
    }
    for (const [key, { root, pattern }] of wanted) {
      if (!this.watchers.has(key)) {
        this.watchers.set(key, this.watchPlace(root, pattern));
      }
    }
  }

  private watchPlace(root: string, pattern: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(root), pattern),
    );
    const settle = (): void => this.settle();
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(settle),
      watcher.onDidCreate(settle),
      watcher.onDidDelete(settle),
    );
  }

  /** Reports at once. */
  refresh(): void {
    clearTimeout(this.settling);
    this.settling = undefined;
    this.isStale = false;
    this.onChange();
  }

  dispose(): void {
    clearTimeout(this.settling);
    vscode.Disposable.from(this.visibility, ...this.watchers.values()).dispose();
  }

  private settle(): void {
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      if (this.view.visible) {
        this.refresh();
      } else {
        this.isStale = true;
      }
    }, this.wait);
  }
}
