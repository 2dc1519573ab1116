import type { SessionFile } from '../../core/finder/sessionList';
import type { SessionMarks } from '../../core/index/sessionMarks';
import { localDay } from '../../core/index/usageSums';
import { stateOf } from '../../node/index/fileState';
import type { IndexResult } from '../../protocol/indexService';
import type { PageWeek } from '../../protocol/sessionsPage';
import type { Configuration } from '../settings/configuration';
import { type Disposable, disposeAll } from '../emitter';
import type { SessionIndex } from './sessionIndex';

type KnownFile = IndexResult<'sessions'>['files'][number];

interface KnownSessionsTools {
  readonly index: SessionIndex;
  readonly configuration: Configuration;
  /** True if the sessions are visible. */
  readonly isWanted: () => boolean;
  /** Called when the known facts have changed. */
  readonly onChange: () => void;
}

/** The index's facts about the listed sessions. The index is asked only if it exists, and no file is read for it. */
export class KnownSessions implements Disposable {
  private readonly disposables: readonly Disposable[];
  private week: IndexResult<'sessions'>['week'] | undefined;
  private files: ReadonlyMap<string, KnownFile> = new Map();
  /** The index on the disk, its last state and the day at the last question. */
  private asked = '';
  private isAsking = false;
  private isStale = false;
  /** The last state of the index in which its facts may have changed. */
  private newest: number | string | undefined;

  constructor(private readonly tools: KnownSessionsTools) {
    const { index, configuration } = tools;
    this.disposables = [
      index.onDidChange(state => {
        const newest = 'revision' in state ? state.revision : state.kind;
        if (newest !== this.newest) {
          this.newest = newest;
          this.look();
        }
      }),
      configuration.onDidChange('index.enabled', () => this.look()),
      configuration.onDidChange('models', () => {
        this.asked = '';
        this.look();
      }),
    ];
  }

  dispose(): void {
    disposeAll(this.disposables);
  }

  /** Asks the index if it or the day has changed since the last question. Does not wait. */
  look(): void {
    if (!this.tools.isWanted()) {
      return;
    }
    if (this.isAsking) {
      this.isStale = true;
      return;
    }
    const { version } = this.tools.index;
    // Two writes within one tick of the file system's clock leave the same version.
    const asked = `${version ?? ''} ${this.newest ?? ''} ${localDay(new Date())}`;
    if (asked === this.asked) {
      return;
    }
    this.asked = asked;
    if (version === undefined) {
      this.note(undefined);
      return;
    }
    this.isAsking = true;
    this.tools.index
      .ask({ name: 'sessions', params: {} })
      .then(result => this.note(result))
      // The Usage page reports problems of the index. If another program uses it, the next look asks again.
      .catch(() => {
        this.asked = '';
      })
      .finally(() => {
        this.isAsking = false;
        if (this.isStale) {
          this.isStale = false;
          this.look();
        }
      });
  }

  /** The marks of files. */
  marksOf(files: readonly SessionFile[]): readonly (SessionMarks & { readonly file: SessionFile })[] {
    const showsPersonal = this.tools.configuration.get('sensitivity.personalData');
    return files.flatMap(file => {
      const { secrets = 0, personal: found = 0, breaks = 0 } = this.files.get(file.path) ?? {};
      const personal = showsPersonal ? found : 0;
      return secrets + personal + breaks === 0 ? [] : [{ file, secrets, personal, breaks }];
    });
  }

  /** The usage of the last days, as far as known. */
  weekOf(files: readonly SessionFile[]): PageWeek | undefined {
    const { week } = this;
    if (week === undefined) {
      return undefined;
    }
    const { since, ...shown } = week;
    const unread = files.filter(
      file => file.modified >= since && this.files.get(file.path)?.state !== stateOf(file),
    ).length;
    const read = files.filter(file => file.modified >= since).length - unread;
    // If most sessions are unread, the sums would be misleading.
    return unread > read ? undefined : { ...shown, unread };
  }

  private note(result: IndexResult<'sessions'> | undefined): void {
    // An index without files was just created.
    this.week = result?.files.length === 0 ? undefined : result?.week;
    this.files = new Map(result?.files.map(file => [file.path, file]));
    this.tools.onChange();
  }
}
