import { pathToFileURL } from 'node:url';
import type { SessionPlace } from '../../core/finder/agentLocations';
import type { Files, Surface } from '../desk';
import { type Disposable, disposeAll } from '../emitter';

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
export class SessionWatcher implements Disposable {
  private readonly watchers = new Map<string, Disposable>();
  private readonly visibility: Disposable;
  private settling: NodeJS.Timeout | undefined;
  private polling: NodeJS.Timeout | undefined;
  private took = 0;
  private isStale = false;
  private isDisposed = false;

  constructor(
    private readonly surface: Surface,
    private readonly files: Files,
    private readonly list: WatchedList,
  ) {
    this.visibility = surface.onVisible(isVisible => {
      if (isVisible && this.isStale) {
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
          this.files.watch(pathToFileURL(root).href, pattern, () => this.settle()),
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
    disposeAll([this.visibility, ...this.watchers.values()]);
  }

  private settle(): void {
    this.settling ??= setTimeout(
      () => {
        this.settling = undefined;
        if (this.surface.isVisible) {
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
    if (this.surface.isVisible && (await this.list.hasChanged()) && !this.isDisposed) {
      this.refresh();
    }
  }
}
