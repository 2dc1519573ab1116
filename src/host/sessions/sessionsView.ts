import { setImmediate as otherTurns, setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { numberAt } from '../../core/base/json';
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
  type SessionDeed,
  sessionIdMember,
  type SessionsAct,
  sessionsPage,
} from '../../protocol/sessionsPage';
import type { ComparePages } from '../pages/comparePages';
import type { Configuration } from '../settings/configuration';
import { KnownSessions } from './knownSessions';
import { commandIds, sessionsViewId } from '../manifest';
import { doWelcome, doWithSession, droppedFile, fileUri } from './sessionDeeds';
import { addressInWindow, dragOf } from './sessionDrag';
import { SessionIds } from './sessionIds';
import type { SessionIndex } from './sessionIndex';
import { SessionReader } from './sessionReader';
import { searchSessions } from './sessionSearch';
import { SessionWatcher } from './sessionWatcher';
import { type Log, registerCommand } from '../messages/userMessages';
import { WebviewPage } from '../pages/webviewPage';
import { workspacePaths } from '../links/workspacePaths';

export interface SessionsViewTools {
  readonly extensionUri: vscode.Uri;
  /** Stores the choice of grouping. */
  readonly memory: vscode.Memento;
  readonly startWorker: StartThread;
  readonly configuration: Configuration;
  readonly comparePages: ComparePages;
  readonly index: SessionIndex;
  readonly log: Log;
}

const groupingKey = 'sessions.grouping';
/** Minimum interval for sending details, in milliseconds. */
const sendMilliseconds = 60;
/** Maximum number of details in one message. */
const mostDetails = 500;
/** A session that was used at another time than listed by more than this has another place, in milliseconds. */
const sameMilliseconds = 60_000;
/** Interval for showing newly read titles in a search, in milliseconds. */
const searchMilliseconds = 400;

