import * as vscode from 'vscode';
import type { SessionPlace } from '../../core/finder/agentLocations';

/** Delay between a change and its report, because a working agent writes constantly. */
const settleMilliseconds = 2000;
/** Watchers miss changes on network drives and, in some environments, outside the workspace, so files are also polled. */
const pollMilliseconds = 5000;
/** The pause between two updates of the list, as a multiple of the time that an update takes. */
const restFactor = 10;

/** A list to keep up to date. */
export interface WatchedList {
  /** True if files have changed since the list was made. Never rejects. */
  hasChanged(): Promise<boolean>;
  /** Updates the list. */
  refresh(): void;
}

/** Updates the list when sessions may have changed, at most as often as is reasonable, and only while the view is visible. */
export class SessionWatcher implements vscode.Disposable {
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly visibility: vscode.Disposable;
  private settling: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;
  private took = 0;
  private isStale = false;
  private isDisposed = false;

  constructor(
    private readonly view: vscode.WebviewView,
    private readonly list: WatchedList,
  ) {
    this.visibility = view.onDidChangeVisibility(() => {
      if (view.visible && this.isStale) {
        this.refresh();
      }
    });
  }

  /** @param took the time for making the list, in milliseconds */
  watch(places: readonly SessionPlace[], took: number): void {
    this.took = took;
    this.poll();
    const wanted = new Map(places.map(place => [`${place.root}\0${place.pattern}`, place]));
    for (const [key, watcher] of this.watchers) {
      if (!wanted.has(key)) {
        watcher.dispose();
        this.watchers.delete(key);
      }
    }
    for (const [key, { root, pattern }] of wanted) {
      if (!this.watchers.has(key)) {
        this.watchers.set(
          key,
          watchPlace(root, pattern, () => this.settle()),
        );
      }
    }
  }

  /** Updates the list at once. */
  refresh(): void {
    clearTimeout(this.settling);
    this.settling = undefined;
    this.isStale = false;
    this.list.refresh();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.settling);
    clearTimeout(this.polling);
    vscode.Disposable.from(this.visibility, ...this.watchers.values()).dispose();
  }

  private settle(): void {
    this.settling ??= setTimeout(
      () => {
        this.settling = undefined;
        if (this.view.visible) {
          this.refresh();
        } else {
          this.isStale = true;
        }
      },
      Math.max(settleMilliseconds, restFactor * this.took),
    );
  }

  private poll(): void {
    this.polling ??= setTimeout(
      () => {
        this.look().then(
          () => {
            this.polling = undefined;
            if (!this.isDisposed) {
              this.poll();
            }
          },
          () => undefined,
        );
      },
      Math.max(pollMilliseconds, restFactor * this.took),
    );
  }

  private async look(): Promise<void> {
    if (this.view.visible && (await this.list.hasChanged()) && !this.isDisposed) {
      this.refresh();
    }
  }
}

/** The places to watch, in the order of the calls. */
const waiting: (() => void)[] = [];

/**
 * Creates one watcher in each turn of the extension host: many agents have places, and VS Code takes about a
 * millisecond for each.
 */
function watchNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(watchNext);
  }
}

/**
 * Reports each file of a place that is created, written or deleted, as far as VS Code sees it. Starts after a short
 * delay.
 */
export function watchPlace(
  root: string,
  pattern: string,
  onChanged: (uri: vscode.Uri) => void,
): vscode.Disposable {
  const disposables: vscode.Disposable[] = [];
  let isDisposed = false;
  waiting.push(() => {
    if (!isDisposed) {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(root), pattern),
      );
      disposables.push(
        watcher,
        watcher.onDidChange(onChanged),
        watcher.onDidCreate(onChanged),
        watcher.onDidDelete(onChanged),
      );
    }
  });
  if (waiting.length === 1) {
    setImmediate(watchNext);
  }
  return new vscode.Disposable(() => {
    isDisposed = true;
    vscode.Disposable.from(...disposables).dispose();
  });
}
