import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AskService } from '../app/asking/askService';
import type { Desk, Surroundings } from '../app/desk';
import { cleanLog } from '../app/log';
import { SessionIndex } from '../app/sessions/sessionIndex';
import { Configuration } from '../app/settings/configuration';
import { UsageApp } from '../app/usage/usageApp';
import { sessionPlaces } from '../core/finder/agentLocations';
import { cacheFolder, configFolder } from '../node/files/userFolders';
import { threadOf } from '../node/threads/bundleThread';
import { thisMachine } from '../node/thisMachine';
import { doorPaths, framedAddress, sessionAddress } from '../protocol/doorAddresses';
import { openBrowser } from './browser';
import { Documents } from './documents';
import { Downloads } from './downloads';
import { editorOf } from './editor';
import { diskFiles } from './files';
import { keysIn } from './keys';
import { KnownFiles } from './knownFiles';
import { memoryIn } from './memory';
import { Pages } from './pages';
import { reveal } from './reveal';
import { ViewServer } from './server';
import { SettingsFile } from './settings';

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
  /** The desks of the open pages. */
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
  const usage = new UsageApp({ index, configuration, log });
  const askService: AskService = new AskService({
    configuration,
    keys: keysIn(environment, provider => askService.originOf(provider)),
    ownModels: undefined,
    isTrusted: () => true,
    replays: join(config, 'replays'),
  });
  configuration.onDidChange('models', () => documents.modelsChanged());
  const downloads = new Downloads();
  const pages = new Pages({
    startWorker,
    configuration,
    index,
    surroundings,
    documents,
    usage,
    askService,
    known,
    example,
    desks,
    desk: {
      downloads,
      editor: editorOf(options.editor, environment),
      reveal,
      settingsFile: () => store.create(),
    },
    around: options.around,
  });
  const server = await ViewServer.start({
    port: options.port,
    bundles,
    downloads,
    warn: sentence => log.warn(sentence),
    find: address => pages.find(address),
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
      pages.dispose();
      usage.dispose();
      index.dispose();
      store.dispose();
    },
  };
}