/** The list of the sessions on this machine. Nothing is read until the view is visible. */
export class SessionsView implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly finder = new SessionFinder();
  /**
   * The gate for names and addresses before they are shown. It remembers results, because the texts are the same again
   * and again.
   */
  private readonly gate = new Gate(secretScanner, { remembers: true });
  private readonly ids = new SessionIds();
  private readonly reader: SessionReader;
  private readonly known: KnownSessions;
  private readonly disposables: readonly { dispose(): unknown }[];
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

  constructor(private readonly tools: SessionsViewTools) {
    const { startWorker, configuration, index } = tools;
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
    const deed = (id: string, what: SessionDeed): vscode.Disposable =>
      registerCommand(id, (target?: unknown) => this.doFromMenu(what, target));
    this.disposables = [
      vscode.window.registerWebviewViewProvider(sessionsViewId, this),
      this.reader,
      this.known,
      configuration.onDidChange('models', () => this.refresh()),
      configuration.onDidChange('sessions.folders', () => this.refresh()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refresh()),
      registerCommand(commandIds.sessionsRefresh, () => this.refresh()),
      registerCommand(commandIds.sessionsSearch, async () =>
        doWithSession(await this.search(translate('Find Session by Title')), 'open'),
      ),
      registerCommand(commandIds.compare, (target?: unknown) => this.compare(target)),
      deed(commandIds.sessionsOpen, 'open'),
      deed(commandIds.sessionsOpenToSide, 'openToSide'),
      deed(commandIds.sessionsOpenAsText, 'openAsText'),
      deed(commandIds.sessionsReveal, 'reveal'),
      deed(commandIds.sessionsCopyPath, 'copyPath'),
    ];
  }

  dispose(): void {
    clearTimeout(this.sending);
    this.page?.watcher.dispose();
    vscode.Disposable.from(...this.disposables).dispose();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const watcher = new SessionWatcher(view, {
      hasChanged: async () => stateOf((await this.findFiles()).files) !== this.listed,
      refresh: () => this.refresh(),
    });
    const page: OpenPage = {
      watcher,
      inView: [],
      wantsAll: false,
      host: new WebviewPage(view, {
        extensionUri: this.tools.extensionUri,
        log: this.tools.log,
        contract: sessionsPage,
        script: 'sessions',
        title: translate('Sessions'),
        onReady: () => {
          page.wantsAll = false;
          this.known.look();
          return this.postList();
        },
        answer: () => undefined,
        act: act => this.act(page, act),
        onDispose: () => {
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

  private async act(page: OpenPage, act: SessionsAct): Promise<void> {
    switch (act.kind) {
      case 'look': {
        const beginsSearch = act.all && !page.wantsAll;
        page.inView = act.ids;
        page.wantsAll = act.all;
        this.readWhatIsWanted();
        return this.postDetails(beginsSearch ? this.listedFiles() : this.filesInView());
      }
      case 'session':
        return doWithSession(this.ids.file(act.id), act.deed);
      case 'welcome':
        return doWelcome(act.deed);
      case 'usage':
        await vscode.commands.executeCommand(commandIds.usage);
        return;
      case 'group':
        return this.tools.memory.update(groupingKey, act.grouping);
      case 'drop':
        for (const uri of act.uris) {
          await vscode.commands.executeCommand(commandIds.open, droppedFile(uri));
        }
        return;
      default:
        return assertNever(act);
    }
  }

  /** Makes the list again and sends it to the page. */
  private refresh(): void {
    this.makeList().catch((error: unknown) => this.tools.log.error(describeFileError(error)));
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
    if ((await this.finder.learn(files, places, workspacePaths())) && number === this.shown) {
      this.setList(files);
      await otherTurns();
      await this.postList();
    }
  }

  private setList(files: readonly SessionFile[]): void {
    files.forEach(file => this.ids.of(file));
    const added = this.tools.configuration.get('sessions.folders');
    this.list = listSessions(files, workspacePaths(), file => this.finder.factsOf(file), added);
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
      workspacePaths(),
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
    const sessions = list.sessions
      .map(session => ({ ...session, known: this.reader.known(session.file) }))
      .filter(({ file, known }) => this.isShown(file, known))
      .map(session => ({ ...session, time: this.lastUsed(session.file) }))
      // A copied or restored file is newer than its session.
      .sort((first, second) => second.time - first.time)
      .map(({ file, isHere, project, known, time }) => {
        const agent = known.description?.agent ?? file.agent;
        const number = agents.get(agent) ?? agents.size;
        agents.set(agent, number);
        return { id: this.ids.of(file), agent: number, project, isHere, time, written: file.modified };
      });
    this.listedTimes = new Map(list.sessions.map(({ file }) => [file.path, this.lastUsed(file)]));
    const projects = await Promise.all(
      list.projects.map(async ({ key, name, isFolder }) => ({
        key: await this.gate.text(key),
        name: oneLine(await this.gate.text(name)),
        isFolder,
      })),
    );
    const grouping = groupings.find(name => name === this.tools.memory.get(groupingKey)) ?? 'recent';
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
        .catch((error: unknown) => this.tools.log.error(describeFileError(error)));
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
          const drag = dragOf(addressInWindow(fileUri(file), page.host.surface.webview));
          const isClean = (await this.gate.text(file.path)) === file.path;
          const origin = this.origins.get(file.path);
          return {
            id: this.ids.of(file),
            description,
            usage,
            ...(origin === undefined ? {} : { origin: await this.gate.text(originWords(origin)) }),
            ...(isClean ? { drag } : {}),
          };
        }),
      );
      this.page?.host.tell({ type: 'details', details, left: this.reader.left });
    }
  }

  /** @param target the file of an editor, or the menu context of a row; undefined for the open transcript */
  private compare(target: unknown): Promise<void> {
    const row = this.fileOfRow(target);
    const given = target instanceof vscode.Uri ? target : row && fileUri(row);
    return this.tools.comparePages.compareWith(given, async path => {
      const chosen = await this.search(translate('Compare With'), path);
      return chosen && fileUri(chosen);
    });
  }

  /** @param except the path of a session to leave out */
  private async search(title: string, except?: string): Promise<SessionFile | undefined> {
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
        known: file => this.reader.known(file),
        isDescribed: file => this.reader.isDescribed(file),
        projectOf: file => projectOf.get(file) ?? '',
        moreRead: () => sleep(searchMilliseconds),
      });
    } finally {
      this.isSearching = false;
    }
  }

  /** @param target the menu context of the row */
  private doFromMenu(deed: SessionDeed, target: unknown): Promise<void> {
    return doWithSession(this.fileOfRow(target), deed);
  }

  private fileOfRow(target: unknown): SessionFile | undefined {
    return this.ids.file(numberAt(target, sessionIdMember) ?? -1);
  }
}

interface OpenPage {
  readonly host: WebviewPage<typeof sessionsPage>;
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
