import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { member, numberAt, objectAt, stringAt } from '../../../src/core/base/json';
import { sessionAddress } from '../../../src/protocol/doorAddresses';
import { cliPath, CommandLine } from '../../fixtures/commandLine';
import { DoorClient } from '../../fixtures/doorClient';
import { type FaultServer, startFaultServer } from '../../fixtures/faultServer';
import { ask } from '../../fixtures/httpClient';
import { programFolder } from '../../fixtures/program';
import { until } from '../../fixtures/until';
import { startTestView, type TestView } from '../../fixtures/viewServer';

const example = 'media/example/session.jsonl';

describe('the pages in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'context-inspector-pages-'));
  const work = join(folder, 'work');
  const file = join(folder, 'session.jsonl');
  let view: TestView;

  let provider: FaultServer;

  before(async () => {
    provider = await startFaultServer(response => {
      response.statusCode = 500;
      response.end();
    });
    mkdirSync(work);
    copyFileSync(example, file);
    copyFileSync(example, join(work, 'other.jsonl'));
    view = await startTestView({
      file,
      folders: [work],
      bundles: programFolder,
      environment: { ANTHROPIC_API_KEY: 'key-of-the-environment' },
      settings: {
        'contextInspector.prune.protectTokens': 7,
        'contextInspector.asking.providers': { anthropic: { baseUrl: provider.baseUrl } },
      },
    });
  });
  after(async () => {
    await view.close();
    await provider.close();
    rmSync(folder, { recursive: true });
  });

  const open = (path: string): Promise<DoorClient> =>
    DoorClient.open(view.server.port, path, view.server.cookie);
  const statusOf = async (path: string): Promise<number> =>
    (await ask(view.server.port, path, { cookie: `${view.cookie.name}=${view.cookie.value}` })).status;
  const nextNews = async (page: DoorClient, type: string): Promise<unknown> =>
    (await page.next('page', ({ message }) => stringAt(message, 'type') === type)).message;

  it('begin with the transcript that the user named', async () => {
    const page = await open(sessionAddress(file, { request: 3 }));
    page.send({ type: 'page', message: { type: 'ready' } });
    const options = member(await nextNews(page, 'pruneOptions'), 'options');
    assert.equal(numberAt(options, 'protectTokens'), 7);
    const session = await nextNews(page, 'session');
    assert.equal(stringAt(session, 'fileName'), 'session.jsonl');
    const columns = objectAt(session, 'columns');
    assert.ok(member(columns, 'buffer') instanceof ArrayBuffer);
    assert.deepEqual(member(await nextNews(page, 'show'), 'place'), { request: 3 });
    await page.close();
  });

  it('follow a file that an agent writes', async () => {
    const page = await open(sessionAddress(file));
    page.send({ type: 'page', message: { type: 'ready' } });
    await nextNews(page, 'session');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    appendFileSync(file, `${lines.findLast(line => line.includes('"type":"user"')) ?? ''}\n`);
    assert.equal(stringAt(await nextNews(page, 'update'), 'type'), 'update');
    await page.close();
  });

  it('export as a download, when the frame says so', async () => {
    const page = await open(sessionAddress(file));
    page.send({ type: 'page', message: { type: 'ready' } });
    await nextNews(page, 'session');
    page.send({ type: 'command', command: { kind: 'export', form: 'twin' } });
    const wanted = numberAt(await nextNews(page, 'exportWanted'), 'ask');
    const act = {
      kind: 'export',
      form: 'twin',
      request: 0,
      colour: 'source',
      options: member(await exportOptions(page), 'options'),
      ask: wanted,
    };
    page.send({ type: 'page', message: { type: 'act', act } });
    const { address, name } = await page.next('download');
    assert.equal(name, 'session.twin.jsonl');
    assert.equal(await statusOf(address), 200);
    assert.ok(view.calls.some(call => call.page === '/session' && call.name === 'target'));
    await page.close();
  });

  async function exportOptions(page: DoorClient): Promise<unknown> {
    page.send({ type: 'page', message: { type: 'ready' } });
    return nextNews(page, 'pruneOptions');
  }

  it('pass the gate of their own contract', async () => {
    const page = await open(sessionAddress(file));
    page.send({ type: 'page', message: { type: 'ready' } });
    page.send({
      type: 'page',
      message: { type: 'act', act: { kind: 'openPath', block: '../../etc/passwd' } },
    });
    assert.match(stringAt(await nextNews(page, 'refused'), 'sentence') ?? '', /refused an invalid message/);
    await page.close();
  });

  it('show no file outside of the folders of agents and of the work', async () => {
    assert.equal(await statusOf(sessionAddress(file)), 200);
    assert.equal(await statusOf(sessionAddress(join(work, 'other.jsonl'))), 200);
    for (const outside of [
      join(folder, 'missing.jsonl'),
      '/etc/passwd',
      join(work, '..', '..'),
      `${work}/../../etc/hosts`,
      join(folder, 'session.jsonl '),
    ]) {
      assert.equal(await statusOf(sessionAddress(outside)), 403, outside);
      await assert.rejects(open(sessionAddress(outside)), /403/, outside);
    }
    assert.equal(await statusOf('/session'), 400);
    assert.equal(await statusOf(`/compare?first=${file}`), 400);
    assert.equal(await statusOf(`/compare?first=${file}&second=/etc/passwd`), 403);
    assert.equal(await statusOf(`/compare?first=${file}&second=${join(work, 'other.jsonl')}`), 200);
    assert.equal(await statusOf('/elsewhere'), 404);
    for (const path of ['/', '/sessions', '/usage', '/usage?part=search']) {
      assert.equal(await statusOf(path), 200, path);
    }
  });

  it('ask a model with a key of the environment, after a preview', async () => {
    const page = await open(sessionAddress(file));
    page.send({ type: 'page', message: { type: 'ready' } });
    await nextNews(page, 'session');
    const handle = (given: unknown): void =>
      page.send({ type: 'page', message: { type: 'act', act: { kind: 'askModel', ask: given } } });
    const nextAsk = async (kind: string): Promise<unknown> => {
      const { message } = await page.next(
        'page',
        each => stringAt(objectAt(each.message, 'news'), 'kind') === kind,
      );
      return member(message, 'news');
    };
    const order = {
      ...{ form: 'replay', request: 3, provider: 'anthropic', model: 'claude-sonnet-4-5' },
      ...{ keepSecrets: false, times: 1, question: '' },
    };
    handle({ kind: 'prepare', order });
    const plan = member(await nextAsk('plan'), 'plan');
    assert.equal(member(plan, 'lacksKey'), false);
    assert.equal(stringAt(plan, 'destination'), new URL(provider.baseUrl).origin);
    assert.equal(provider.requests.length, 0, 'nothing is sent yet');
    handle({ kind: 'send', plan: numberAt(plan, 'plan') });
    await nextAsk('ended');
    assert.equal(provider.requests[0]?.headers['x-api-key'], 'key-of-the-environment');
    await page.close();
  });

  it('save settings in the file of the user', async () => {
    const page = await open(sessionAddress(file));
    page.send({ type: 'page', message: { type: 'ready' } });
    await nextNews(page, 'hiddenWaste');
    page.send({ type: 'page', message: { type: 'act', act: { kind: 'hideWaste', kinds: ['noisyOutput'] } } });
    assert.deepEqual(member(await nextNews(page, 'hiddenWaste'), 'kinds'), ['noisyOutput']);
    assert.match(readFileSync(join(view.config, 'settings.json'), 'utf8'), /noisyOutput/);
    page.send({ type: 'page', message: { type: 'act', act: { kind: 'looked' } } });
    page.send({ type: 'page', message: { type: 'act', act: { kind: 'copyLink', request: 2 } } });
    await page.next('copyLink');
    await until('the memory is written', () => existsSync(join(view.config, 'memory.json')));
    assert.match(readFileSync(join(view.config, 'memory.json'), 'utf8'), /"looked": true/);
    await page.close();
  });
});

