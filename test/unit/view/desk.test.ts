import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, afterEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Desk } from '../../../src/app/desk';
import { sessionAddress, usageAddress } from '../../../src/protocol/doorAddresses';
import { pageDesk } from '../../../src/view/desk';
import { Downloads } from '../../../src/view/downloads';
import { ViewServer } from '../../../src/view/server';
import { PageSocket } from '../../../src/view/socket';
import { DoorClient } from '../../fixtures/doorClient';
import { ask } from '../../fixtures/httpClient';

const folder = mkdtempSync(join(tmpdir(), 'context-inspector-desk-'));
const opened: (readonly [string, number | undefined])[] = [];
const errors: string[] = [];
const downloads = new Downloads();
let server: ViewServer;
let desk: Desk;
let socket: PageSocket;
let browser: DoorClient;

const log = {
  debug: () => undefined,
  warn: () => undefined,
  error: (line: string) => errors.push(line),
  dispose: () => undefined,
};

/** A value that arrives, or undefined if it does not before the next turn. */
const settled = async <Value>(value: PromiseLike<Value>): Promise<Value | 'pending'> =>
  Promise.race([value, new Promise<'pending'>(resolve => setImmediate(() => resolve('pending')))]);

describe('the desk of a page in a browser', () => {
  before(async () => {
    server = await ViewServer.start({
      port: 0,
      bundles: folder,
      downloads,
      warn: () => undefined,
      find: ({ pathname }) =>
        Promise.resolve({
          bundle: 'sessions',
          title: 'Sessions',
          connect: connection => {
            socket = new PageSocket(connection, log);
            desk = pageDesk(socket, {
              pages: {
                session: sessionAddress,
                usage: usageAddress,
                example: sessionAddress('/example'),
              },
              downloads,
              editor:
                pathname === '/plain'
                  ? undefined
                  : (path, line) => {
                      opened.push([path, line]);
                      return Promise.resolve();
                    },
              reveal: () => Promise.resolve(),
              settingsFile: () => Promise.resolve(join(folder, 'settings.json')),
            });
          },
        }),
    });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    browser = await DoorClient.open(server.port, '/sessions', server.cookie);
  });
  afterEach(() => browser.close());

  it('says a sentence as one plain line, and tells the pressed button', async () => {
    const pressed = desk.say('warning', 'Lost\u202e\n\tfile', 'Open', 'Co\u0007py');
    const { id, ...shown } = await browser.next('say');
    assert.deepEqual(shown, {
      type: 'say',
      kind: 'warning',
      sentence: 'Lost[U+202E] file',
      buttons: ['Open', 'Co[U+0007]py'],
    });
    browser.answer(id, 1);
    assert.equal(await pressed, 'Co\u0007py');
    const closed = desk.say('error', 'x'.repeat(5000), 'Open');
    const other = await browser.next('say');
    assert.equal(other.sentence.length, 1000);
    browser.answer(other.id);
    assert.equal(await closed, undefined);
  });

  it('lets the user choose, and gives what was chosen', async () => {
    const choices = [{ label: 'One' }, { label: 'Two', description: 'second', detail: 'of two', own: 2 }];
    for (const [answer, expected] of [
      [1, choices[1]],
      [2, undefined],
      ['Two', undefined],
      [undefined, undefined],
    ] as const) {
      const chosen = desk.choose(choices, 'Which');
      const { id, choices: shown, title, isFilling } = await browser.next('choose');
      assert.deepEqual(shown, [{ label: 'One' }, { label: 'Two', description: 'second', detail: 'of two' }]);
      assert.deepEqual([title, isFilling], ['Which', false]);
      browser.answer(id, answer);
      assert.equal(await chosen, expected);
    }
  });

  it('lets the user choose while the list grows', async () => {
    let add: (choices: readonly { readonly label: string }[]) => boolean = () => false;
    let end: () => void = () => undefined;
    const chosen = desk.chooseWhileFilling({ title: 'Which', placeholder: 'Name' }, given => {
      add = given;
      return new Promise(resolve => {
        end = resolve;
      });
    });
    const { id, isFilling, placeholder } = await browser.next('choose');
    assert.deepEqual([isFilling, placeholder], [true, 'Name']);
    assert.equal(add([{ label: 'One' }]), true);
    assert.deepEqual((await browser.next('choices')).choices, [{ label: 'One' }]);
    assert.equal(add([{ label: 'Two' }, { label: 'Three' }]), true);
    end();
    assert.equal((await browser.next('choices', news => !news.isFilling)).choices.length, 0);
    browser.answer(id, 2);
    assert.deepEqual(await chosen, { label: 'Three' });
    assert.equal(add([{ label: 'Four' }]), false);
  });

  it('asks for a text, and believes only one without an error', async () => {
    const question = {
      title: 'Budget',
      prompt: 'Tokens',
      problemOf: (text: string) => (/^\d+$/.test(text) ? undefined : 'Enter a number.'),
    };
    const typed = desk.text(question);
    const { id } = await browser.next('text');
    browser.send({ type: 'typed', id, text: '1x' });
    assert.equal((await browser.next('problem')).problem, 'Enter a number.');
    browser.send({ type: 'typed', id, text: '12' });
    assert.equal((await browser.next('problem')).problem, '');
    browser.answer(id, '12');
    assert.equal(await typed, '12');
    const wrong = desk.text(question);
    browser.answer((await browser.next('text')).id, '1x');
    assert.equal(await wrong, undefined);
  });

  it('shows progress, which the user can cancel', async () => {
    let cancels = 0;
    let finish: (value: string) => void = () => undefined;
    const work = desk.progress({ title: 'Exporting', canCancel: true }, ({ report, onDidCancel }) => {
      onDidCancel(() => {
        cancels += 1;
        finish('cancelled');
      });
      report(40, 'half');
      report(20);
      return new Promise<string>(resolve => {
        finish = resolve;
      });
    });
    const { id, canCancel, isQuiet } = await browser.next('progress');
    assert.deepEqual([canCancel, isQuiet], [true, false]);
    assert.deepEqual(await browser.next('progressed'), {
      type: 'progressed',
      id,
      percent: 40,
      message: 'half',
    });
    assert.equal((await browser.next('progressed')).percent, 60);
    browser.answer(id, 0);
    assert.equal(await work, 'cancelled');
    assert.equal(cancels, 1);
    const failing = desk.progress({ title: 'Quiet', isQuiet: true }, () => Promise.reject(new Error('No.')));
    await assert.rejects(failing, /No\./);
    assert.equal((await browser.next('end', end => end.id !== id)).id, (await browser.next('progress')).id);
  });

  it('gives a written file to the browser, once', async () => {
    const target = await desk.target({ name: 'session.report.html', beside: undefined });
    assert.ok(target !== undefined);
    writeFileSync(target.path, 'report');
    target.saved('The export was saved.');
    const { address, name } = await browser.next('download');
    assert.equal(name, 'session.report.html');
    assert.equal((await browser.next('say')).sentence, 'The export was saved.');
    const cookie = server.cookie.split(';')[0] ?? '';
    assert.equal((await ask(server.port, address)).status, 403);
    const { status, body, headers } = await ask(server.port, address, { cookie });
    assert.deepEqual([status, body], [200, 'report']);
    assert.equal(headers['content-disposition'], `attachment; filename*=UTF-8''session.report.html`);
    assert.equal((await ask(server.port, address, { cookie })).status, 404);
  });

  it('asks for the kind of a file with several', async () => {
    const target = desk.target({
      name: 'usage.csv',
      beside: undefined,
      kinds: { CSV: ['csv'], JSON: ['json'] },
    });
    const { id, choices } = await browser.next('choose');
    assert.deepEqual(choices, [{ label: 'CSV' }, { label: 'JSON' }]);
    browser.answer(id, 1);
    assert.ok((await target)?.path.endsWith('usage.json'));
    const cancelled = desk.target({
      name: 'usage.csv',
      beside: undefined,
      kinds: { CSV: ['csv'], JSON: ['json'] },
    });
    browser.answer((await browser.next('choose')).id);
    assert.equal(await cancelled, undefined);
  });

  it('asks for a folder and for a file', async () => {
    writeFileSync(join(folder, 'replay-1.jsonl'), '');
    writeFileSync(join(folder, 'other.txt'), '');
    const asked = desk.folder({ title: 'Folder', label: 'Save Here' });
    const { id } = await browser.next('text');
    for (const [typed, problem] of [
      ['', 'Enter a path.'],
      [join(folder, 'missing'), 'There is nothing at this path.'],
      [join(folder, 'other.txt'), 'This is not a folder.'],
      [folder, ''],
    ] as const) {
      browser.send({ type: 'typed', id, text: typed });
      assert.equal((await browser.next('problem')).problem, problem);
    }
    browser.answer(id, folder);
    assert.equal(await asked, folder);
    const file = desk.fileIn({ title: 'Open a Replay', folder, kinds: { Replays: ['jsonl'] } });
    const choice = await browser.next('choose');
    assert.deepEqual(choice.choices, [{ label: 'replay-1.jsonl' }]);
    browser.answer(choice.id, 0);
    assert.equal(await file, pathToFileURL(join(folder, 'replay-1.jsonl')).href);
  });

  it('goes to pages, and to no file that does not exist', async () => {
    await desk.show(pathToFileURL('/a b/c.jsonl').href, { place: { request: 3 }, isBeside: true });
    assert.deepEqual(await browser.next('go'), {
      type: 'go',
      address: '/session?file=%2Fa+b%2Fc.jsonl&request=3',
      isBeside: true,
    });
    await desk.showUsage('search');
    assert.equal((await browser.next('go')).address, '/usage?part=search');
    await desk.showDropped(pathToFileURL(join(folder, 'other.txt')).href);
    assert.ok((await browser.next('go')).address.startsWith('/session?file='));
    for (const uri of ['https://inspector.example/a', 'file:///nowhere/x', pathToFileURL(folder).href, '']) {
      await assert.rejects(desk.showDropped(uri), uri);
    }
    const any = desk.showAny();
    browser.answer((await browser.next('text')).id, join(folder, 'other.txt'));
    await any;
    await browser.next('go');
  });

  it('opens files in the editor; without one, shows them', async () => {
    const file = join(folder, 'other.txt');
    writeFileSync(file, 'words');
    await desk.open(pathToFileURL(file).href, 3);
    await desk.openSource(pathToFileURL(file).href);
    assert.deepEqual(opened, [
      [file, 3],
      [file, undefined],
    ]);
    const { sourceLimit: none } = desk;
    assert.equal(none, undefined);
    const plain = await DoorClient.open(server.port, '/plain', server.cookie);
    await desk.open(pathToFileURL(file).href, 3);
    const { title, text } = await plain.next('longText');
    assert.deepEqual([title, text], [`${file}:3`, 'words']);
    assert.match((await plain.next('say')).sentence, /--editor/);
    assert.equal(desk.sourceLimit?.bytes, 2_000_000);
    await plain.close();
  });

  it('copies by the browser', async () => {
    const copied = desk.copy('codex resume 1');
    const { id, text } = await browser.next('copy');
    assert.equal(text, 'codex resume 1');
    assert.equal(await settled(copied), 'pending');
    browser.answer(id, 1);
    await copied;
    await desk.copyLink(pathToFileURL('/c.jsonl').href, { request: 2 });
    assert.equal((await browser.next('copyLink')).address, '/session?file=%2Fc.jsonl&request=2');
  });

  it('answers every open question when the page goes', async () => {
    const pressed = desk.say('information', 'Still there?', 'Yes');
    const chosen = desk.choose([{ label: 'One' }], 'Which');
    await browser.next('choose');
    await browser.close();
    assert.equal(await pressed, undefined);
    assert.equal(await chosen, undefined);
    assert.equal(await desk.say('information', 'Gone', 'Yes'), undefined);
    assert.equal(socket.isVisible, false);
    browser = await DoorClient.open(server.port, '/sessions', server.cookie);
  });

  it('passes messages of the page on unread, and refuses others', async () => {
    const messages: unknown[] = [];
    const commands: unknown[] = [];
    socket.onMessage(message => messages.push(message));
    socket.onCommand(command => commands.push(command));
    let seen = 0;
    socket.onVisible(() => {
      seen += 1;
    });
    for (const text of [
      '{',
      '[]',
      '{"type":"unknown"}',
      '{"type":"command","command":{"kind":"export","form":"exe"}}',
      '{"type":"answered","id":-1}',
      '{"type":"answered","id":1,"answer":{}}',
      '{"type":"page","message":1,"more":2}',
    ]) {
      browser.socket.send(text);
    }
    browser.socket.send(Buffer.from('{"type":"seen"}'));
    browser.send({ type: 'page', message: { type: 'ready', of: [1] } });
    browser.send({ type: 'command', command: { kind: 'export', form: 'html' } });
    browser.send({ type: 'seen' });
    const { answer } = socket.ask({ type: 'copy', text: '' });
    browser.answer((await browser.next('copy')).id, 1);
    await answer;
    assert.deepEqual(messages, [{ type: 'ready', of: [1] }]);
    assert.deepEqual(commands, [{ kind: 'export', form: 'html' }]);
    assert.equal(seen, 1);
    assert.deepEqual(new Set(errors), new Set(['A page sent a message that is not valid.']));
    assert.equal(errors.length, 8);
  });
});
