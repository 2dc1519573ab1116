import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import type { CacheBreakCause } from '../../core/cache/cacheFinding';
import { causeWords } from '../../core/cache/causeWords';
import { sessionPlaces } from '../../core/finder/agentLocations';
import { requestNumber } from '../../core/view/requestNames';
import { liveMilliseconds } from '../../core/model/sessionTimes';
import type { StartThread } from '../../node/threads/bundleThread';
import { describeFileError } from '../../node/files/fileErrors';
import { newestSession } from '../../node/sessions/findSession';
import { thisMachine } from '../../node/thisMachine';
import { type LiveStatus } from '../../protocol/sessionReading';
import { pathOf } from '../../app/address';
import type { Surroundings } from '../../app/desk';
import { type Disposable, disposeAll } from '../../app/emitter';
import type { Configuration } from '../../app/settings/configuration';
import { ReadingThread } from '../../app/threads/readingThread';
import { FileFollower } from '../../app/transcript/fileFollower';
import { liveText } from './liveText';
import { commandIds } from '../manifest';
import type { TranscriptEditorProvider } from '../editor/transcriptEditorProvider';
import { registerCommand, showMessage, StatusEntry } from '../messages/userMessages';
import { workspacePaths } from '../links/workspacePaths';

/** Maximum age of the last write for a session to be shown, in milliseconds. Caches live at most an hour. */
const longestPause = 60 * 60_000;
/** Delay between a change and the next search for sessions, in milliseconds. */
const settleMilliseconds = 3000;
/**
 * Interval of searches while the window is used, in milliseconds, because watchers miss folders that are created later.
 */
const pollMilliseconds = 60_000;
/** The pause between two searches: a multiple of the time of a search, and the maximum in milliseconds. */
const restFactor = 10;
const longestRest = 20_000;
/** The same between two readings. An agent writes many lines a second, and they should be shown within two seconds. */
const readingRestFactor = 2;
const longestReadingRest = 1000;

/** The key of the flag that the user has opened a live session once. */
const begunKey = 'live.begun';

/** Causes that a user can avoid by behaviour or setup. */
const avoidable: ReadonlySet<CacheBreakCause> = new Set([
  'modelChanged',
  'settingsChanged',
  'lifetimeExpired',
  'toolsAdded',
  'toolsRemoved',
  'toolsChanged',
  'toolsReordered',
  'systemChanged',
  'volatileValue',
]);

interface LiveTools {
  readonly startWorker: StartThread;
  readonly provider: TranscriptEditorProvider;
  readonly configuration: Configuration;
  readonly surroundings: Surroundings;
}

/** Shows the newest live session of the workspace in the status bar. While it is off, nothing is searched or opened. */
export class LiveStatusBar implements vscode.Disposable {
  private readonly disposables: readonly Disposable[];
  private watch: LiveWatch | undefined;

  constructor(private readonly tools: LiveTools) {
    const { configuration, provider, surroundings } = tools;
    const update = (): void => this.update();
    this.disposables = [
      configuration.onDidChange('live', update),
      surroundings.onDidChangeFolders(() => {
        this.stop();
        this.update();
      }),
      provider.onDidChange(() => this.noteOpened()),
      registerCommand(commandIds.openLive, () => this.openNewest()),
    ];
    this.update();
  }

  dispose(): void {
    this.stop();
    disposeAll(this.disposables);
  }

  private get mode(): 'on' | 'waiting' | 'off' {
    const { configuration, surroundings } = this.tools;
    switch (configuration.get('live.statusBar')) {
      case 'always':
        return 'on';
      case 'never':
        return 'off';
      case 'afterFirstUse':
        return surroundings.memory.get(begunKey) === true ? 'on' : 'waiting';
    }
  }

  private update(): void {
    if (this.mode !== 'on') {
      this.stop();
    } else {
      this.watch ??= new LiveWatch(this.tools);
    }
  }

  private stop(): void {
    this.watch?.dispose();
    this.watch = undefined;
  }

  /**
   * The first live session that the user opens turns the entry on. A session that no watcher has reported is searched.
   */
  private noteOpened(): void {
    const { mode, watch } = this;
    const { files, memory } = this.tools.surroundings;
    const shown = this.tools.provider.openDocuments.find(({ state, address }) => {
      const path = pathOf(address);
      return state.kind === 'shown' && path !== undefined && path !== watch?.path;
    });
    if (shown === undefined || mode === 'off') {
      return;
    }
    files.stat(shown.address).then(
      ({ modified }) => {
        if (Date.now() - modified >= liveMilliseconds) {
          return;
        }
        if (this.mode === 'waiting') {
          memory.update(begunKey, true).then(
            () => this.update(),
            () => undefined,
          );
        } else {
          this.watch?.lookSoon();
        }
      },
      () => undefined,
    );
  }

  private async openNewest(): Promise<void> {
    const path = this.watch?.path ?? (await findNewest(this.tools.configuration))?.file.path;
    if (path === undefined) {
      showMessage('information', translate('No agent sessions in this workspace.'));
      return;
    }
    const request = this.watch?.newestRequest;
    await this.tools.provider.openAt(
      vscode.Uri.file(path),
      request === undefined ? {} : { conversation: 0, request },
    );
  }
}

function findNewest(configuration: Configuration) {
  const folders = workspacePaths();
  return folders.length === 0
    ? Promise.resolve(undefined)
    : newestSession(folders, configuration.get('sessions.folders'));
}