describe('context-inspector view', () => {
  const cli = new CommandLine();
  const started: ChildProcess[] = [];
  after(() => {
    started.forEach(child => child.kill('SIGKILL'));
    cli.remove();
  });

  /** Starts the program, and resolves with its link. */
  const start = async (
    ...words: readonly string[]
  ): Promise<{ readonly child: ChildProcess; readonly link: URL; readonly printed: string }> => {
    const child = spawn(process.execPath, [cliPath, 'view', '--no-open', ...words], {
      env: {
        ...process.env,
        HOME: cli.folder,
        TMPDIR: cli.folder,
        XDG_CONFIG_HOME: cli.folder,
        XDG_CACHE_HOME: cli.folder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let printed = '';
    child.stdout.on('data', chunk => {
      printed += String(chunk);
    });
    while (!printed.includes('end')) {
      await once(child.stdout, 'data');
    }
    return { child, link: new URL(/http:\S+/.exec(printed)?.[0] ?? ''), printed };
  };

  it('prints a link, and leaves nothing behind', async () => {
    const { child, link, printed } = await start(example);
    assert.match(
      printed,
      /^Open this link in your browser\. It works once:\n {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n/,
    );
    const port = Number(link.port);
    const visit = await ask(port, `/${link.search}`);
    assert.equal(visit.status, 200);
    assert.match(visit.body, /url=\/#\/session\?file=/);
    const [cookie = ''] = visit.headers['set-cookie'] ?? [];
    const page = await DoorClient.open(port, sessionAddress(join(process.cwd(), example)), cookie);
    page.send({ type: 'page', message: { type: 'ready' } });
    await page.next('page', ({ message }) => stringAt(message, 'type') === 'session');
    child.kill('SIGINT');
    await once(child, 'exit');
    await assert.rejects(ask(port, '/'), { code: 'ECONNREFUSED' });
    assert.deepEqual(
      readdirSync(cli.folder).filter(name => name.startsWith('context-inspector-')),
      [],
    );
  });

  it('takes the wanted port', async () => {
    const { link } = await start();
    const taken = await cli.start({}, 'view', '--no-open', '--port', link.port);
    assert.equal(taken.code, 2);
    assert.equal(taken.stderr, `Port ${link.port} is used by another program.\n`);
  });

  it('refuses what cannot be opened before a browser is', async () => {
    for (const [words, sentence] of [
      [['missing.jsonl'], 'missing.jsonl: The file does not exist.\n'],
      [['media'], 'media: This is a folder, not a file.\n'],
      [['--port', '65536'], '--port must be at most 65535.\n'],
      [['--port', 'x'], '--port takes a whole number from 0, not "x".\n'],
    ] as const) {
      const { code, stderr } = await cli.run('view', ...words);
      assert.deepEqual([code, stderr], [2, sentence]);
    }
    const { code, stderr } = await cli.run('view', '--editor', 'ed');
    assert.equal(code, 2);
    assert.match(stderr, /Name an editor, or write its call with \{file\}\. The names are code, /);
  });
});
