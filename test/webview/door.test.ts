/// <reference types="node" />
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { doorPaths, sessionAddress, usageAddress } from '../../src/protocol/doorAddresses';
import type {} from '../../webview/door/doorApi';
import { type themeNames, themes } from '../../webview/door/themes';
import { until } from '../fixtures/until';
import { startTestView, type TestView } from '../fixtures/viewServer';
import { expectNoViolations } from './axe';
import { sharedBrowser } from './pages';

const example = 'media/example/session.jsonl';
const folder = mkdtempSync(join(tmpdir(), 'context-inspector-door-'));
const project = join(folder, '.claude', 'projects', '-work-shop');
const file = join(folder, 'session.jsonl');
const listed = join(project, 'listed.jsonl');
/** The program that stands for an editor writes what it was called with. */
const editor = join(folder, 'editor.cjs');

/** The variables of the process that the other tests have. */
const variables = ['HOME', 'XDG_CACHE_HOME'].map(name => [name, process.env[name]] as const);
let view: TestView;
let context: BrowserContext;
let page: Page;
let errors: string[] = [];

const main = (): FrameLocator => page.frameLocator('#door-page');
const list = (): FrameLocator => page.frameLocator('.door__list');
const drawn = (): Promise<void> => main().locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
const keys = (): Locator => main().getByRole('dialog', { name: 'Keyboard' });
const toast = (words: string): Locator => page.locator('.toast', { hasText: words });
const press = async (button: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('menu').getByText(item, { exact: true }).click();
};
const choose = (option: string): Promise<void> =>
  page.getByRole('dialog').getByRole('option', { name: option }).first().click();
/** Waits until the page in the frame is one with these words in its address. */
const shows = (words: string): Promise<unknown> =>
  page.waitForFunction(part => decodeURIComponent(location.hash).includes(part), words);

