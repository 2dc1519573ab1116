import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { describeAnyError } from '../node/files/fileErrors';
import { createNonce, webviewHtml } from '../app/pageHtml';
import { Access } from './access';
import type { Downloads } from './downloads';
import { isOfAnotherUser } from './peers';
import { isForeign, isVisit, type Refusal, refusalOf } from './requestGate';

/** The bundle of a page: a script and a style sheet with its name. */
export type PageBundle = 'frame' | 'webview' | 'sessions' | 'usage' | 'compare';

/** A page of the server. */
export interface ServedPage {
  readonly bundle: PageBundle;
  readonly title: string;
  /** Called for each socket that the page opens. */
  connect(socket: WebSocket): void;
}

export interface ServerOptions {
  /** The wanted port; 0 for any free one. */
  readonly port: number;
  /** The folder with the bundles. */
  readonly bundles: string;
  readonly downloads: Downloads;
  /** The page at an address, or the reason why there is none. */
  find(address: URL): Promise<ServedPage | Refusal>;
  /** Gets a sentence for each request that is refused or fails. */
  warn(sentence: string): void;
}

const address = '127.0.0.1';

/** Everything that is served from the folder of the bundles. */
const files: ReadonlySet<string> = new Set([
  'door.js',
  ...['frame.js', 'frame.css'],
  ...['webview.js', 'webview.css'],
  ...['sessions.js', 'sessions.css'],
  ...['usage.js', 'usage.css'],
  ...['compare.js', 'compare.css'],
  'highlighting.js',
]);

/** The largest message of a page, in bytes: prompts and options are small. */
const largestMessage = 4_000_000;
/** More pages than anybody has open. */
const mostSockets = 64;
const mostConnections = 512;
/** A socket without an answer for this long has no page any more, in milliseconds. */
const pulse = 30_000;

const noLink: Refusal = {
  status: 403,
  sentence:
    'Open this page with the link that "context-inspector view" prints. A link works once: press Enter in its terminal for a new one.',
};
const notFound: Refusal = { status: 404, sentence: 'There is no such page.' };

