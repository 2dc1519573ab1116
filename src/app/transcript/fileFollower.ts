import { isMissingFile } from '../../node/files/fileErrors';
import { type Address, pathInUri, withPath } from '../address';
import type { Files } from '../desk';
import type { Disposable } from '../emitter';

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
export class FileFollower implements Disposable {
  private readonly watcher: Disposable;
  private readonly poll: NodeJS.Timeout;
  private settling: NodeJS.Timeout | undefined;
  private isChecking = false;
  /** True if the file may have changed since the state that is being found out. */
  private isStale = false;
  private lastState: string | undefined;
  private isDisposed = false;

  constructor(
    private readonly address: Address,
    private readonly files: Files,
    private readonly listener: FileFollowerListener,
  ) {
    const path = pathInUri(address);
    const slash = path.lastIndexOf('/');
    this.watcher = files.watch(
      withPath(address, path.slice(0, slash)),
      escapeGlob(path.slice(slash + 1)),
      () => this.settle(),
    );
    this.poll = setInterval(() => {
      if (listener.isWatched()) {
        this.check();
      }
    }, pollMilliseconds);
  }

  /** Notes the state of the file directly before it is read, so that only later changes are reported. */
  async mark(): Promise<void> {
    this.isChecking = true;
    try {
      this.lastState = await this.state();
    } finally {
      this.endCheck();
    }
  }

  /** Checks the file now and reports a change since the last check. */
  check(): void {
    if (this.isDisposed) {
      return;
    }
    if (this.isChecking) {
      this.isStale = true;
      return;
    }
    this.isChecking = true;
    this.state()
      .then(
        state => this.note(state),
        () => undefined,
      )
      .finally(() => this.endCheck());
  }

  dispose(): void {
    this.isDisposed = true;
    clearInterval(this.poll);
    clearTimeout(this.settling);
    this.watcher.dispose();
  }

  private note(state: string | undefined): void {
    if (this.isDisposed || state === this.lastState) {
      return;
    }
    this.lastState = state;
    if (state === undefined) {
      this.listener.onDeleted();
    } else {
      this.listener.onChanged();
    }
  }

  private endCheck(): void {
    this.isChecking = false;
    if (this.isStale) {
      this.isStale = false;
      this.check();
    }
  }

  private settle(): void {
    this.settling ??= setTimeout(() => {
      this.settling = undefined;
      this.check();
    }, settleMilliseconds);
  }

  /** Changes with the file; undefined if it does not exist. Rejects if it cannot be accessed. */
  private async state(): Promise<string | undefined> {
    try {
      const { size, modified } = await this.files.stat(this.address);
      return `${size} ${modified}`;
    } catch (error) {
      if (isMissingFile(error)) {
        return undefined;
      }
      throw error;
    }
  }
}

/** Inside brackets, a character of a glob pattern has no special meaning. */
function escapeGlob(name: string): string {
  return name.replace(/[*?{}[\]]/g, '[$&]');
}
