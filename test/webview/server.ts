/// <reference types="node" />
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { createNonce, webviewHtml } from '../../src/app/pageHtml';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.tokens': 'application/octet-stream',
};

/** The name of the bundle of a page. */
const pages: ReadonlyMap<string, string> = new Map([
  ['/', 'webview'],
  ['/sessions', 'sessions'],
  ['/compare', 'compare'],
]);

/**
 * Serves the pages that VS Code would build, under the same policy, with the fake host loaded before the webview's
 * script.
 */
export function serve({
  folders,
}: {
  readonly folders: readonly string[];
}): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = pages.get(pathname);
    if (name !== undefined) {
      const nonce = createNonce();
      const page = webviewHtml({
        cspSource: `http://${request.headers.host ?? 'localhost'}`,
        nonce,
        scriptUri: `/${name}.js`,
        styleUri: `/${name}.css`,
        title: 'Context Inspector',
        translations: { language: 'en', messages: {} },
      });
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(page.replace('<body>', `<body><script nonce="${nonce}" src="/fakeHost.js"></script>`));
      return;
    }
    const file = folders.map(folder => join(folder, pathname.slice(1))).find(path => existsSync(path));
    const type = types[extname(pathname)];
    if (file === undefined || type === undefined || pathname.includes('..')) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('content-type', type);
    // The browser compiles a script once for all tests.
    response.setHeader('cache-control', 'max-age=3600');
    response.end(readFileSync(file));
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({ url: `http://127.0.0.1:${port}/`, close: () => server.close() });
    });
  });
}
