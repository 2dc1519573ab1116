import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebSocket } from 'ws';
import type { AskService } from '../app/asking/askService';
import { openComparison } from '../app/compare/compareApp';
import type { Desk } from '../app/desk';
import { SessionsApp, type SessionsTools } from '../app/sessions/sessionsApp';
import { TranscriptEditor } from '../app/transcript/transcriptEditor';
import type { UsageApp } from '../app/usage/usageApp';
import { translate } from '../core/base/translate';
import { withNamedMarks } from '../core/sensitivity/redactionMark';
import { describeAnyError } from '../node/files/fileErrors';
import type { DoorCommand } from '../protocol/door';
import {
  compareAddress,
  doorPaths,
  placeIn,
  sessionAddress,
  usageAddress,
  usagePartIn,
} from '../protocol/doorAddresses';
import { type DeskTools, pageDesk } from './desk';
import type { Documents } from './documents';
import type { KnownFiles } from './knownFiles';
import type { Refusal } from './requestGate';
import type { ServedPage } from './server';
import { PageSocket } from './socket';

/** A command for the app of a certain page. */
type PageCommand = Exclude<DoorCommand, { kind: 'open' }>;

export interface PagesTools extends SessionsTools {
  readonly documents: Documents;
  readonly usage: UsageApp;
  readonly askService: AskService;
  readonly known: KnownFiles;
  /** The path of the bundled example. */
  readonly example: string;
  /** Filled with the desks of the open pages. */
  readonly desks: Set<Desk>;
  readonly desk: Omit<DeskTools, 'pages'>;
  /** Wraps the desk of each page, for tests that record the calls. */
  readonly around?: ((desk: Desk, page: string) => Desk) | undefined;
}

const notKnown: Refusal = {
  status: 403,
  sentence:
    'This file is in no folder of an agent or of your work. To see it, start "context-inspector view" with its path.',
};
const noPage: Refusal = { status: 404, sentence: 'There is no such page.' };
const noFile: Refusal = { status: 400, sentence: 'The address names no file.' };

/** The pages of the local server, each with its app behind it. */
export class Pages {
  private chooser: SessionsApp | undefined;

  constructor(private readonly tools: PagesTools) {}

  /** The page at an address, or the reason why there is none. */
  async find({ pathname, searchParams: query }: URL): Promise<ServedPage | Refusal> {
    switch (pathname) {
      case doorPaths.start:
        return { bundle: 'frame', title: 'Context Inspector', connect: connection => connection.close() };
      case doorPaths.sessions:
        return this.sessionsPage();
      case doorPaths.usage:
        return this.usagePage(query);
      case doorPaths.session:
        return this.about([query.get('file')], (path = '') => this.sessionPage(path, query));
      case doorPaths.compare:
        return this.about([query.get('first'), query.get('second')], (first = '', second = '') =>
          this.comparePage(first, second),
        );
      default:
        return noPage;
    }
  }

  dispose(): void {
    this.chooser?.dispose();
  }

  /** A page about files, if they are known. */
  private async about(
    paths: readonly (string | null)[],
    page: (...paths: readonly string[]) => ServedPage,
  ): Promise<ServedPage | Refusal> {
    const named = paths.flatMap(path => (path === null || path === '' ? [] : [path]));
    if (named.length < paths.length) {
      return noFile;
    }
    const areKnown = await Promise.all(named.map(path => this.tools.known.has(path)));
    return areKnown.every(Boolean) ? page(...named) : notKnown;
  }

  private sessionPage(path: string, query: URLSearchParams): ServedPage {
    const { documents, surroundings, configuration, askService } = this.tools;
    return {
      bundle: 'webview',
      title: basename(path),
      connect: this.connected(doorPaths.session, (socket, desk) => {
        const { document, release } = documents.take(pathToFileURL(path).href);
        socket.onClose(release);
        const naming = document.onDidPost(() => {
          const { state } = document;
          if (state.kind === 'shown') {
            socket.setTitle(withNamedMarks(state.summary.title));
          }
        });
        socket.onClose(() => naming.dispose());
        const editing = new TranscriptEditor(document, socket, {
          desk,
          surroundings,
          configuration,
          askService,
        });
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
              return this.compareWith(desk, socket, path);
            case 'session':
            case 'usage':
              return undefined;
          }
        };
      }),
    };
  }

  private sessionsPage(): ServedPage {
    return {
      bundle: 'sessions',
      title: translate('Sessions'),
      connect: this.connected(doorPaths.sessions, (socket, desk) => {
        const app = new SessionsApp(this.tools);
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
          return path === undefined ? undefined : this.compareWith(desk, socket, path);
        };
      }),
    };
  }

  private usagePage(query: URLSearchParams): ServedPage {
    return {
      bundle: 'usage',
      title: translate('Usage'),
      connect: this.connected(doorPaths.usage, (socket, desk) => {
        const page = this.tools.usage.open(socket, desk, usagePartIn(query));
        return command => (command.kind === 'usage' ? page.show(command.part) : undefined);
      }),
    };
  }

  private comparePage(first: string, second: string): ServedPage {
    const { startWorker, configuration, surroundings } = this.tools;
    return {
      bundle: 'compare',
      title: translate('Comparison'),
      connect: this.connected(doorPaths.compare, (socket, desk) => {
        openComparison(socket, desk, [first, second], { startWorker, configuration, log: surroundings.log });
        return () => undefined;
      }),
    };
  }

  /** Connects a socket with the app of a page. `open` returns the function that carries out commands. */
  private connected(
    page: string,
    open: (socket: PageSocket, desk: Desk) => (command: PageCommand) => unknown,
  ): (connection: WebSocket) => void {
    return connection => {
      const socket = new PageSocket(connection, this.tools.surroundings.log);
      const desk = this.deskOf(socket, page);
      const { desks } = this.tools;
      desks.add(desk);
      socket.onClose(() => desks.delete(desk));
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
    };
  }

  private deskOf(socket: PageSocket, page: string): Desk {
    const { desk, known, example, around } = this.tools;
    const plain = pageDesk(socket, {
      ...desk,
      pages: {
        session: (path, place) => {
          known.add(path);
          return sessionAddress(path, place);
        },
        usage: usageAddress,
        example: sessionAddress(example),
      },
    });
    return around?.(plain, page) ?? plain;
  }

  /** Compares a session with one that the user chooses. */
  private async compareWith(desk: Desk, socket: PageSocket, first: string): Promise<void> {
    this.chooser ??= new SessionsApp(this.tools);
    const chosen = await this.chooser.choose(desk, translate('Compare with'), first);
    if (chosen !== undefined) {
      this.tools.known.add(first);
      this.tools.known.add(chosen.path);
      socket.send({ type: 'go', address: compareAddress(first, chosen.path), isBeside: false });
    }
  }
}
