import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebSocket } from 'ws';
import { AskService } from '../app/asking/askService';
import { openComparison } from '../app/compare/compareApp';
import type { Desk, Surroundings } from '../app/desk';
import { cleanLog } from '../app/log';
import { SessionIndex } from '../app/sessions/sessionIndex';
import { SessionsApp } from '../app/sessions/sessionsApp';
import { Configuration } from '../app/settings/configuration';
import { TranscriptEditor } from '../app/transcript/transcriptEditor';
import { UsageApp } from '../app/usage/usageApp';
import { translate } from '../core/base/translate';
import { sessionPlaces } from '../core/finder/agentLocations';
import { cacheFolder } from '../node/files/cacheFolder';
import { describeAnyError } from '../node/files/fileErrors';
import { threadOf } from '../node/threads/bundleThread';
import { thisMachine } from '../node/thisMachine';
import type { DoorCommand } from '../protocol/door';
import {
  compareAddress,
  doorPaths,
  framedAddress,
  placeIn,
  sessionAddress,
  usageAddress,
  usagePartIn,
} from '../protocol/doorAddresses';
import { openBrowser } from './browser';
import { configFolder } from './configFolder';
import { pageDesk } from './desk';
import { Documents } from './documents';
import { editorOf } from './editor';
import { diskFiles } from './files';
import { keysIn } from './keys';
import { KnownFiles } from './knownFiles';
import { memoryIn } from './memory';
import type { Refusal } from './requestGate';
import { reveal } from './reveal';
import { type ServedPage, ViewServer } from './server';
import { SettingsFile } from './settings';
import { PageSocket } from './socket';

export { editorNames, editorProblem } from './editor';
export { hasScreen } from './browser';

export interface ViewOptions {
  /** The transcript to show first; undefined for the list of sessions. */
  readonly file: string | undefined;
  /** 0 for any free port. */
  readonly port: number;
  /** A name or a call; undefined for the editor around the terminal. */
  readonly editor: string | undefined;
  /** The folders in which the user works. */
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Gets sentences for the user and for error reports, cleaned of credentials. */
  readonly notice: (sentence: string) => void;
  /** The folder with the bundles. */
  readonly bundles?: string;
  /** The folder with settings and memory. */
  readonly config?: string;
  /** Wraps the desk of each page, for tests that record the calls. */
  readonly around?: (desk: Desk, page: string) => Desk;
}