/** Serves the pages to the browsers of one user on this machine. */
export class ViewServer {
  private readonly sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage });
  private readonly access: Access;
  private readonly heartbeat: NodeJS.Timeout;
  private readonly visitors: (() => void)[] = [];

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly options: ServerOptions,
  ) {
    this.access = new Access(port);
    this.heartbeat = setInterval(() => this.beat(), pulse);
    this.heartbeat.unref();
  }

  /** Rejects with the system's error if the port is taken. */
  static async start(options: ServerOptions): Promise<ViewServer> {
    const server = createServer();
    server.maxConnections = mostConnections;
    server.listen({ host: address, port: options.port, exclusive: true });
    await once(server, 'listening');
    const bound = server.address();
    const started = new ViewServer(
      server,
      typeof bound === 'object' && bound !== null ? bound.port : options.port,
      options,
    );
    started.serve();
    return started;
  }

  /** A link that opens a page once, in a browser without a cookie. */
  link(page = '/'): string {
    return `http://${address}:${this.port}/?token=${this.access.token(page)}`;
  }

  /** The header with the cookie, for a browser that needs no link. */
  get cookie(): string {
    return this.access.cookie;
  }

  /** Calls once when a link has been used. */
  onceVisited(listener: () => void): void {
    this.visitors.push(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    this.sockets.clients.forEach(socket => socket.terminate());
    this.server.close();
    this.server.closeAllConnections();
    this.options.downloads.dispose();
    await once(this.server, 'close');
  }

  private serve(): void {
    const { server } = this;
    server.on('connection', socket => {
      if (isOfAnotherUser(socket)) {
        this.options.warn('A connection of another user of this machine was refused.');
        socket.destroy();
      }
    });
    server.on('request', (request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        this.options.warn(describeAnyError(error));
        response.destroy();
      });
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.upgrade(request, socket, head).catch((error: unknown) => {
        this.options.warn(describeAnyError(error));
        socket.destroy();
      });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(usualHeaders)) {
      response.setHeader(name, value);
    }
    const refused = refusalOf(request);
    if (refused !== undefined) {
      this.refuse(response, refused);
      return;
    }
    const url = addressOf(request);
    const token = url.pathname === '/' ? url.searchParams.get('token') : null;
    if (token !== null && isVisit(request)) {
      this.enter(request, response, token);
      return;
    }
    if (isForeign(request) || !this.access.isGranted(request.headers.cookie)) {
      this.refuse(response, noLink);
      return;
    }
    const file = url.pathname.slice(1);
    if (files.has(file)) {
      await this.sendFile(request, response, file);
      return;
    }
    const [, download] = /^\/download\/([\w-]+)$/.exec(url.pathname) ?? [];
    if (download !== undefined) {
      if (!(await this.options.downloads.send(download, response))) {
        this.refuse(response, notFound);
      }
      return;
    }
    const page = await this.options.find(url);
    if ('status' in page) {
      this.refuse(response, page);
    } else {
      this.sendPage(request, response, page);
    }
  }

  /**
   * The first visit. A page follows it, not a redirection, because a browser keeps the cookie back from a redirection
   * that began elsewhere.
   */
  private enter(request: IncomingMessage, response: ServerResponse, token: string): void {
    const page =
      this.access.spend(token) ?? (this.access.isGranted(request.headers.cookie) ? '/' : undefined);
    if (page === undefined) {
      this.refuse(response, noLink);
      return;
    }
    response.setHeader('set-cookie', this.access.cookie);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(entryPage(page));
    this.visitors.splice(0).forEach(tell => tell());
  }

  private async sendFile(
    { headers }: IncomingMessage,
    response: ServerResponse,
    name: string,
  ): Promise<void> {
    const path = join(this.options.bundles, name);
    const { mtimeMs, size } = statSync(path);
    const tag = `"${mtimeMs.toString(36)}-${size.toString(36)}"`;
    // The browser keeps the compiled script with the file.
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('etag', tag);
    if (headers['if-none-match'] === tag) {
      response.statusCode = 304;
      response.end();
      return;
    }
    const type = extname(name) === '.js' ? 'text/javascript' : 'text/css';
    response.setHeader('content-type', `${type}; charset=utf-8`);
    response.setHeader('content-length', size);
    await pipeline(createReadStream(path), response);
  }

  private sendPage(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { bundle, title }: ServedPage,
  ): void {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      webviewHtml({
        cspSource: `'self'`,
        nonce: createNonce(),
        firstScriptUri: '/door.js',
        scriptUri: `/${bundle}.js`,
        styleUri: `/${bundle}.css`,
        title,
        translations: { language: 'en', messages: {} },
        morePolicy: [
          `connect-src 'self' ws://${headers.host ?? address}`,
          ...(bundle === 'frame' ? [`frame-src 'self'`] : []),
          `base-uri 'none'`,
          `form-action 'none'`,
        ],
      }),
    );
  }

  private refuse(response: ServerResponse, { status, sentence }: Refusal): void {
    response.statusCode = status;
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(`${sentence}\n`);
  }

  private async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { cookie, origin } = request.headers;
    const refused =
      refusalOf(request) ??
      (origin === undefined || isForeign(request) || !this.access.isGranted(cookie) ? noLink : undefined) ??
      (this.sockets.clients.size < mostSockets ? undefined : tooMany);
    const page = refused ?? (await this.options.find(addressOf(request)));
    if ('status' in page) {
      socket.end(`HTTP/1.1 ${page.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, open => {
      isAlive.add(open);
      open.on('pong', () => isAlive.add(open));
      page.connect(open);
    });
  }

  private beat(): void {
    for (const socket of this.sockets.clients) {
      if (isAlive.delete(socket)) {
        socket.ping();
      } else {
        socket.terminate();
      }
    }
  }
}

const tooMany: Refusal = { status: 503, sentence: 'Too many pages are open.' };

/** The sockets that have answered since the last pulse. */
const isAlive = new WeakSet<WebSocket>();

const usualHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `frame-ancestors 'self'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const addressOf = ({ url, headers }: IncomingMessage): URL =>
  new URL(url ?? '/', `http://${headers.host ?? address}`);

/** Replaces itself by a page, so that the token is neither in the address nor in the history. */
function entryPage(page: string): string {
  const target = page.replace(/[&"'<>;]/g, character => `&#${character.charCodeAt(0)};`);
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
  <meta http-equiv="refresh" content="0;url=${target}">
  <title>Context Inspector</title>
</head>
<body><a href="${target}">Context Inspector</a></body>
</html>
`;
}
