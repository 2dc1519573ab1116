import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { Downloads } from '../../../src/view/downloads';
import { ViewServer } from '../../../src/view/server';
import { ask } from '../../fixtures/httpClient';

const folder = mkdtempSync(join(tmpdir(), 'context-inspector-server-'));
const warnings: string[] = [];
let server: ViewServer;
let cookie = '';
let connected = 0;

const own = (): { readonly cookie: string } => ({ cookie });
const origin = (): string => `http://127.0.0.1:${server.port}`;
const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link);
  return pathname + search;
};

/** Resolves with "open", or with the status that the server refuses a socket with. */
async function socketAt(
  path: string,
  headers: Readonly<Record<string, string>>,
  onOpen: (socket: WebSocket) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { headers });
  try {
    await once(socket, 'open');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  await onOpen(socket);
  socket.terminate();
  return 'open';
}

describe('the server of the pages', () => {
  before(async () => {
    writeFileSync(join(folder, 'door.js'), '"door"');
    writeFileSync(join(folder, 'worker.js'), '"worker"');
    server = await ViewServer.start({
      port: 0,
      bundles: folder,
      downloads: new Downloads(),
      warn: sentence => warnings.push(sentence),
      find: ({ pathname }) =>
        Promise.resolve(
          pathname === '/sessions'
            ? {
                bundle: 'sessions',
                title: '<Sessions>',
                connect: socket => {
                  connected += 1;
                  socket.on('error', () => undefined);
                },
              }
            : { status: 404, sentence: 'There is no such page.' },
        ),
    });
    cookie = server.cookie.split(';')[0] ?? '';
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it('gives a browser its cookie by a link, and the link is worthless after that', async () => {
    const link = server.link('/#/session?file=/a&b="');
    const visit = await ask(server.port, pathOf(link), { 'sec-fetch-site': 'cross-site', origin: origin() });
    assert.equal(visit.status, 200);
    assert.deepEqual(visit.headers['set-cookie'], [server.cookie]);
    assert.match(server.cookie, /; HttpOnly; SameSite=Strict$/);
    assert.ok(
      server.cookie.startsWith(`context-inspector-${server.port}=`),
      'cookies do not depend on the port',
    );
    assert.match(visit.body, /url=\/#\/session\?file=\/a&#38;b=&#34;"/);
    const second = await ask(server.port, pathOf(link));
    assert.equal(second.status, 403);
    assert.equal(second.headers['set-cookie'], undefined);
    // The browser that has the cookie comes in by its old link.
    assert.equal((await ask(server.port, pathOf(link), own())).status, 200);
  });

  it('keeps a link for the visit, and away from what a browser loads in advance or in a frame', async () => {
    const link = pathOf(server.link());
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { purpose: 'prefetch' },
      { 'sec-fetch-dest': 'iframe' },
    ]) {
      assert.equal((await ask(server.port, link, headers)).status, 403);
    }
    assert.equal((await ask(server.port, link)).status, 200);
  });

  it('refuses a visit without a token, with a wrong one, and with a wrong cookie', async () => {
    for (const path of ['/', '/sessions', '/door.js', '/?token=', `/?token=${'A'.repeat(43)}`]) {
      const refused = await ask(server.port, path);
      assert.equal(refused.status, 403, path);
      assert.equal(refused.headers['set-cookie'], undefined);
      assert.match(refused.body, /press Enter/);
    }
    const [name = ''] = cookie.split('=');
    for (const wrong of [`${name}=`, `${name}=${'A'.repeat(43)}`, cookie.slice(0, -1), `x${cookie}`]) {
      assert.equal((await ask(server.port, '/sessions', { cookie: wrong })).status, 403, wrong);
    }
    assert.equal((await ask(server.port, '/sessions', { cookie: `a=b; ${cookie}; c` })).status, 200);
  });

  it('has only the names of this machine', async () => {
    const link = pathOf(server.link());
    for (const host of [
      'inspector.example',
      `127.0.0.1.inspector.example:${server.port}`,
      `localhost.example`,
      '127.0.0.2',
      '0.0.0.0',
      '127.0.0.1:1:2',
      'a@127.0.0.1',
    ]) {
      assert.equal((await ask(server.port, '/sessions', { ...own(), host })).status, 403, host);
      assert.equal((await ask(server.port, link, { host })).status, 403, host);
    }
    // A tunnel has any port.
    for (const host of ['127.0.0.1', 'localhost:8080', '[::1]:9']) {
      assert.equal((await ask(server.port, '/sessions', { ...own(), host })).status, 200, host);
    }
  });

  it('refuses what pages of other sites ask for', async () => {
    for (const foreign of [
      'https://inspector.example',
      'null',
      'http://127.0.0.1:1',
      `https://127.0.0.1:${server.port}`,
    ]) {
      assert.equal((await ask(server.port, '/sessions', { ...own(), origin: foreign })).status, 403, foreign);
    }
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(
        (await ask(server.port, '/sessions', { ...own(), 'sec-fetch-site': site })).status,
        403,
        site,
      );
    }
    for (const site of ['same-origin', 'none']) {
      assert.equal(
        (await ask(server.port, '/sessions', { ...own(), 'sec-fetch-site': site })).status,
        200,
        site,
      );
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      assert.equal((await ask(server.port, '/sessions', own(), method)).status, 405, method);
    }
  });

  it('serves the files of pages, and nothing beside them', async () => {
    const { status, body, headers } = await ask(server.port, '/door.js', own());
    assert.equal(status, 200);
    assert.equal(body, '"door"');
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    const again = await ask(server.port, '/door.js', { ...own(), 'if-none-match': String(headers.etag) });
    assert.equal(again.status, 304);
    for (const path of [
      '/worker.js',
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/door.js/../worker.js',
      '/%2fdoor.js',
      '/download/..%2fdoor.js',
      '/download/3e5a',
    ]) {
      assert.equal((await ask(server.port, path, own())).status, 404, path);
    }
    for (const path of ['//127.0.0.1/door.js', 'http://127.0.0.1/door.js']) {
      assert.equal((await ask(server.port, path, own())).status, 400, path);
    }
  });

  it('sends pages under a strict policy, which nobody keeps or frames', async () => {
    const { headers, body } = await ask(server.port, '/sessions', own());
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['content-security-policy'], `frame-ancestors 'self'`);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? [];
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(body) ?? [];
    assert.deepEqual(policy.split('; '), [
      `default-src 'none'`,
      `style-src 'self'`,
      `font-src 'self'`,
      `img-src 'self' blob:`,
      `script-src 'nonce-${nonce}'`,
      `connect-src 'self' ws://127.0.0.1:${server.port}`,
      `base-uri 'none'`,
      `form-action 'none'`,
    ]);
    assert.match(body, /<title>&lt;Sessions&gt;<\/title>/);
    assert.match(body, /src="\/door\.js"><\/script>\s+<script nonce="[^"]+" src="\/sessions\.js">/);
  });

  it('opens sockets for its own pages alone', async () => {
    const good = { ...own(), origin: origin() };
    assert.equal(await socketAt('/sessions', good), 'open');
    const refusals: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
      ['no cookie', '/sessions', { origin: origin() }],
      ['a wrong cookie', '/sessions', { cookie: `${cookie}x`, origin: origin() }],
      ['no origin', '/sessions', own()],
      ['a foreign origin', '/sessions', { ...own(), origin: 'https://inspector.example' }],
      ['another port', '/sessions', { ...own(), origin: 'http://127.0.0.1:1' }],
      [
        'a foreign name',
        '/sessions',
        { ...good, host: 'inspector.example', origin: 'http://inspector.example' },
      ],
      ['another site', '/sessions', { ...good, 'sec-fetch-site': 'same-site' }],
    ];
    const before = connected;
    for (const [what, path, headers] of refusals) {
      assert.equal(await socketAt(path, headers), 'Unexpected server response: 403', what);
    }
    assert.equal(await socketAt('/elsewhere', good), 'Unexpected server response: 404');
    assert.equal(connected, before);
  });

  it('ends a socket that sends too much', async () => {
    await socketAt('/sessions', { ...own(), origin: origin() }, async socket => {
      socket.send('x'.repeat(5_000_000));
      assert.equal((await once(socket, 'close'))[0], 1009);
    });
  });

  it('has room for a number of sockets', async () => {
    const sockets: WebSocket[] = [];
    const open = async (): Promise<void> => {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/sessions`, {
        headers: { ...own(), origin: origin() },
      });
      sockets.push(socket);
      await once(socket, 'open');
    };
    await assert.rejects(async () => {
      for (;;) {
        await open();
      }
    }, /503/);
    assert.equal(sockets.length, 65);
    const closed = sockets.slice(0, -1).map(socket => once(socket, 'close'));
    sockets.forEach(socket => socket.close());
    await Promise.all(closed);
  });

  it('refuses connections of other users of the machine', async t => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) {
      t.skip('only root on Linux can be another user');
      return;
    }
    // The file of Node itself may be one that the other user cannot read.
    const code = `
      process.setuid(Number(process.env.USER_ID));
      const request = require('node:http').get({ host: '127.0.0.1', port: ${server.port}, path: '/sessions', headers: { cookie: process.env.COOKIE } });
      request.on('response', ({ statusCode }) => { console.log(statusCode); process.exit(); });
      request.on('error', ({ code }) => console.log(code));
    `;
    const replyTo = async (uid: number): Promise<string> => {
      const child = spawn(process.execPath, ['--eval', code], {
        env: { COOKIE: cookie, USER_ID: String(uid) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return (await text(child.stdout)).trim();
    };
    assert.equal(await replyTo(0), '200');
    assert.equal(await replyTo(65_534), 'ECONNRESET');
    assert.ok(warnings.includes('A connection of another user of this machine was refused.'));
  });

  it('is not reachable from other machines, and by nobody after its end', async () => {
    const other = await ViewServer.start({
      port: 0,
      bundles: folder,
      downloads: new Downloads(),
      warn: () => undefined,
      find: () => Promise.resolve({ status: 404, sentence: '' }),
    });
    const refusal = async (host: string): Promise<string> => {
      const socket = connect({ host, port: other.port });
      return once(socket, 'connect').then(
        () => {
          socket.destroy();
          return 'connected';
        },
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : ''),
      );
    };
    assert.equal(await refusal('127.0.0.1'), 'connected');
    if (process.platform === 'linux') {
      assert.equal(await refusal('127.0.0.2'), 'ECONNREFUSED');
    }
    await other.close();
    assert.equal(await refusal('127.0.0.1'), 'ECONNREFUSED');
  });

  it('says that a port is taken', async () => {
    await assert.rejects(
      ViewServer.start({
        port: server.port,
        bundles: folder,
        downloads: new Downloads(),
        warn: () => undefined,
        find: () => Promise.resolve({ status: 404, sentence: '' }),
      }),
      { code: 'EADDRINUSE' },
    );
  });
});
