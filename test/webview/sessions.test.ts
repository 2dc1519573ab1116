/// <reference types="node" />
import assert from 'node:assert/strict';
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { doorPaths, usageAddress } from '../../src/protocol/doorAddresses';
import { ClaudeCodeSession, type ReplyRecord } from '../fixtures/claudeCodeSession';
import { limitedSession } from '../fixtures/codexQuota';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { doorOf, type DoorOptions, openAddress, type OpenAddress } from './door';
import { holdMessage } from './heldMessage';
import { claudeFolder, clear, codexFolder, projectFolder, writeAtHome } from './inventory/sessionPlaces';
import { untilStill } from './still';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.now();

/** US dollars per million tokens. */
const models = {
  'claude-sonnet-4-5': { prices: { input: 10, cacheRead: 1, cacheWrite: 10, output: 50 } },
  'gpt-5.5': { contextWindow: 200_000, prices: { input: 5, output: 100 } },
};

/** Lets the page list the sessions again, as after any change of the models. */
async function listAgain(): Promise<void> {
  const { home } = await doorOf();
  changes += 1;
  const changed = { ...models, [`model-${changes}`]: { contextWindow: 1000 } };
  writeFileSync(home.settings, JSON.stringify({ 'contextInspector.models': changed }));
}
let changes = 0;

async function openSessions(settings: DoorOptions['settings'] = {}, stays = true): Promise<OpenAddress> {
  const opened = await openAddress(doorPaths.sessions, {
    width: 320,
    height: 700,
    stays,
    settings: { 'contextInspector.models': models, ...settings },
  });
  await opened.page.getByRole('treeitem').first().waitFor();
  return opened;
}

async function clearAll(): Promise<void> {
  await clear(claudeFolder);
  await clear(codexFolder);
  // The index too.
  await clear('cache');
}

/** Writes a session of Claude Code that was last used some time ago. Its file may have been written later. */
async function write(
  name: string,
  age: number,
  replies: readonly ReplyRecord[],
  { project = 'mail-kit', writtenAgo = age, branch = 'main', added = 'Next' } = {},
): Promise<string> {
  const { home } = await doorOf();
  const id = `00000000-0000-4000-8000-${String(name.length).padStart(12, '0')}`;
  const folder = project === 'here' ? home.work : `/home/ada/${project}`;
  // Each reply is eight seconds later, after another prompt.
  const session = new ClaudeCodeSession(id, folder, now - age - 8000 * replies.length).prompt(name);
  for (const reply of replies) {
    session
      .recordedReply({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, ...reply }, { text: 'Done.' })
      .prompt(added);
  }
  const path = await writeAtHome(
    `${projectFolder(project)}/${name.replace(/\W+/gu, '-')}.jsonl`,
    session.toString().replaceAll('"gitBranch":"main"', `"gitBranch":${JSON.stringify(branch)}`),
  );
  const written = new Date(now - writtenAgo);
  utimesSync(path, written, written);
  return path;
}

const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_');
const password = 'postgres://app:Tr0ub4dorAnd3X@db.acme.io';

/** Five sessions of two agents, two of them in the workspace. */
async function writeSample() {
  await clearAll();
  // A long call is running. $1.60 and $1.66. The second request reads nothing from the cache.
  const checkout = await write(
    'Checkout totals off by a cent',
    2 * hour,
    [{ cacheWrite: 160_000 }, { cacheWrite: 166_000 }],
    { project: 'here', writtenAgo: 0, added: `Use ${token}, ${password} and ada@lovelace.io` },
  );
  // $0.62, after another model without a price.
  const review = await write(
    'Review of the refund service',
    4 * minute,
    [{ model: 'home-grown-1', input: 500 }, { cacheWrite: 62_000 }],
    { project: 'here' },
  );
  const id = '0e000000-0000-7000-8000-000000000000';
  // $0.94.
  const dark = await writeAtHome(
    `${codexFolder}/sessions/rollout-2026-03-02T08-00-00-${id}.jsonl`,
    limitedSession(
      id,
      'Dark theme for the e-mails',
      [{ at: new Date(now), input: 188_000, output: 0, limits: [] }],
      { cwd: '/home/ada/mail-kit' },
    ),
  );
  const upgrade = await write('Upgrade to Node 24', day, [], { branch: 'deps/node-24' });
  // The file is a copy. $0.16.
  const incident = await write('<img src=x> in the incident', 4 * day, [{ cacheWrite: 16_000 }], {
    project: 'incidents',
    writtenAgo: 0,
    added: token,
  });
  return { checkout, review, dark, upgrade, incident };
}