/** A running server. */
export interface View {
  readonly server: ViewServer;
  /** The page that a link opens: the frame with the first page in it. */
  readonly start: string;
  /** A link that works once. */
  link(): string;
  /** Opens the user's browser. Rejects if there is none. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A command for the app of a certain page. */
type PageCommand = Exclude<DoorCommand, { kind: 'open' }>;

const notKnown: Refusal = {
  status: 403,
  sentence:
    'This file is in no folder of an agent or of your work. To see it, start "context-inspector view" with its path.',
};
const noPage: Refusal = { status: 404, sentence: 'There is no such page.' };
const noFile: Refusal = { status: 400, sentence: 'The address names no file.' };

/** A subscription to what never happens. */
const nothing = { dispose: () => undefined };

/** Starts the server and reads the first transcript at the same time. */
export async function startView(options: ViewOptions): Promise<View> {
  const { environment, folders, notice } = options;
  const bundles = options.bundles ?? __dirname;
  const config = options.config ?? configFolder(thisMachine());
  const log = cleanLog({
    debug: () => undefined,
    warn: notice,
    error: notice,
    dispose: () => undefined,
  });
  const desks = new Set<Desk>();
  const store = new SettingsFile(join(config, 'settings.json'), sentence => log.warn(sentence));
  const configuration = new Configuration(store, log, sentence => {
    const [desk] = desks;
    desk?.say('warning', sentence);
  });
  const surroundings: Surroundings = {
    log,
    files: diskFiles,
    memory: memoryIn(join(config, 'memory.json')),
    folders: () => folders,
    onDidChangeFolders: () => nothing,
  };
  const startOf = (bundle: string) => threadOf(join(bundles, bundle));
  const startWorker = startOf('worker.js');
  const documents = new Documents({
    startWorker,
    workerStart: {
      cacheFolder: join(cacheFolder(thisMachine()), 'measures'),
      version: process.env['PROGRAM_VERSION'] ?? '',
    },
    models: () => configuration.get('models'),
    unpackLimits: () => configuration.unpackLimits(),
    findsPersonalData: () => configuration.get('sensitivity.personalData'),
    files: diskFiles,
    // The page shows it.
    desk: { progress: (_, work) => work({ report: () => undefined, onDidCancel: () => nothing }) },
    log,
  });
  const file = options.file === undefined ? undefined : resolve(options.file);
  if (file !== undefined) {
    documents.begin(pathToFileURL(file).href);
  }

  const example = join(bundles, '..', 'media', 'example', 'session.jsonl');
  const places = (): readonly string[] => [
    ...folders,
    dirname(example),
    config,
    ...sessionPlaces(thisMachine(), folders, configuration.get('sessions.folders')).map(({ root }) => root),
  ];
  const known = new KnownFiles(places);
  if (file !== undefined) {
    known.add(file);
  }
  const index = new SessionIndex({
    startThread: startOf('sessionIndex.js'),
    configuration,
    workspaceFolders: () => folders,
    log,
  });
  const sessionsTools = { startWorker, configuration, index, surroundings };
  const usage = new UsageApp({ index, configuration, log });
  let sessions: SessionsApp | undefined;
  const chooser = (): SessionsApp => (sessions ??= new SessionsApp(sessionsTools));
  const askService: AskService = new AskService({
    configuration,
    keys: keysIn(environment, provider => askService.originOf(provider)),
    ownModels: undefined,
    isTrusted: () => true,
    replays: join(config, 'replays'),
  });
  configuration.onDidChange('models', () => documents.modelsChanged());
  const editor = editorOf(options.editor, environment);

  /** Connects a socket with a page's app. */
  const connected =
    (page: string, open: (socket: PageSocket, desk: Desk) => (command: PageCommand) => unknown) =>
    (connection: WebSocket): void => {
      const socket = new PageSocket(connection, log);
      const { downloads } = server;
      const plain = pageDesk(socket, {
        pages: {
          session: (path, place) => {
            known.add(path);
            return sessionAddress(path, place);
          },
          usage: usageAddress,
          example: sessionAddress(example),
          start: doorPaths.start,
        },
        downloads,
        editor,
        reveal,
        settingsFile: () => store.create(),
      });
      const desk = options.around?.(plain, page) ?? plain;
      desks.add(desk);
      const run = open(socket, desk);
      socket.onCommand(command => {
        Promise.resolve()
          .then(() =>
            command.kind !== 'open'
              ? run(command)
              : command.what === 'any'
                ? desk.showAny()
                : desk.showExample(),
          )
          .catch((error: unknown) => desk.say('error', describeAnyError(error)));
      });
      socket.onClose(() => desks.delete(desk));
    };

  const compareWith = async (desk: Desk, socket: PageSocket, first: string): Promise<void> => {
    const chosen = await chooser().choose(desk, translate('Compare with'), first);
    if (chosen !== undefined) {
      known.add(first);
      known.add(chosen.path);
      socket.send({ type: 'go', address: compareAddress(first, chosen.path), isBeside: false });
    }
  };

  const sessionPage = (path: string, query: URLSearchParams): ServedPage => ({
    bundle: 'webview',
    title: basename(path),
    connect: connected(doorPaths.session, (socket, desk) => {
      const { document, release } = documents.take(pathToFileURL(path).href);
      const editing = new TranscriptEditor(document, socket, {
        desk,
        surroundings,
        configuration,
        askService,
      });
      socket.onClose(release);
      const place = placeIn(query);
      if (place !== undefined) {
        editing.show(place);
      }
      return command => {
        switch (command.kind) {
          case 'export':
            editing.wantExport(command.form);
            return undefined;
          case 'task':
            editing.run(command.task);
            return undefined;
          case 'show':
            editing.show(command.place);
            return undefined;
          case 'openAsText':
            return desk.openSource(document.address);
          case 'compare':
            return compareWith(desk, socket, path);
          case 'session':
          case 'usage':
            return undefined;
        }
      };
    }),
  });

  const sessionsPage: ServedPage = {
    bundle: 'sessions',
    title: translate('Sessions'),
    connect: connected(doorPaths.sessions, (socket, desk) => {
      const app = new SessionsApp(sessionsTools);
      app.open(socket, desk, () => undefined);
      socket.onClose(() => app.dispose());
      return command => {
        if (command.kind !== 'session') {
          return undefined;
        }
        const { id, deed } = command;
        if (deed !== 'compare') {
          return app.carryOut(deed, id, desk);
        }
        const path = app.file(id)?.path;
        return path === undefined ? undefined : compareWith(desk, socket, path);
      };
    }),
  };

  const usagePage = (query: URLSearchParams): ServedPage => ({
    bundle: 'usage',
    title: translate('Usage'),
    connect: connected(doorPaths.usage, (socket, desk) => {
      const page = usage.open(socket, desk, usagePartIn(query));
      return command => (command.kind === 'usage' ? page.show(command.part) : undefined);
    }),
  });

  const comparePage = (first: string, second: string): ServedPage => ({
    bundle: 'compare',
    title: translate('Comparison'),
    connect: connected(doorPaths.compare, (socket, desk) => {
      openComparison(socket, desk, [first, second], { startWorker, configuration, log });
      return () => undefined;
    }),
  });

  const framePage: ServedPage = {
    bundle: 'frame',
    title: 'Context Inspector',
    connect: connection => connection.close(),
  };

  /** A page about files, if they are known. */
  const about = async (
    paths: readonly (string | null)[],
    page: (...paths: readonly string[]) => ServedPage,
  ): Promise<ServedPage | Refusal> => {
    const named = paths.flatMap(path => (path === null || path === '' ? [] : [path]));
    if (named.length < paths.length) {
      return noFile;
    }
    const areKnown = await Promise.all(named.map(path => known.has(path)));
    return areKnown.every(Boolean) ? page(...named) : notKnown;
  };

  const server = await ViewServer.start({
    port: options.port,
    bundles,
    warn: sentence => log.warn(sentence),
    find: async ({ pathname, searchParams: query }) => {
      switch (pathname) {
        case doorPaths.start:
          return framePage;
        case doorPaths.sessions:
          return sessionsPage;
        case doorPaths.usage:
          return usagePage(query);
        case doorPaths.session:
          return about([query.get('file')], (path = '') => sessionPage(path, query));
        case doorPaths.compare:
          return about([query.get('first'), query.get('second')], (first = '', second = '') =>
            comparePage(first, second),
          );
        default:
          return noPage;
      }
    },
  });
  const start = file === undefined ? doorPaths.start : framedAddress(sessionAddress(file));
  const link = (): string => server.link(start);
  return {
    server,
    start,
    link,
    open: async () => server.onceVisited(await openBrowser(link(), environment)),
    close: async () => {
      await server.close();
      documents.dispose();
      sessions?.dispose();
      usage.dispose();
      index.dispose();
      store.dispose();
    },
  };
}
