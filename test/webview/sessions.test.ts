/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageSession, ToSessionsPage } from '../../src/protocol/sessionsPage';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { noon, openSessions, sampleMarks, sampleSessions } from './sessionsHarness';
import { untilStill } from './still';

/** Sessions without titles. */
function manySessions(count: number): ToSessionsPage {
  const now = noon;
  const sessions = Array.from({ length: count }, (_, id): PageSession => ({
    id,
    agent: 0,
    project: 0,
    isHere: false,
    time: now - id,
    written: now - id,
  }));
  const projects = [{ key: '/w', name: 'shop', isFolder: true }];
  return { type: 'list', sessions, agents: ['Codex'], projects, grouping: 'recent' };
}

describe('the list of sessions', () => {
  it('shows title, agent, age, fill, project and cost of each session, those of the workspace first', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
    const lines = page.getByRole('treeitem');
    const names = await lines.evaluateAll(rows =>
      rows.map(row => row.textContent.replaceAll(/\s+/gu, ' ').trim()),
    );
    assert.deepEqual(names, [
      'This workspace2',
      'Checkout totals off by a cent, Claude Code , live , last written: now, of the window: 83 %, cost: $9.45',
      'Review of the refund service, Codex , live , last written: 4 min, of the window: 31 %, cost: ≥ $1.12',
      'Elsewhere on this machine3',
      'Today1',
      'Dark theme for the e-mails, Claude Code , last written: 7 h, of the window: 94 %mail-kit, cost: $0.64',
      'Yesterday1',
      'Upgrade to Node 24, Codex , last written: yesterdaymail-kit',
      'Last 7 days1',
      '<b>Sum up</b> the incident, Claude Code , last written: 4 days, of the window: 8 %, cost: $0.03',
    ]);
    const dark = lines.filter({ hasText: 'Dark theme' });
    assert.match(
      await dark.innerText(),
      /^Dark theme for the e-mails[^]*7 h[^]*94 %\s+mail-kit[^]*\$0\.64$/u,
    );
    // The title is shown as text, whatever it contains.
    assert.equal(await page.locator('.tree b').count(), 0);
    const widths = await page.locator('.fill__done').evaluateAll(bars => bars.map(bar => bar.clientWidth));
    assert.deepEqual(
      widths.map(width => Math.round((width / 48) * 10)),
      [8, 3, 9, 1],
    );
    assert.equal(await page.locator('.fill__bar--high').count(), 1);
    assert.equal(await page.locator('.fill__bar--raised').count(), 1);
    await sessions.close();
  });

  it('opens no other session when the list moves during a press', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    const list = manySessions(3);
    await sessions.send(list);
    await page.getByRole('treeitem').nth(1).hover();
    await page.mouse.down();
    assert.equal(list.type, 'list');
    const newest: PageSession = { id: 9, agent: 0, project: 0, isHere: false, time: noon, written: noon };
    await sessions.send({ ...list, sessions: [newest, ...list.sessions] });
    await page.getByRole('treeitem').nth(3).waitFor();
    await page.mouse.up();
    await untilStill(page);
    assert.deepEqual(await sessions.sent(), []);
    await sessions.close();
  });

  it('calls no session live whose file is new and whose last request is old', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    const now = noon;
    const session = (id: number, time: number): PageSession => ({
      id,
      agent: 0,
      project: 0,
      isHere: false,
      time,
      written: now,
    });
    const day = 24 * 3_600_000;
    await sessions.send({
      type: 'list',
      // Of now, of two hours ago with a long call, and copied.
      sessions: [session(0, now), session(1, now - day / 12), session(2, now - 100 * day)],
      agents: ['Codex'],
      projects: [{ key: '/w', name: 'shop', isFolder: true }],
      grouping: 'agent',
    });
    const rows = page.locator('.session');
    await rows.nth(2).waitFor();
    const isLive = await rows.evaluateAll(all =>
      all.map(row => [row.textContent.includes('live'), row.querySelector('.session__age--live') !== null]),
    );
    assert.deepEqual(isLive, [
      [true, true],
      [true, true],
      [false, false],
    ]);
    await sessions.close();
  });

  it('is walked through and opened with the keyboard', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
    const tree = page.getByRole('tree', { name: 'Sessions' });
    const active = (): Promise<string> =>
      tree.evaluate(
        element =>
          document
            .getElementById(element.getAttribute('aria-activedescendant') ?? '')
            ?.querySelector('.ellipsis')?.textContent ?? '',
      );
    await tree.focus();
    assert.equal(await active(), 'Checkout totals off by a cent');
    for (const [key, expected] of [
      ['ArrowDown', 'Review of the refund service'],
      ['End', '<b>Sum up</b> the incident'],
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
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Shift+Alt+KeyC');
    await page.keyboard.press('Shift+Alt+KeyR');
    assert.deepEqual(
      await sessions.sent(),
      ['open', 'openToSide', 'copyPath', 'reveal'].map(deed => ({ kind: 'session', id: 3, deed })),
    );
    await sessions.close();
  });

  it('keeps the focus and its line, and what is in view, when sessions come and go', async () => {
    const sessions = await openSessions({ height: 300 });
    const { page } = sessions;
    const now = noon;
    const [list, details] = sampleSessions(now);
    assert.ok(list.type === 'list');
    await sessions.send(list, details);
    const tree = page.getByRole('tree');
    await tree.focus();
    await page.keyboard.press('End');
    await untilStill(page);
    const last = page.getByRole('treeitem', { name: /Sum up/u });
    const before = await last.boundingBox();
    const added = [10, 11, 12].map((id): PageSession => ({
      id,
      agent: 0,
      project: 1,
      isHere: true,
      time: now,
      written: now,
    }));
    await sessions.send({ ...list, sessions: [...added, ...list.sessions] });
    await untilStill(page);
    assert.equal(await last.getAttribute('aria-selected'), 'true');
    assert.deepEqual(await last.boundingBox(), before);
    assert.equal(await tree.evaluate(element => document.activeElement === element), true);
    await sessions.close();
  });

  it('asks for what is in view, and shows no figure that is not known', async () => {
    const sessions = await openSessions();
    await sessions.send(manySessions(10_000));
    const { page } = sessions;
    await page.getByRole('treeitem').first().waitFor();
    await untilStill(page);
    const first = await sessions.looked();
    assert.ok(first !== undefined && first.ids.length < 40 && first.ids[0] === 0 && !first.all);
    assert.match(await page.getByRole('treeitem').first().innerText(), /^Codex\s[^]*now\s+shop$/u);
    assert.ok((await page.getByRole('treeitem').count()) < 40);
    await page.getByRole('tree').evaluate(element => element.scrollTo(0, element.scrollHeight));
    await sessions.wants(9999);
    // The list has no focus yet. The mouse press gives it the focus, and the list must not move under the pointer.
    const { x = 0, y = 0 } = (await page.getByRole('tree').boundingBox()) ?? {};
    const scroll = (): Promise<number> => page.getByRole('tree').evaluate(({ scrollTop }) => scrollTop);
    const before = await scroll();
    await page.mouse.click(x + 100, y + 100);
    const last = (await sessions.sent()).at(-1);
    assert.ok(last?.kind === 'session' && last.deed === 'open' && last.id > 9900);
    assert.equal(await scroll(), before);
    await sessions.close();
  });

  it('has buttons in the row under the mouse alone, also after the wheel has moved another one there', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(manySessions(1000));
    await page.getByRole('treeitem').first().waitFor();
    const { x = 0, y = 0 } = (await page.getByRole('tree').boundingBox()) ?? {};
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
    await sessions.close();
  });

  it('filters by words of title, branch, agent and project, while titles come in', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    const [list, details] = sampleSessions(noon);
    assert.ok(details.type === 'details');
    await sessions.send(list);
    const search = page.getByRole('textbox', { name: 'Search in 5 sessions' });
    await search.fill('node-24 codex');
    const status = page.getByRole('status');
    await sessions.wants('all');
    await sessions.send({ type: 'details', details: details.details.slice(0, 2), left: 3 });
    await status.getByText('0 sessions found · 3 titles are still being read').waitFor();
    await sessions.send({ type: 'details', details: details.details.slice(2), left: 0 });
    await status.getByText('1 session found').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual((await sessions.sent()).at(-1), { kind: 'session', id: 3, deed: 'open' });
    await search.fill('nothing like it');
    await status.getByText('No session matches.').waitFor();
    await search.press('Escape');
    assert.equal(await search.inputValue(), '');
    await sessions.close();
  });

  it('groups by project and agent, and asks the host to remember it', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
    await page.getByRole('radio', { name: 'Project' }).check();
    const group = page.getByRole('treeitem', { name: 'mail-kit 2' });
    assert.equal(await group.getAttribute('aria-expanded'), 'false');
    await group.click();
    await page.getByRole('treeitem', { name: /^Dark theme/u }).waitFor();
    await page.getByRole('radio', { name: 'Agent' }).check();
    await page.getByRole('treeitem', { name: 'Claude Code 3' }).waitFor();
    assert.deepEqual(await sessions.sent(), [
      { kind: 'group', grouping: 'project' },
      { kind: 'group', grouping: 'agent' },
    ]);
    // Open groups are still open after the page was discarded.
    await page.reload();
    const [list, details] = sampleSessions(noon);
    assert.ok(list.type === 'list');
    await sessions.send({ ...list, grouping: 'project' }, details);
    await page.getByRole('treeitem', { name: /^Dark theme/u }).waitFor();
    await sessions.close();
  });

  it('opens with a click, to the side with the modifier or the button, and names its rows for menus', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
    const row = page.getByRole('treeitem', { name: /^Dark theme/u });
    await row.click();
    await row.click({ modifiers: ['Control'] });
    await row.getByTitle('Open to the side').click();
    await row.getByTitle('Open as text').click();
    assert.deepEqual(
      await sessions.sent(),
      ['open', 'openToSide', 'openToSide', 'openAsText'].map(deed => ({ kind: 'session', id: 2, deed })),
    );
    const context: unknown = JSON.parse((await row.getAttribute('data-vscode-context')) ?? '');
    assert.deepEqual(context, { webviewSection: 'session', sessionId: 2 });
    // The button and the key ask for the menu of the row, as a right click does.
    await page.evaluate(() => {
      document.body.addEventListener('contextmenu', ({ target, defaultPrevented }) => {
        const element = target instanceof Element ? target.closest('[role=treeitem]') : null;
        document.body.dataset['menu'] = `${element?.textContent.slice(0, 4) ?? ''}${defaultPrevented}`;
      });
    });
    await row.getByTitle('More actions').click();
    assert.equal(await page.locator('body').getAttribute('data-menu'), 'Darkfalse');
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    assert.match((await page.locator('body').getAttribute('data-menu')) ?? '', /^Chec/u);
    await sessions.close();
  });

  it('takes what is dropped on it, and says why it cannot take a file without an address', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
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
    await drop('# two files\r\nfile:///a.jsonl\r\nfile:///b.jsonl\r\nfile:///a.jsonl\r\n');
    assert.deepEqual((await sessions.sent()).at(-1), {
      kind: 'drop',
      uris: ['file:///a.jsonl', 'file:///b.jsonl'],
    });
    await drop(undefined);
    await page
      .getByRole('status')
      .getByText(/did not provide the path of the dropped file/u)
      .waitFor();
    const dragged = await page.getByRole('treeitem', { name: /^Dark theme/u }).evaluate(row => {
      const data = new DataTransfer();
      row.dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
      return [...data.types].map(type => [type, data.getData(type)]);
    });
    assert.deepEqual(dragged, [
      ['text/uri-list', 'file:///home/ada/2.jsonl'],
      ['codeeditors', '[]'],
    ]);
    await sessions.close();
  });

  it('offers what to do where there are no sessions', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send({ type: 'list', sessions: [], agents: [], projects: [], grouping: 'recent' });
    for (const name of ['Open a Transcript', 'Open Example Session', 'Add Folders']) {
      await page.getByRole('button', { name }).click();
    }
    assert.deepEqual(await sessions.sent(), [
      { kind: 'welcome', deed: 'openTranscript' },
      { kind: 'welcome', deed: 'openExample' },
      { kind: 'welcome', deed: 'addFolders' },
    ]);
    await expectNoViolations(page, 'welcome');
    await sessions.close();
  });

  it('marks what the index found in a session, with words for each mark', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon));
    assert.equal(await page.locator('.marks').count(), 0);
    await sessions.send(sampleMarks);
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
      ['3', '3 cache losses'],
    ]);
    assert.deepEqual(await marksOf('Dark theme'), [['1', '1 cache loss']]);
    const tooltip = await page
      .getByRole('treeitem')
      .filter({ hasText: 'Checkout totals' })
      .getAttribute('title');
    assert.match(
      tooltip ?? '',
      /^Worth a look: 2 kinds of credentials, 1 kind of personal data, 3 cache losses\n/u,
    );
    assert.deepEqual(await marksOf('Review of the refund'), []);
    await page
      .getByRole('treeitem', { name: /1 kind of credentials.*cost: \$0\.03/u })
      .filter({ hasText: 'Sum up' })
      .waitFor();
    // They are next to the cost, which keeps its place, and leave the whole line to the title.
    for (const width of [300, 200]) {
      await page.setViewportSize({ width, height: 600 });
      const row = page.getByRole('treeitem').filter({ hasText: 'Checkout totals' });
      const boxes = await Promise.all(
        ['.session__title', '.marks', '.session__cost'].map(part => row.locator(part).boundingBox()),
      );
      const [title, marks, cost] = boxes.map(box => box ?? assert.fail());
      assert.ok(title !== undefined && marks !== undefined && cost !== undefined);
      assert.ok(title.y + title.height <= marks.y + 1, `${width}`);
      assert.ok(marks.x + marks.width <= cost.x && cost.x + cost.width <= width - 12, `${width}`);
    }
    // A deleted index knows nothing.
    await sessions.send({ type: 'marks', marks: [] });
    await page.locator('.marks').first().waitFor({ state: 'detached' });
    await sessions.close();
  });

  it('says at its foot what all sessions used this week, as far as it is known, and leads to Usage', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    const [list, details] = sampleSessions(noon);
    const foot = page.locator('.foot');
    const says = async (text: string): Promise<void> => {
      await foot.getByText(text, { exact: true }).waitFor();
    };
    await sessions.send(list, details, { type: 'marks', marks: [] });
    await says('Usage of all sessions');
    await sessions.send(sampleMarks);
    await says('$71.92');
    await says('41 sessions · 2,906 requests');
    assert.equal(await foot.getAttribute('title'), '2 Mar – 8 Mar');
    const { week } = sampleMarks;
    await sessions.send({ type: 'marks', marks: [], week: { ...week, unpriced: 6, unread: 2 } });
    await says('≥ $71.92');
    assert.equal(
      await foot.getAttribute('title'),
      [
        '2 Mar – 8 Mar',
        'Prices are unknown for the models of 6 requests.',
        '2 sessions have changed since these figures were calculated. Open Usage to update them.',
      ].join('\n'),
    );
    await sessions.send({ type: 'marks', marks: [], week: { ...week, unpriced: 2906 } });
    await says('–');
    // The next stop after the list.
    await page.getByRole('tree').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Usage' }).click();
    assert.deepEqual(await sessions.sent(), [{ kind: 'usage' }, { kind: 'usage' }]);
    await sessions.close();
  });

  it('has no violations and nothing cut off at any width, in any theme', async () => {
    const sessions = await openSessions();
    const { page } = sessions;
    await sessions.send(...sampleSessions(noon), sampleMarks);
    await page.getByRole('tree').focus();
    for (const width of [200, 320, 500]) {
      await page.setViewportSize({ width, height: 600 });
      await untilStill(page);
      await expectNoViolations(page, `${width} wide`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      const cost = await page.locator('.session__cost').first().boundingBox();
      assert.ok(cost !== null && cost.x + cost.width <= width);
    }
    await expectNoViolationsInThemes(page, 'list');
    await page.emulateMedia({ forcedColors: 'active' });
    await expectNoViolations(page, 'forced colours');
    await sessions.close();
  });
});
