import * as vscode from 'vscode';
import { formatNumber } from '../core/base/format';
import { translate } from '../core/base/translate';
import { type SessionPlace, sessionPlaces } from '../core/finder/agentLocations';
import { lastName } from '../core/finder/pathPattern';
import { listSessions, type SessionFile, type SessionList } from '../core/finder/sessionList';
import type { OutlineResult } from '../core/finder/sessionOutline';
import { describeSession, oneLine, type SessionText } from '../core/finder/sessionText';
import { Gate } from '../core/sensitivity/gate';
import { describeFileError } from '../node/fileErrors';
import { secretScanner } from '../node/secretScannerOnDemand';
import { SessionFinder, thisMachine } from '../node/sessionFinder';
import type { Configuration } from './configuration';
import { commandIds, sessionsFoldersSetting, sessionsViewId } from './manifest';
import { droppedFiles, droppedTypes, uriList } from './sessionDrop';
import { searchSessions } from './sessionSearch';
import { SessionWatcher } from './sessionWatcher';
import { type Log, plainErrors, registerCommand, showTree, treeItem, type TreeWords } from './userMessages';

export type SessionNode =
  | { readonly kind: 'workspace'; readonly sessions: readonly SessionFile[] }
  | { readonly kind: 'agent'; readonly agent: SessionList['agents'][number] }
  | {
      readonly kind: 'project';
      readonly agent: string;
      readonly project: SessionList['agents'][number]['projects'][number];
    }
  | {
      readonly kind: 'session';
      readonly file: SessionFile;
      readonly outline: OutlineResult;
      readonly text: SessionText;
      readonly hasAgent: boolean;
    }
  /** The rest of a long list, which is read on demand. */
  | { readonly kind: 'more'; readonly list: string; readonly hidden: number };

/** How many sessions of a list are read and shown at first. Each "Show more" adds four times as many. */
const pageLength = 50;