const textOf = (rows: readonly Element[]): readonly string[] =>
  rows.map(row => row.textContent.replaceAll(/\s+/gu, ' ').trim());

/** Waits until the sample is read, and no copied file is listed as new any more. */
const isRead = (page: Page): Promise<void> => page.getByText('Last 7 days').waitFor();

describe('the list of sessions', () => {
  let sample: Awaited<ReturnType<typeof writeSample>>;
  before(async () => {
    sample = await writeSample();
  });
  after(clearAll);

  it('shows the facts of each session, those of the workspace first, or grouped by project or agent', async () => {
    const { page, close } = await openSessions();
    await isRead(page);
    const lines = page.getByRole('treeitem');
    await lines.filter({ hasText: 'cost: $0.16' }).waitFor();
    assert.deepEqual(await lines.evaluateAll(textOf), [
      'This workspace2',
      'Review of the refund service, Claude Code , live , last written: 4 min, of the window: 31 %, cost: ≥ $0.62',
      'Checkout totals off by a cent, Claude Code , live , last written: now, of the window: 83 %, cost: $3.26',
      'Elsewhere on this machine3',
      'Today1',
      'Dark theme for the e-mails, Codex , live , last written: now, of the window: 94 %mail-kit, cost: $0.94',
      'Yesterday1',
      'Upgrade to Node 24, Claude Code , last written: yesterdaymail-kit',
      'Last 7 days1',
      // Its file is new, and its last request is old.
      '<img src=x> in the incident, Claude Code , last written: 4 days, of the window: 8 %incidents, cost: $0.16',
    ]);
    assert.equal(await page.locator('.session__age--live').count(), 3);
    assert.match(
      await lines.filter({ hasText: 'Dark theme' }).innerText(),
      /^Dark theme for the e-mails[^]*now[^]*94 %\s+mail-kit[^]*\$0\.94$/u,
    );
    // The title is shown as text, whatever it contains.
    assert.equal(await page.locator('.tree img').count(), 0);
    const widths = await page.locator('.fill__done').evaluateAll(bars => bars.map(bar => bar.clientWidth));
    assert.deepEqual(
      widths.map(width => Math.round((width / 48) * 10)),
      [3, 8, 9, 1],
    );
    assert.equal(await page.locator('.fill__bar--high').count(), 1);
    assert.equal(await page.locator('.fill__bar--raised').count(), 1);
    // This list is sent before the choice, and comes after it.
    const list = await holdMessage(page, '"list"');
    await listAgain();
    await list.come();
    await page.getByRole('radio', { name: 'Agent' }).check();
    await list.pass();
    await untilStill(page);
    await page.getByRole('treeitem', { name: 'Claude Code 4' }).waitFor();
    await page.getByRole('radio', { name: 'Project' }).check();
    const group = page.getByRole('treeitem', { name: 'mail-kit 2' });
    assert.equal(await group.getAttribute('aria-expanded'), 'false');
    await group.click();
    const row = page.getByRole('treeitem', { name: /^Dark theme/u });
    await row.waitFor();
    // Open groups are still open after the page was discarded.
    await page.reload();
    await row.waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Project' }).isChecked(), true);
    await close();
  });

  it('is walked through, searched and opened with the keyboard, while titles come in', async () => {
    const { page, deeds, deed, close } = await openSessions();
    await isRead(page);
    const tree = page.getByRole('tree', { name: 'Sessions' });
    const active = (): Promise<string> =>
      tree.evaluate(
        element =>
          document
            .getElementById(element.getAttribute('aria-activedescendant') ?? '')
            ?.querySelector('.ellipsis')?.textContent ?? '',
      );
    await tree.focus();
    assert.equal(await active(), 'Review of the refund service');
    for (const [key, expected] of [
      ['ArrowDown', 'Checkout totals off by a cent'],
      ['End', '<img src=x> in the incident'],
      ['ArrowLeft', 'Last 7 days'],
      ['ArrowLeft', 'Last 7 days'],
      ['ArrowLeft', 'Elsewhere on this machine'],
      ['ArrowLeft', 'Elsewhere on this machine'],
      ['ArrowDown', 'Elsewhere on this machine'],
      ['ArrowRight', 'Elsewhere on this machine'],
      ['ArrowRight', 'Today'],
      ['ArrowRight', 'Dark theme for the e-mails'],
      ['Home', 'This workspace'],
      ['u', 'Upgrade to Node 24'],
    ] as const) {
      await page.keyboard.press(key);
      assert.equal(await active(), expected, key);
    }
    await page.keyboard.press('Shift+Alt+KeyC');
    await page.keyboard.press('Shift+Alt+KeyR');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Enter');
    await deed('show', 3);
    const path = sample.upgrade;
    assert.deepEqual(
      deeds.map(({ what, details }) => [what, ...details]),
      [
        ['copy', path],
        ['reveal', path],
        ['show', path, undefined, true],
        ['show', path, undefined, false],
      ],
    );
    const search = page.getByRole('textbox', { name: 'Search in 5 sessions' });
    await search.fill('node-24 claude');
    const status = page.getByRole('status');
    await status.getByText('1 session found', { exact: true }).waitFor();
    // Real titles are here at once, so real news of them is kept away meanwhile.
    await page.evaluate(() => {
      const dispatch = window.dispatchEvent.bind(window);
      window.dispatchEvent = () => true;
      dispatch(new MessageEvent('message', { data: { type: 'details', details: [], left: 3 } }));
    });
    await status.getByText('1 session found · 3 titles are still being read').waitFor();
    await page.evaluate(() => Reflect.deleteProperty(window, 'dispatchEvent'));
    await search.fill('nothing like it');
    await status.getByText('No session matches.').waitFor();
    await search.press('Escape');
    assert.equal(await search.inputValue(), '');
    await search.fill('MAIL-KIT codex');
    await status.getByText('1 session found', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal((await deed('show', 4)).details[0], sample.dark);
    await close();
  });

  it('opens with a click, to the side with the modifier or the button, and has a menu', async () => {
    const { page, deeds, deed, close } = await openSessions();
    await isRead(page);
    const row = page.getByRole('treeitem', { name: /^Dark theme/u });
    await row.click({ modifiers: ['Control'] });
    await row.getByTitle('Open to the side').click();
    await row.getByTitle('Open as text').click();
    // The button and the key open the menu of the row, as a right click does.
    const item = page.getByRole('menuitem', { name: 'Copy Path' });
    await row.getByTitle('More actions').click();
    await item.click();
    await deed('copy');
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await item.click();
    await deed('copy', 4);
    await row.click();
    await deed('show', 5);
    const { dark, review } = sample;
    assert.deepEqual(
      deeds.map(({ what, details }) => [what, ...details]),
      [
        ['show', dark, undefined, true],
        ['show', dark, undefined, true],
        ['openSource', dark, undefined],
        ['copy', dark],
        ['copy', review],
        ['show', dark, undefined, false],
      ],
    );
    await close();
  });

  it('keeps its lines in place when sessions come, and opens no other one during a press', async () => {
    const { page, deeds, close } = await openSessions();
    await isRead(page);
    await page.setViewportSize({ width: 320, height: 300 });
    const tree = page.getByRole('tree');
    await tree.focus();
    await page.keyboard.press('End');
    await untilStill(page);
    const last = page.getByRole('treeitem', { name: /in the incident/u });
    const place = await last.boundingBox();
    await Promise.all(['Sand', 'Stain', 'Polish'].map(name => write(name, 0, [], { project: 'here' })));
    await listAgain();
    await page.getByRole('textbox', { name: 'Search in 8 sessions' }).waitFor();
    await untilStill(page);
    assert.equal(await last.getAttribute('aria-selected'), 'true');
    assert.deepEqual(await last.boundingBox(), place);
    assert.equal(await tree.evaluate(element => document.activeElement === element), true);
    await page.keyboard.press('Home');
    await untilStill(page);
    await page.getByRole('treeitem').nth(1).hover();
    await page.mouse.down();
    await write('Oil', 0, [], { project: 'here' });
    await listAgain();
    await page.getByRole('textbox', { name: 'Search in 9 sessions' }).waitFor();
    await untilStill(page);
    await page.mouse.up();
    await untilStill(page);
    assert.deepEqual(deeds, []);
    await close();
    sample = await writeSample();
  });

  it('takes what is dropped on it, and says why it cannot take a file without an address', async () => {
    const { page, close } = await openSessions({}, false);
    await isRead(page);
    const drop = (uris: string | undefined): Promise<void> =>
      page.locator('.sessions').evaluate((element, list: string | undefined) => {
        const data = new DataTransfer();
        if (list === undefined) {
          data.items.add(new File(['{}'], 'session.jsonl'));
        } else {
          data.setData('text/uri-list', list);
        }
        element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      }, uris);
    await drop(undefined);
    await page
      .getByRole('status')
      .getByText(/did not provide the path of the dropped file/u)
      .waitFor();
    const row = page.getByRole('treeitem', { name: /^Dark theme/u });
    // A browser takes no file out of a page, so only an editor sends what is dragged.
    const context: unknown = JSON.parse((await row.getAttribute('data-vscode-context')) ?? '');
    const dragged = await row.evaluate(
      async (element, { sessionId: id }) => {
        const drag = { uri: 'file:///home/ada/2.jsonl', editors: '[]' };
        const sent = { type: 'details', details: [{ id, drag }], left: 0 };
        window.dispatchEvent(new MessageEvent('message', { data: sent }));
        await new Promise(requestAnimationFrame);
        const data = new DataTransfer();
        element.dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
        return [...data.types].map(type => [type, data.getData(type)]);
      },
      v.parse(v.object({ webviewSection: v.literal('session'), sessionId: v.number() }), context),
    );
    assert.deepEqual(dragged, [
      ['text/uri-list', 'file:///home/ada/2.jsonl'],
      ['codeeditors', '[]'],
    ]);
    const address = pathToFileURL(sample.upgrade).href;
    await drop(`# one file\r\n${address}\r\n${address}\r\n`);
    await page.waitForURL(({ searchParams }) => searchParams.get('file') === sample.upgrade);
    await close();
  });

  it('says what the index knows of each session and of the week, once there is one', async () => {
    const off = { 'contextInspector.index.enabled': false };
    const without = await openSessions(off);
    await without.page.locator('.foot').getByText('Usage of all sessions', { exact: true }).waitFor();
    assert.equal(await without.page.locator('.marks').count(), 0);
    await without.close();
    const usage = await openAddress(usageAddress('usage'));
    await usage.page.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
    await usage.close();
    const { page, deed, close } = await openSessions();
    await isRead(page);
    const foot = page.locator('.foot');
    const says = (text: string): Promise<void> => foot.getByText(text, { exact: true }).waitFor();
    // 3.26 + 0.62 + 0.94 + 0.16 dollars. One session has no request.
    await says('≥ $4.98');
    await says('4 sessions · 6 requests');
    const dates = [6, 0].map(daysAgo => {
      const [, month = '', date = ''] = new Date(now - daysAgo * day).toDateString().split(' ');
      return `${Number(date)} ${month === 'Sep' ? 'Sept' : month}`;
    });
    const unpriced = 'Prices are unknown for the models of 1 request.';
    assert.equal(await foot.getAttribute('title'), `${dates.join(' – ')}\n${unpriced}`);
    const marksOf = (title: string) =>
      page
        .getByRole('treeitem')
        .filter({ hasText: title })
        .locator('.marks__mark')
        .evaluateAll(marks =>
          marks.map(mark => [mark.querySelector('.marks__count')?.textContent, mark.getAttribute('title')]),
        );
    await page.locator('.marks').first().waitFor();
    assert.deepEqual(await marksOf('Checkout totals'), [
      ['2', '2 kinds of credentials'],
      ['1', '1 kind of personal data'],
      ['1', '1 cache loss'],
    ]);
    const row = page.getByRole('treeitem').filter({ hasText: 'Checkout totals' });
    assert.match(
      (await row.getAttribute('title')) ?? '',
      /^Worth a look: 2 kinds of credentials, 1 kind of personal data, 1 cache loss\n/u,
    );
    assert.deepEqual(await marksOf('Dark theme'), []);
    await page
      .getByRole('treeitem', { name: /in the incident.*1 kind of credentials.*cost: \$0\.16/u })
      .waitFor();
    await page.getByRole('tree').focus();
    for (const width of [200, 320, 500]) {
      await page.setViewportSize({ width, height: 600 });
      await expectNoViolations(page, `${width} wide`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      // Marks are next to the cost, which keeps its place, and leave the whole line to the title.
      const boxes = await Promise.all(
        ['.session__title', '.marks', '.session__cost'].map(part => row.locator(part).boundingBox()),
      );
      const [title, marks, cost] = boxes.map(box => box ?? assert.fail());
      assert.ok(title !== undefined && marks !== undefined && cost !== undefined);
      assert.ok(title.y + title.height <= marks.y + 1, `${width}`);
      assert.ok(marks.x + marks.width <= cost.x && cost.x + cost.width <= width - 12, `${width}`);
    }
    await expectNoViolationsInThemes(page, 'list');
    await page.emulateMedia({ forcedColors: 'active' });
    await expectNoViolations(page, 'forced colours');
    // Two files are written to after the index has read them.
    for (const path of [sample.review, sample.upgrade]) {
      appendFileSync(path, '\n');
    }
    await listAgain();
    const changed = '2 sessions have changed since these figures were calculated. Open Usage to update them.';
    await page.waitForFunction(
      title => document.querySelector('.foot')?.getAttribute('title') === title,
      [dates.join(' – '), unpriced, changed].join('\n'),
    );
    // Without the index, nothing is known.
    const { home } = await doorOf();
    writeFileSync(home.settings, JSON.stringify(off));
    await page.locator('.marks').first().waitFor({ state: 'detached' });
    // The next stop after the list.
    await page.getByRole('tree').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.deepEqual((await deed('showUsage')).details, ['usage']);
    await page.waitForURL(({ pathname }) => pathname === doorPaths.usage);
    await close();
  });

  it('reads what is in view, and has buttons in the row under the mouse alone', async () => {
    await clearAll();
    const prompts = Array.from({ length: 300 }, (_, number) => `Session ${number}`);
    await Promise.all(prompts.map((name, number) => write(name, number * minute, [])));
    const { page, deed, close } = await openSessions();
    const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()]);
    const looks: string[] = [];
    socket.on('framesent', ({ payload }) => {
      if (payload.toString().includes('"look"')) {
        looks.push(payload.toString());
      }
    });
    await page.getByRole('treeitem', { name: /^Session 0\b/u }).waitFor();
    assert.ok((await page.getByRole('treeitem').count()) < 40);
    const tree = page.getByRole('tree');
    const { x = 0, y = 0 } = (await tree.boundingBox()) ?? {};
    const pointer = { x: x + 100, y: y + 72 };
    /** The sessions whose rows have buttons, once the row under the mouse has them. */
    const rowsWithButtons = async (): Promise<readonly (string | undefined)[]> => {
      await page.waitForFunction(
        at => document.elementFromPoint(at.x, at.y)?.closest('.session')?.querySelector('button'),
        pointer,
      );
      return page
        .locator('.session:has(button)')
        .evaluateAll(rows => rows.map(row => row.getAttribute('aria-posinset') ?? undefined));
    };
    assert.equal(await page.locator('.session button').count(), 0);
    await page.mouse.move(pointer.x, pointer.y);
    assert.deepEqual(await rowsWithButtons(), ['2']);
    await page.mouse.wheel(0, 4800);
    await page.waitForFunction(() => document.querySelector('.tree')?.scrollTop === 4800);
    assert.deepEqual(await rowsWithButtons(), ['102']);
    await page.mouse.move(pointer.x, 2);
    await page.locator('.session button').first().waitFor({ state: 'detached' });
    await tree.evaluate(element => element.scrollTo(0, element.scrollHeight));
    await page.getByRole('treeitem', { name: /^Session 299\b/u }).waitFor();
    // The beginning, a hundred rows further, and the end.
    assert.ok(
      looks.length >= 3 && looks.every(look => look.split(',').length < 40 && look.includes('"all":false')),
      looks.join('\n'),
    );
    // The list has no focus yet. The mouse press gives it the focus, and the list must not move under the pointer.
    const scroll = (): Promise<number> => tree.evaluate(({ scrollTop }) => scrollTop);
    const place = await scroll();
    await page.keyboard.down('Control');
    await page.mouse.click(x + 100, y + 100);
    await page.keyboard.up('Control');
    assert.match(String((await deed('show')).details[0]), /Session-2\d\d\.jsonl$/u);
    assert.equal(await scroll(), place);
    await close();
  });

  it('has no violations where there are no sessions', async () => {
    await clearAll();
    const { page, close } = await openAddress(doorPaths.sessions, { width: 320, height: 700 });
    await page.getByRole('button', { name: 'Open a Transcript' }).waitFor();
    await expectNoViolations(page, 'welcome');
    await close();
  });
});
