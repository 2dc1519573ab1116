import { defined } from '../../core/base/defined';
import { setImmediate as otherTurns, setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { translate } from '../../core/base/translate';
import { type SessionPlace, sessionPlaces } from '../../core/finder/agentLocations';
import { type SessionFile, type SessionList, listSessions } from '../../core/finder/sessionList';
import { originWords, type SessionOrigin } from '../../core/finder/sessionOrigin';
import { oneLine } from '../../core/finder/sessionText';
import { assertNever } from '../../core/model/labels';
import { Gate } from '../../core/sensitivity/gate';
import type { StartThread } from '../../node/threads/bundleThread';
import { describeFileError } from '../../node/files/fileErrors';
import { secretScanner } from '../../node/secrets/secretScannerOnDemand';
import { SessionFinder } from '../../node/sessions/sessionFinder';
import { thisMachine } from '../../node/thisMachine';
import {
  groupings,
  type PageDetails,
  type SessionDeed,
  type SessionsAct,
  type WelcomeDeed,
  sessionsPage,
} from '../../protocol/sessionsPage';
import type { Desk, Log, Surface, Surroundings } from '../desk';
import { type Disposable, disposeAll } from '../emitter';
import { Page } from '../page';
import type { Configuration } from '../settings/configuration';
import { KnownSessions } from './knownSessions';
import { SessionIds } from './sessionIds';
import type { SessionIndex } from './sessionIndex';
import { SessionReader } from './sessionReader';
import { searchSessions } from './sessionSearch';
import { SessionWatcher } from './sessionWatcher';

export interface SessionsTools {
  readonly startWorker: StartThread;
  readonly configuration: Configuration;
  readonly index: SessionIndex;
  readonly surroundings: Surroundings;
}

/** The data of a drag of a session from the list, by its path. */
export type DragOf = (path: string) => PageDetails['drag'];

const groupingKey = 'sessions.grouping';
/** Minimum interval for sending details, in milliseconds. */
const sendMilliseconds = 60;
/** Maximum number of details in one message. */
const mostDetails = 500;
/** A session that was used at another time than listed by more than this has another place, in milliseconds. */
const sameMilliseconds = 60_000;
/** Interval for showing newly read titles in a search, in milliseconds. */
const searchMilliseconds = 400;

/** The list of the sessions on this machine. Nothing is read until a page shows it. */
export class SessionsApp implements Disposable {
  private readonly finder = new SessionFinder();
  /**
   * The gate for names and addresses before they are shown. It remembers results, because the texts are the same again
   * and again.
   */
  private readonly gate = new Gate(secretScanner, { remembers: true });
  private readonly ids = new SessionIds();
  private readonly reader: SessionReader;
  private readonly known: KnownSessions;
  private readonly disposables: readonly Disposable[];
  private page: OpenPage | undefined;
  private list: SessionList | undefined;
  /** By the session's path: the place of its folder on this machine. */
  private origins: ReadonlyMap<string, SessionOrigin> = new Map();
  /** The state of the files when the list was made. */
  private listed = '';
  /** The number of times that making a list began, and that of the shown list. */
  private begun = 0;
  private shown = 0;
  private readonly news = new Map<string, SessionFile>();
  /** By path: when each session of the page was last used, as far as known when the list was sent. */
  private listedTimes: ReadonlyMap<string, number> = new Map();
  private sending: NodeJS.Timeout | undefined;
  /** True if the search command is open. */
  private isSearching = false;

  constructor(private readonly tools: SessionsTools) {
    const { startWorker, configuration, index, surroundings } = tools;
    this.reader = new SessionReader({
      startWorker,
      index,
      models: () => configuration.get('models'),
      unpackLimits: () => configuration.unpackLimits(),
      onRead: files => this.noteNews(files),
    });
    this.known = new KnownSessions({
      index,
      configuration,
      isWanted: () => this.page?.host.isReady === true,
      onChange: () => this.postMarks(),
    });
    this.disposables = [
      this.reader,
      this.known,
      configuration.onDidChange('models', () => this.refresh()),
      configuration.onDidChange('sessions.folders', () => this.refresh()),
      surroundings.onDidChangeFolders(() => this.refresh()),
    ];
  }

  dispose(): void {
    clearTimeout(this.sending);
    this.page?.watcher.dispose();
    disposeAll(this.disposables);
  }

  /** Shows the list in a page, instead of the one that showed it before. */
  open(surface: Surface, desk: Desk, dragOf: DragOf): void {
    const { files, log } = this.tools.surroundings;
    const watcher = new SessionWatcher(surface, files, {
      hasChanged: async () => stateOf((await this.findFiles()).files) !== this.listed,
      refresh: () => this.refresh(),
    });
    const page: OpenPage = {
      watcher,
      dragOf,
      inView: [],
      wantsAll: false,
      host: new Page(surface, {
        log,
        desk,
        contract: sessionsPage,
        title: translate('Sessions'),
        onReady: () => {
          page.wantsAll = false;
          this.known.look();
          return this.postList();
        },
        answer: () => undefined,
        act: act => this.act(page, act, desk),
        onClose: () => {
          watcher.dispose();
          if (this.page === page) {
            this.page = undefined;
          }
        },
      }),
    };
    this.page = page;
    this.refresh();
  }

  private async act(page: OpenPage, act: SessionsAct, desk: Desk): Promise<void> {
    switch (act.kind) {
      case 'look': {
        const beginsSearch = act.all && !page.wantsAll;
        page.inView = act.ids;
        page.wantsAll = act.all;
        this.readWhatIsWanted();
        return this.postDetails(beginsSearch ? this.listedFiles() : this.filesInView());
      }
      case 'session':
        return this.carryOut(act.deed, act.id, desk);
      case 'welcome':
        return doWelcome(act.deed, desk);
      case 'usage':
        return desk.showUsage('usage');
      case 'group':
        await this.tools.surroundings.memory.update(groupingKey, act.grouping);
        return;
      case 'drop':
        for (const uri of act.uris) {
          await desk.showDropped(uri);
        }
        return;
      default:
        return assertNever(act);
    }
  }

  /** Makes the list again and sends it to the page. */
  refresh(): void {
    this.makeList().catch((error: unknown) => this.log.error(describeFileError(error)));
  }

  private async makeList(): Promise<void> {
    const began = Date.now();
    this.begun += 1;
    const number = this.begun;
    const { files, places } = await this.findFiles();
    // With very many sessions, each step takes a while. Other extensions get a turn in between.
    await otherTurns();
    // A list that began later may be there already, and the files of this one are older.
    if (number < this.shown) {
      return;
    }
    this.shown = number;
    this.listed = stateOf(files);
    this.setList(files);
    this.page?.watcher.watch(places, Date.now() - began);
    await otherTurns();
    await this.postList();
    // Names and times are shown at once. The projects are found in the background.
    if (
      (await this.finder.learn(files, places, this.tools.surroundings.folders())) &&
      number === this.shown
    ) {
      this.setList(files);
      await otherTurns();
      await this.postList();
    }
  }

  private setList(files: readonly SessionFile[]): void {
    files.forEach(file => this.ids.of(file));
    const added = this.tools.configuration.get('sessions.folders');
    this.list = listSessions(
      files,
      this.tools.surroundings.folders(),
      file => this.finder.factsOf(file),
      added,
    );
    this.origins = new Map(
      this.list.sessions.flatMap(({ file, origin }) => (origin === undefined ? [] : [[file.path, origin]])),
    );
    this.readWhatIsWanted();
  }

  private async findFiles(): Promise<{
    readonly files: readonly SessionFile[];
    readonly places: readonly SessionPlace[];
  }> {
    const places = sessionPlaces(
      thisMachine(),
      this.tools.surroundings.folders(),
      this.tools.configuration.get('sessions.folders'),
    );
    return { files: await this.finder.list(places), places };
  }

  /**
   * Returns true if a file is listed. A folder that the user added may contain any files, so a file is known to be a
   * session only after it has been read.
   */
  private isShown(file: SessionFile, { description } = this.reader.known(file)): boolean {
    return description === undefined ? file.isKnown : file.isKnown || description.isForeign !== true;
  }

  /** When a session was last used. Until its current state has been read, this is when its file was written. */
  private lastUsed(file: SessionFile): number {
    const { description } = this.reader.known(file);
    return description !== undefined && this.reader.isDescribed(file) ? description.lastUsed : file.modified;
  }

  private isElsewhere(file: SessionFile): boolean {
    const listed = this.listedTimes.get(file.path);
    return listed !== undefined && Math.abs(this.lastUsed(file) - listed) > sameMilliseconds;
  }

  private listedFiles(): readonly SessionFile[] {
    return (this.list?.sessions ?? []).map(({ file }) => file);
  }

  private filesInView(): readonly SessionFile[] {
    return (this.page?.inView ?? []).flatMap(id => this.ids.file(id) ?? []);
  }

  private readWhatIsWanted(): void {
    const files = this.listedFiles();
    const wantsAll = this.isSearching || this.page?.wantsAll === true;
    this.reader.look(this.filesInView());
    this.reader.describeAll(wantsAll ? files : files.filter(({ isKnown }) => !isKnown));
  }

  private async postList(): Promise<void> {
    const { list, page } = this;
    if (list === undefined || page?.host.isReady !== true) {
      return;
    }
    const agents = new Map<string, number>();
    const worktrees = new Map<string, string>();
    for (const { worktree } of list.sessions) {
      if (worktree !== undefined && !worktrees.has(worktree)) {
        worktrees.set(worktree, oneLine(await this.gate.text(worktree)));
      }
    }
    const sessions = list.sessions
      .map(session => ({ ...session, known: this.reader.known(session.file) }))
      .filter(({ file, known }) => this.isShown(file, known))
      .map(session => ({ ...session, time: this.lastUsed(session.file) }))
      // A copied or restored file is newer than its session.
      .sort((first, second) => second.time - first.time)
      .map(({ file, isHere, project, worktree, known, time }) => {
        const agent = known.description?.agent ?? file.agent;
        const number = agents.get(agent) ?? agents.size;
        agents.set(agent, number);
        return {
          id: this.ids.of(file),
          agent: number,
          project,
          ...defined({ worktree: worktrees.get(worktree ?? '') }),
          isHere,
          time,
          written: file.modified,
        };
      });
    this.listedTimes = new Map(list.sessions.map(({ file }) => [file.path, this.lastUsed(file)]));
    const projects = await Promise.all(
      list.projects.map(async ({ key, name, isFolder }) => ({
        key: await this.gate.text(key),
        name: oneLine(await this.gate.text(name)),
        isFolder,
      })),
    );
    const grouping =
      groupings.find(name => name === this.tools.surroundings.memory.get(groupingKey)) ?? 'recent';
    await otherTurns();
    this.page?.host.tell({ type: 'list', sessions, agents: [...agents.keys()], projects, grouping });
    this.postMarks();
  }

  private postMarks(): void {
    const files = this.listedFiles();
    const marks = this.known
      .marksOf(files)
      .map(({ file, ...found }) => ({ id: this.ids.of(file), ...found }));
    this.page?.host.tell({ type: 'marks', marks, week: this.known.weekOf(files) });
  }

  private noteNews(files: readonly SessionFile[]): void {
    files.forEach(file => this.news.set(file.path, file));
    this.sending ??= setTimeout(() => {
      this.sending = undefined;
      const news = [...this.news.values()];
      this.news.clear();
      const isOther = news.some(file => this.isElsewhere(file) || (!file.isKnown && this.isShown(file)));
      Promise.resolve(isOther ? this.postList() : undefined)
        .then(() => this.postDetails(news))
        .catch((error: unknown) => this.log.error(describeFileError(error)));
    }, sendMilliseconds);
  }

  private async postDetails(files: readonly SessionFile[]): Promise<void> {
    const { page } = this;
    if (page === undefined) {
      return;
    }
    const known = files.flatMap(file => {
      const { description, usage } = this.reader.known(file);
      return description === undefined ? [] : [{ file, description, usage }];
    });
    for (let start = 0; start === 0 || start < known.length; start += mostDetails) {
      const details = await Promise.all(
        known.slice(start, start + mostDetails).map(async ({ file, description, usage }) => {
          const drag = page.dragOf(file.path);
          const isClean = (await this.gate.text(file.path)) === file.path;
          const origin = this.origins.get(file.path);
          return {
            id: this.ids.of(file),
            description,
            usage,
            ...(origin === undefined ? {} : { origin: await this.gate.text(originWords(origin)) }),
            ...(isClean && drag !== undefined ? { drag } : {}),
          };
        }),
      );
      this.page?.host.tell({ type: 'details', details, left: this.reader.left });
    }
  }

  /** The file of a row of the list. */
  file(id: number): SessionFile | undefined {
    return this.ids.file(id);
  }

  /** Carries out an action for a row of the list; does nothing without a file. */
  async carryOut(deed: SessionDeed, id: number, desk: Desk): Promise<void> {
    const file = this.file(id);
    return file && doWithSession(file.path, deed, desk);
  }

  private get log(): Log {
    return this.tools.surroundings.log;
  }

  /**
   * Lets the user choose a session by its title.
   * @param except the path of a session to leave out
   */
  async choose(desk: Desk, title: string, except?: string): Promise<SessionFile | undefined> {
    await this.makeList();
    this.isSearching = true;
    this.readWhatIsWanted();
    try {
      const { sessions = [], projects = [] } = this.list ?? {};
      const names = await Promise.all(
        projects.map(async ({ name, isFolder }) => (isFolder ? oneLine(await this.gate.text(name)) : '')),
      );
      const projectOf = new Map(sessions.map(({ file, project }) => [file, names[project] ?? '']));
      const files = this.listedFiles().filter(({ path }) => path !== except);
      return await searchSessions(title, files, {
        desk,
        known: file => this.reader.known(file),
        isDescribed: file => this.reader.isDescribed(file),
        projectOf: file => projectOf.get(file) ?? '',
        moreRead: () => sleep(searchMilliseconds),
      });
    } finally {
      this.isSearching = false;
    }
  }
}

interface OpenPage {
  readonly host: Page<typeof sessionsPage>;
  readonly dragOf: DragOf;
  readonly watcher: SessionWatcher;
  /** The numbers of the sessions that the page shows. */
  inView: readonly number[];
  /** True if the page searches all sessions. */
  wantsAll: boolean;
}

/** Changes when a file is added, removed or written to. */
function stateOf(files: readonly SessionFile[]): string {
  const sizes = files.reduce((sum, { size }) => sum + size, 0);
  const times = files.reduce((sum, { modified }) => sum + modified, 0);
  return `${files.length} ${sizes} ${times}`;
}

async function doWithSession(path: string, deed: SessionDeed, desk: Desk): Promise<void> {
  const address = pathToFileURL(path).href;
  switch (deed) {
    case 'open':
      return desk.show(address);
    case 'openToSide':
      return desk.show(address, { isBeside: true });
    case 'openAsText':
      return desk.openSource(address);
    case 'reveal':
      return desk.reveal(path);
    case 'copyPath':
      return desk.copy(path);
    default:
      return assertNever(deed);
  }
}

/** Carries out an action of the empty list. */
async function doWelcome(deed: WelcomeDeed, desk: Desk): Promise<void> {
  switch (deed) {
    case 'openTranscript':
      return desk.showAny();
    case 'openExample':
      return desk.showExample();
    case 'addFolders':
      return desk.openSettings('sessions.folders');
    default:
      return assertNever(deed);
  }
}