/** The list of the sessions on this machine. Nothing is read until the view is visible. */
export class SessionsView
  implements
    vscode.TreeDataProvider<SessionNode>,
    vscode.TreeDragAndDropController<SessionNode>,
    vscode.Disposable
{
  readonly dropMimeTypes = droppedTypes;
  readonly dragMimeTypes = [uriList];
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private readonly finder = new SessionFinder();
  /** What titles, names and paths pass before they are shown. */
  private readonly gate = new Gate(secretScanner);
  private readonly shown = new Map<string, number>();
  private readonly watcher: SessionWatcher;
  /** The state of the files when the list was made. */
  private listed = '';
  private readonly disposables: readonly { dispose(): unknown }[];

  constructor(
    private readonly log: Log,
    private readonly configuration: Configuration,
  ) {
    const view = showTree(sessionsViewId, this);
    this.watcher = new SessionWatcher(view, {
      hasChanged: async () => stateOf((await this.list()).files) !== this.listed,
      refresh: () => this.changes.fire(undefined),
    });
    this.disposables = [
      view,
      this.watcher,
      this.changes,
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration(sessionsFoldersSetting)) {
          this.watcher.refresh();
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.watcher.refresh()),
      registerCommand(commandIds.sessionsRefresh, () => this.watcher.refresh()),
      registerCommand(commandIds.sessionsSearch, () => this.search()),
      registerCommand(commandIds.sessionsShowMore, (node?: SessionNode) => this.showMore(node)),
      registerCommand(commandIds.sessionsOpenAsText, (node?: SessionNode) =>
        this.onFile(node, commandIds.openAsText),
      ),
      registerCommand(commandIds.sessionsReveal, (node?: SessionNode) => this.onFile(node, 'revealFileInOS')),
      registerCommand(commandIds.sessionsCopyPath, async (node?: SessionNode) => {
        if (node?.kind === 'session') {
          await vscode.env.clipboard.writeText(node.file.path);
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  getChildren(node?: SessionNode): Promise<SessionNode[]> {
    return plainErrors(() => this.childrenOf(node));
  }

  private async childrenOf(node: SessionNode | undefined): Promise<SessionNode[]> {
    switch (node?.kind) {
      case undefined:
        return this.roots();
      case 'workspace':
        return this.page('workspace', node.sessions, true);
      case 'agent':
        return Promise.all(
          node.agent.projects.map(async project => ({
            kind: 'project' as const,
            agent: node.agent.agent,
            project: { ...project, name: await this.gate.text(project.name) },
          })),
        );
      case 'project':
        return this.page(`${node.agent} ${node.project.key}`, node.project.sessions, false);
      case 'session':
      case 'more':
        return [];
    }
  }

  private async roots(): Promise<SessionNode[]> {
    const began = Date.now();
    const { list, places, files } = await this.list();
    this.listed = stateOf(files);
    this.watcher.watch(places, Date.now() - began);
    this.learn(files, places);
    return [
      ...(list.workspace.length === 0 ? [] : [{ kind: 'workspace' as const, sessions: list.workspace }]),
      ...list.agents.map(agent => ({ kind: 'agent' as const, agent })),
    ];
  }

  private async list(): Promise<{
    readonly list: SessionList;
    readonly places: readonly SessionPlace[];
    readonly files: readonly SessionFile[];
  }> {
    const folders = workspaceFolders();
    const places = sessionPlaces(thisMachine(), folders, this.configuration.sessionFolders());
    const files = await this.finder.list(places);
    return { list: listSessions(files, folders, file => this.finder.factsOf(file)), places, files };
  }

  /** Names and times are shown at once; the projects are found in the background. */
  private learn(files: readonly SessionFile[], places: readonly SessionPlace[]): void {
    this.finder.learn(files, places).then(
      isNew => {
        if (isNew) {
          this.changes.fire(undefined);
        }
      },
      (error: unknown) => this.log.error(describeFileError(error)),
    );
  }

  private async page(
    list: string,
    sessions: readonly SessionFile[],
    hasAgent: boolean,
  ): Promise<SessionNode[]> {
    const wanted = this.shown.get(list) ?? pageLength;
    const nodes = await Promise.all(
      sessions.slice(0, wanted).map(async (file): Promise<readonly SessionNode[]> => {
        const outline = await this.finder.outline(file);
        if (!isShown(file, outline)) {
          return [];
        }
        const text = await describeSession(file, outline, Date.now(), this.gate);
        return [{ kind: 'session', file, outline, text, hasAgent }];
      }),
    );
    const hidden = sessions.length - wanted;
    return [...nodes.flat(), ...(hidden > 0 ? [{ kind: 'more' as const, list, hidden }] : [])];
  }

  getTreeItem(node: SessionNode): vscode.TreeItem {
    switch (node.kind) {
      case 'workspace':
        return group('workspace', { label: translate('This Workspace') }, 'root-folder', {
          count: node.sessions.length,
          isOpen: true,
        });
      case 'agent': {
        const { agent, projects } = node.agent;
        const count = projects.reduce((sum, { sessions }) => sum + sessions.length, 0);
        return group(`agent ${agent}`, { label: agent }, 'hubot', { count });
      }
      case 'project': {
        const { key, name, sessions } = node.project;
        const label = name === '' ? translate('Unknown Project') : oneLine(lastName(name));
        const spoken = `${label}, ${formatNumber(sessions.length)}`;
        const words = { label, tooltip: oneLine(name), spoken };
        return group(`project ${node.agent} ${key}`, words, 'folder', { count: sessions.length });
      }
      case 'session':
        return sessionItem(node);
      case 'more':
        return treeItem(
          { label: translate('Show more ({0} left)', formatNumber(node.hidden)) },
          {
            id: `more ${node.list}`,
            command: { command: commandIds.sessionsShowMore, title: '', arguments: [node] },
          },
        );
    }
  }

  handleDrag(nodes: readonly SessionNode[], data: vscode.DataTransfer): void {
    const uris = nodes.flatMap(node => (node.kind === 'session' ? [fileUri(node.file).toString()] : []));
    data.set(uriList, new vscode.DataTransferItem(uris.join('\r\n')));
  }

  async handleDrop(_target: SessionNode | undefined, data: vscode.DataTransfer): Promise<void> {
    await plainErrors(async () => {
      for (const uri of await droppedFiles(data)) {
        await vscode.commands.executeCommand(commandIds.open, uri);
      }
    });
  }

  private async search(): Promise<void> {
    const { list, files, places } = await this.list();
    await this.finder.learn(files, places);
    const shown = new Set([
      ...list.workspace,
      ...list.agents.flatMap(({ projects }) => projects.flatMap(({ sessions }) => sessions)),
    ]);
    const chosen = await searchSessions([...shown], {
      outline: file => this.finder.outline(file),
      isShown,
      projectOf: file => this.finder.factsOf(file).workingDirectory ?? '',
      gate: this.gate,
    });
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(commandIds.open, fileUri(chosen));
    }
  }

  private showMore(node: SessionNode | undefined): void {
    if (node?.kind === 'more') {
      this.shown.set(node.list, (this.shown.get(node.list) ?? pageLength) + 4 * pageLength);
      this.changes.fire(undefined);
    }
  }

  private async onFile(node: SessionNode | undefined, command: string): Promise<void> {
    if (node?.kind === 'session') {
      await vscode.commands.executeCommand(command, fileUri(node.file));
    }
  }
}

/** A folder that the user added may contain any files; the agents' own folders contain sessions. */
function isShown(file: SessionFile, outline: OutlineResult): boolean {
  return file.isKnown || outline.kind !== 'foreign';
}

/** Changes when a file is added, removed or written to. */
function stateOf(files: readonly SessionFile[]): string {
  const sizes = files.reduce((sum, { size }) => sum + size, 0);
  const times = files.reduce((sum, { modified }) => sum + modified, 0);
  return `${files.length} ${sizes} ${times}`;
}

function workspaceFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
}

function fileUri({ path }: SessionFile): vscode.Uri {
  return vscode.Uri.file(path);
}

function group(
  id: string,
  words: TreeWords,
  icon: string,
  { count, isOpen = false }: { readonly count: number; readonly isOpen?: boolean },
): vscode.TreeItem {
  return treeItem(
    { ...words, description: formatNumber(count) },
    {
      id,
      iconPath: new vscode.ThemeIcon(icon),
      collapsibleState: isOpen
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed,
    },
  );
}

function sessionItem({
  file,
  outline,
  text: { title, description: facts, tooltip },
  hasAgent,
}: Extract<SessionNode, { kind: 'session' }>): vscode.TreeItem {
  const description = hasAgent ? `${file.agent} · ${facts}` : facts;
  return treeItem(
    { label: title, description, tooltip, spoken: `${title}, ${description}` },
    {
      id: `session ${file.path}`,
      iconPath: new vscode.ThemeIcon(outline.kind === 'packed' ? 'database' : 'comment-discussion'),
      contextValue: 'session',
      command: {
        command: commandIds.open,
        title: translate('Open in Context Inspector'),
        arguments: [fileUri(file)],
      },
    },
  );
}