describe('the pages in a browser', () => {
  before(async () => {
    mkdirSync(project, { recursive: true });
    copyFileSync(example, file);
    copyFileSync(example, listed);
    writeFileSync(
      editor,
      `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'called'))}, process.argv.slice(2).join(' '))`,
    );
    process.env['HOME'] = folder;
    process.env['XDG_CACHE_HOME'] = join(folder, 'caches');
    view = await startTestView({
      file,
      folders: [folder],
      bundles: resolve('dist'),
      editor: `"${process.execPath}" "${editor}" {file}:{line}`,
    });
  });
  after(async () => {
    await view.close();
    for (const [name, value] of variables) {
      if (value === undefined) {
        Reflect.deleteProperty(process.env, name);
      } else {
        process.env[name] = value;
      }
    }
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await sharedBrowser().newContext({
      viewport: { width: 1280, height: 720 },
      colorScheme: 'dark',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page = await context.newPage();
    errors = [];
    page.on('pageerror', error => errors.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error') {
        errors.push(message.text());
      }
    });
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(errors, []);
  });

  /** A browser that was here before. */
  const goTo = async (address: string): Promise<void> => {
    await context.addCookies([view.cookie]);
    await page.goto(`${view.origin}${address}`);
  };

  it('come in by the link, whose token leaves the address', async () => {
    await page.goto(view.link());
    await drawn();
    assert.equal(page.url(), `${view.origin}${view.start}`);
    await page.waitForFunction(
      title => document.title === title,
      'Posting dates that are a day early, and the Nordlys import – Context Inspector',
    );
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
    assert.equal(await page.evaluate(() => document.cookie), '');
    await page.goBack();
    assert.equal(page.url(), 'about:blank');
  });

  it('open sessions from the list, and go back', async () => {
    await goTo(view.start);
    await drawn();
    await list().getByRole('treeitem').first().click();
    await shows('listed.jsonl');
    await drawn();
    // The page has the keys, as an editor of VS Code has. So has one that is open already.
    await page.keyboard.press('?');
    await keys().waitFor();
    await page.keyboard.press('Escape');
    await keys().waitFor({ state: 'hidden' });
    await list().getByRole('treeitem').first().click();
    await page.waitForFunction(() => document.activeElement?.id === 'door-page');
    await page.goBack();
    await shows('/session.jsonl');
    await drawn();
    await page.reload();
    await drawn();
    assert.match(page.url(), /%2Fsession\.jsonl$/);
  });

  it('show usage, what if and search in place of the session', async () => {
    await goTo('/');
    await page.getByRole('button', { name: 'Show Usage' }).click();
    await shows('/usage');
    await main().getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('button', { name: 'Search in All Sessions' }).click();
    await page.waitForFunction(() => document.title.startsWith('Search in all sessions'));
    await main().getByRole('heading', { name: 'Search in all sessions' }).waitFor();
    assert.match(page.url(), /part=usage$/, 'the page only turned to its other part');
  });

  it('compare with a session that the user finds by its title', async () => {
    await goTo(view.start);
    await drawn();
    await press('More Actions', 'Compare With…');
    const field = page.getByRole('combobox');
    await field.fill('nordlys');
    await page.getByRole('option', { name: 'Nordlys' }).first().waitFor();
    await field.press('Enter');
    await shows('/compare');
    await main().getByText('Facts', { exact: true }).waitFor();
  });

  it('export by a choice of how much, as a download', async () => {
    await goTo(view.start);
    await drawn();
    const download = page.waitForEvent('download');
    await press('More Actions', 'Export Report…');
    await choose('Figures only');
    const written = await download;
    assert.equal(written.suggestedFilename(), 'session.report.html');
    const saved = join(folder, written.suggestedFilename());
    await written.saveAs(saved);
    assert.match(readFileSync(saved, 'utf8'), /^<!DOCTYPE html>/i);
    await toast('The export was saved.').getByRole('button', { name: 'Close' }).click();
    await toast('The export was saved.').waitFor({ state: 'detached' });
  });

  it('hand off after a preview that messages do not cover', async () => {
    await goTo(view.start);
    await drawn();
    await press('More Actions', 'Hand Off to…');
    await choose('Codex');
    await choose('Everything');
    await choose('Redacted');
    const preview = page.getByRole('textbox', { name: 'Hand-off to Codex.txt' });
    await preview.waitFor();
    assert.match(await preview.inputValue(), /First request of Codex/);
    await toast('Nothing is written yet.').getByRole('button', { name: 'Save As…' }).click();
    const path = page.getByRole('textbox', { name: 'The folder for the session' });
    await path.fill(join(folder, 'missing'));
    await page.getByText('There is nothing at this path.').waitFor();
    await path.press('Enter');
    assert.equal(await path.getAttribute('aria-invalid'), 'true');
    await path.fill(folder);
    await page.getByText('Press Enter to confirm').waitFor();
    await path.press('Enter');
    await toast('The session was saved').waitFor();
  });

  it('open lines in the editor, and copy links of this browser', async () => {
    await goTo(view.start);
    await drawn();
    await press('More Actions', 'Open as Text');
    await press('More Actions', 'Copy Link to Block');
    await toast('The link was copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${view.origin}/#/session?file=`), link);
    assert.match(link, /&request=58/);
    const called = (): string => readFileSync(join(folder, 'called'), 'utf8');
    await until('the editor was called', () => existsSync(join(folder, 'called')) && called() !== '');
    assert.equal(called(), `${file}:1`);
    await page.goto(link);
    await drawn();
  });

  it('find and show keys as in VS Code', async () => {
    await goTo(view.start);
    await drawn();
    await page.keyboard.press('Control+f');
    await main().locator('input:focus').waitFor();
    await press('More Actions', 'Show Keyboard Shortcuts');
    await keys().waitFor();
    // A short list beside a long one is not drawn out: each line is as high as its words or keys.
    const spare = await keys()
      .locator('dl > div')
      .evaluateAll(lines =>
        lines.map(line => {
          const [height = 0, ...parts] = [line, ...line.children].map(
            each => each.getBoundingClientRect().height,
          );
          return height - Math.max(...parts);
        }),
      );
    assert.ok(Math.max(...spare) < 4, String(spare));
  });

  it('have the menu of a row of the list', async () => {
    await goTo(view.start);
    await drawn();
    await list().getByRole('treeitem').first().click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Session' });
    await menu.waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    const copied = async (): Promise<boolean> =>
      (await page.evaluate(() => navigator.clipboard.readText())) === listed;
    await page.waitForFunction(async wanted => (await navigator.clipboard.readText()) === wanted, listed);
    assert.ok(await copied());
  });

  it('follow the system’s theme, and one of choice in every page', async () => {
    await goTo(view.start);
    await drawn();
    const background = (frame: Page | FrameLocator): Promise<string> =>
      frame
        .locator('body')
        .evaluate(body => getComputedStyle(body).getPropertyValue('--vscode-editor-background'));
    const showsTheme = async (name: (typeof themeNames)[number]): Promise<void> => {
      const { variables } = themes[name];
      for (const frame of [page, main(), list()]) {
        await frame.locator(`body[class="${themes[name].bodyClass}"]`).waitFor();
        assert.equal(await background(frame), variables['editor-background']);
      }
    };
    await showsTheme('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await showsTheme('light');
    await page.emulateMedia({ colorScheme: 'light', contrast: 'more' });
    await showsTheme('highContrastLight');
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'more' });
    await showsTheme('highContrast');
    await press('Theme', 'Light');
    await showsTheme('light');
    await page.reload();
    await drawn();
    await showsTheme('light');
  });

  it('hide the list, and give it the whole window where there is little room', async () => {
    await goTo(view.start);
    await drawn();
    await page.getByRole('button', { name: 'Hide Sessions' }).click();
    await page.locator('.door__list').waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 600, height: 720 });
    await page.getByRole('button', { name: 'Show Sessions' }).click();
    await page.locator('#door-main').waitFor({ state: 'hidden' });
    await list().getByRole('treeitem').first().click();
    await page.locator('#door-main').waitFor({ state: 'visible' });
    await shows('listed.jsonl');
  });

  it('work without the frame', async () => {
    await goTo(sessionAddress(file));
    await page.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
    await page.evaluate(() => window.door?.run({ kind: 'export', form: 'svg' }));
    const download = page.waitForEvent('download');
    await choose('Figures only');
    assert.equal((await download).suggestedFilename(), 'session.drawing.svg');
    await toast('The export was saved.').waitFor();
    await expectNoViolations(page, 'a page with a message');
    await goTo(usageAddress('whatIf'));
    await page.getByRole('heading', { name: 'What if' }).waitFor();
    await goTo(doorPaths.sessions);
    await page.getByRole('treeitem').first().click();
    await page.waitForURL(/\/session\?file=/);
  });

  it('are accessible in every theme, with a menu, a list and a message', async () => {
    await goTo(view.start);
    await drawn();
    for (const name of ['Dark', 'Light', 'Dark High Contrast', 'Light High Contrast']) {
      await press('Theme', name);
      await page.getByRole('button', { name: 'More Actions' }).click();
      await expectNoViolations(page, `${name}, menu`);
      await page.keyboard.press('Escape');
      await press('More Actions', 'Export Report…');
      await page.getByRole('option').first().waitFor();
      await expectNoViolations(page, `${name}, list`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('say that the program has ended', async () => {
    const other = await startTestView({ file, bundles: resolve('dist') });
    await page.goto(other.link());
    await drawn();
    await list().locator('#root').waitFor({ state: 'attached' });
    await other.close();
    await toast('The connection to the program has ended.').waitFor();
    assert.equal(await page.locator('.toast').count(), 1);
    errors = [];
  });
});
