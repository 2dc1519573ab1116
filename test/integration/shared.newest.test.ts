import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { numberAt, member, parseJson } from '../../src/core/base/json';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything } from './inspector';
import { isUsageShown } from './inventory/usagePlaces';

const needsWindow = { skip: windowMissing };

/** The tests are bundled into a separate folder next to the programs. */
const program = join(__dirname, '..', 'cli.js');
const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', '-home-ada-brewery');

/** A session of today, because the page shows four weeks. */
function todaysLines(name: string, turns: number): string {
  const today = new Date().toISOString().slice(0, 10);
  return addToolTurns(new ClaudeCodeSession(name, '/home/ada/brewery'), `Brew ${name}`, turns, 2000)
    .toString()
    .replaceAll(/2026-01-05(?=T)/g, today);
}

/** Requests in all sessions, as the command line counts them on the window's index. */
async function requestsByCommand(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'usage', '--json'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    maxBuffer: 1 << 26,
  });
  return numberAt(member(parseJson(stdout), 'total'), 'requests') ?? -1;
}

/** Opens another window with the same folder, and the usage in it. */
const openSecondWindow = (): Promise<unknown> =>
  ui(async ({ page, until }) => {
    const address = new URL(page.url());
    // The second window runs no tests.
    address.searchParams.delete('payload');
    const browser = page.context().browser();
    if (browser === null) {
      throw new Error('There is no browser.');
    }
    const context = await browser.newContext({ viewport: page.viewportSize() });
    // They hold the secret that lets a window in.
    await context.addCookies(await page.context().cookies());
    const second = await context.newPage();
    await second.goto(address.href);
    await second.bringToFront();
    await second.locator('.monaco-workbench').waitFor();
    const input = second.locator('.quick-input-widget input[type=text]').first();
    const row = second.locator('.quick-input-widget .monaco-list-row', {
      hasText: 'Context Inspector: Show Usage',
    });
    // The palette offers the command once the extensions are known, and does not look again by itself.
    await until('the command of the extension is offered', async () => {
      if (!(await input.isVisible())) {
        await second.keyboard.press('F1');
      }
      await input.fill('>', { timeout: 10_000 });
      await input.fill('>Context Inspector: Show Usage');
      return row
        .first()
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        );
    }).catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${await second.locator('.quick-input-widget').innerText()}`);
    });
    await row.first().click();
    await page.bringToFront();
  });

/** The totals that the usage page of each window shows, once none reads any more. */
const shownTotals = (): Promise<unknown> =>
  ui(async ({ page }) => {
    const totals: string[] = [];
    for (const window of (page.context().browser()?.contexts() ?? []).flatMap(each => each.pages())) {
      const frame = window
        .locator(
          'iframe.webview.ready[src*="extensionId=context-inspector."]:not([src*="purpose=webviewView"])',
        )
        .filter({ visible: true })
        .contentFrame()
        .locator('#active-frame')
        .contentFrame();
      await frame.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
      totals.push((await frame.getByRole('table').first().innerText()).replaceAll(/\s+/g, ' '));
    }
    return totals;
  });

const readAgain = (): Promise<unknown> =>
  ui(async ({ page }) => {
    for (const window of (page.context().browser()?.contexts() ?? []).flatMap(each => each.pages())) {
      await window
        .locator(
          'iframe.webview.ready[src*="extensionId=context-inspector."]:not([src*="purpose=webviewView"])',
        )
        .filter({ visible: true })
        .contentFrame()
        .locator('#active-frame')
        .contentFrame()
        .getByRole('button', { name: 'Read sessions again' })
        .click();
    }
  });

/**
 * Waits until both windows show the same, and not `before`. A page learns of what another program wrote when it reads
 * the sessions again; the command line writes no losses and secrets.
 */
async function bothShow(before = ''): Promise<string> {
  let shown = '';
  await waitUntil('both windows show the same', async () => {
    await readAgain();
    const totals = await shownTotals();
    assert.ok(Array.isArray(totals) && totals.length === 2);
    shown = String(totals[0]);
    return totals[1] === shown && shown !== before;
  });
  return shown;
}

test(
  'gives two windows and the command line one answer from one index, also when the times of files jump',
  async () => {
    mkdirSync(folder, { recursive: true });
    const paths = Array.from({ length: 20 }, (_, number) => {
      const path = join(folder, `brew-${number}.jsonl`);
      writeFileSync(path, todaysLines(`b${number}`, 6));
      return path;
    });
    try {
      await closeEverything();
      // All begin at once, on an index that nobody has made.
      await vscode.commands.executeCommand(commandIds.deleteIndex);
      await vscode.commands.executeCommand('notifications.clearAll');
      const opened = openSecondWindow();
      opened.catch(() => undefined);
      await vscode.commands.executeCommand(commandIds.usage);
      const counts = await Promise.all([requestsByCommand(), requestsByCommand()]);
      await isUsageShown();
      await opened;
      const before = await bothShow();
      assert.equal(counts[1], counts[0]);

      // A file grows while its time goes back; the times of others jump ahead.
      const [grown = '', ahead = '', past = ''] = paths;
      // Each request has ids of its own.
      const added = todaysLines('more', 3).replaceAll(
        /(?<=(?:msg|req|toolu)_)|(?<="(?:uuid|parentUuid)":")0/g,
        '9',
      );
      appendFileSync(grown, added);
      for (const [path, year] of [
        [grown, 1999],
        [ahead, 2099],
        [past, 1971],
      ] as const) {
        const time = new Date(Date.UTC(year, 0, 1));
        utimesSync(path, time, time);
      }
      const [, more] = await Promise.all([readAgain(), requestsByCommand()]);
      assert.equal(more, counts[0] + 4);
      await bothShow(before);
      assert.equal(await requestsByCommand(), more);
    } finally {
      await ui(async ({ page }) => {
        for (const window of (page.context().browser()?.contexts() ?? []).flatMap(each => each.pages())) {
          if (window !== page) {
            await window.context().close();
          }
        }
      });
      rmSync(folder, { recursive: true, force: true });
      await closeEverything();
    }
  },
  needsWindow,
);