/** Finds the newest session, follows it, and shows it. */
class LiveWatch implements vscode.Disposable {
  private readonly entry = new StatusEntry('live', translate('Live session'), commandIds.openLive);
  private thread: ReadingThread | undefined;
  private readonly places: readonly Disposable[];
  private follower: FileFollower | undefined;
  private followed: string | undefined;
  private status: LiveStatus | undefined;
  private readonly polling: NodeJS.Timeout;
  private looking: NodeJS.Timeout | undefined;
  private resting: NodeJS.Timeout | undefined;
  private ticking: NodeJS.Timeout | undefined;
  private isReading = false;
  private isStale = false;
  private isDisposed = false;
  private took = 0;
  /** The last request with a cache loss that the user was told about; undefined before the session was read. */
  private knownLoss: number | undefined;

  constructor(private readonly tools: LiveTools) {
    const folders = workspacePaths();
    const places = sessionPlaces(thisMachine(), folders, tools.configuration.get('sessions.folders'));
    const { files } = tools.surroundings;
    this.places = places.map(({ root, pattern }) =>
      files.watch(vscode.Uri.file(root).toString(), pattern, file => {
        if (pathOf(file) !== this.followed) {
          this.lookSoon();
        }
      }),
    );
    this.polling = setInterval(() => {
      if (vscode.window.state.focused) {
        this.lookSoon();
      }
    }, pollMilliseconds);
    this.look();
  }

  /** The file of the shown session. */
  get path(): string | undefined {
    return this.followed;
  }

  /** The index of its newest request in the main conversation. */
  get newestRequest(): number | undefined {
    return this.status === undefined || this.status.requests === 0 ? undefined : this.status.requests - 1;
  }

  dispose(): void {
    this.isDisposed = true;
    clearInterval(this.polling);
    clearTimeout(this.looking);
    clearTimeout(this.resting);
    clearTimeout(this.ticking);
    this.follower?.dispose();
    disposeAll(this.places);
    this.thread?.end();
    this.entry.dispose();
  }

  /** Looks for a newer session in a moment. */
  lookSoon(): void {
    this.looking ??= setTimeout(
      () => {
        this.looking = undefined;
        this.look();
      },
      Math.min(longestRest, Math.max(settleMilliseconds, restFactor * this.took)),
    );
  }

  private look(): void {
    const began = Date.now();
    findNewest(this.tools.configuration).then(
      newest => {
        this.took = Date.now() - began;
        if (!this.isDisposed) {
          this.follow(
            newest !== undefined && began - newest.file.modified < longestPause
              ? newest.file.path
              : undefined,
          );
        }
      },
      (error: unknown) => this.tools.surroundings.log.error(describeFileError(error)),
    );
  }

  private follow(path: string | undefined): void {
    if (path === this.followed) {
      return;
    }
    this.follower?.dispose();
    this.followed = path;
    this.status = undefined;
    this.knownLoss = undefined;
    if (path === undefined) {
      this.follower = undefined;
      this.show();
      return;
    }
    this.follower = new FileFollower(vscode.Uri.file(path).toString(), this.tools.surroundings.files, {
      isWatched: () => true,
      onChanged: () => this.read(),
      onDeleted: () => this.look(),
    });
    this.follower.mark().then(
      () => this.read(),
      () => this.look(),
    );
  }

  /** Reads the added part. If more is added meanwhile, reads that next. */
  private read(): void {
    const { followed: path, tools } = this;
    if (path === undefined || this.isDisposed) {
      return;
    }
    if (this.isReading) {
      this.isStale = true;
      return;
    }
    this.isReading = true;
    const began = Date.now();
    const params = {
      path,
      findsLoss: tools.configuration.get('live.cacheNotice'),
      models: tools.configuration.get('models'),
      limits: tools.configuration.unpackLimits(),
    } as const;
    this.thread ??= new ReadingThread(tools.startWorker, () => {
      this.thread = undefined;
    });
    this.thread
      .ask({ name: 'live', params })
      .then(
        status => {
          if (path === this.followed && !this.isDisposed) {
            this.status = status;
            this.show();
            this.noteLoss(status, params.findsLoss);
          }
        },
        (error: unknown) => {
          if (!this.isDisposed) {
            tools.surroundings.log.warn(describeFileError(error));
          }
        },
      )
      .finally(() => {
        const rest = Math.min(longestReadingRest, readingRestFactor * (Date.now() - began));
        this.resting = setTimeout(() => {
          this.isReading = false;
          if (this.isStale) {
            this.isStale = false;
            this.read();
          }
        }, rest);
      })
      .catch(() => undefined);
  }

  private show(): void {
    clearTimeout(this.ticking);
    const { status } = this;
    if (status === undefined || status.requests === 0) {
      this.entry.hide();
      return;
    }
    const shown = liveText(status, Date.now());
    this.entry.show(shown);
    if (shown.isCounting) {
      this.ticking = setTimeout(() => this.show(), 1000);
    }
  }

  /** Reports a cache loss once, if the user wants such messages and can avoid the cause. */
  private noteLoss({ lost }: LiveStatus, wasAsked: boolean): void {
    const before = this.knownLoss;
    this.knownLoss = wasAsked ? (lost?.request ?? -1) : undefined;
    if (lost === undefined || before === undefined || lost.request <= before || !avoidable.has(lost.cause)) {
      return;
    }
    const open = translate('Show Request');
    showMessage(
      'information',
      translate(
        'The cache was lost in request {0}: {1}.',
        requestNumber(lost.request),
        causeWords[lost.cause],
      ),
      open,
    ).then(
      pressed => {
        if (pressed === open && this.followed !== undefined) {
          const place = { conversation: 0, request: lost.request } as const;
          this.tools.provider
            .openAt(vscode.Uri.file(this.followed), place)
            .catch((error: unknown) => this.tools.surroundings.log.error(describeFileError(error)));
        }
      },
      () => undefined,
    );
  }
}
