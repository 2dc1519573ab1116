import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { run, withSettings } from '../contributions';
import { eventually, ui, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  finalEditor,
  isActiveInInspector,
  workspaceFolder,
  writeSession,
} from '../inspector';
import { answerMessage, isShown, withLiveEntry } from '../workbench';

const needsWindow = { skip: windowMissing };

/** A session of the workspace that keeps growing. */
class GrowingSession {
  readonly session = new ClaudeCodeSession(undefined, workspaceFolder().fsPath);
  readonly uri: vscode.Uri;
  private written = 0;

  constructor(private readonly prompt: string) {
    this.uri = writeSession('live', prompt, workspaceFolder().fsPath);
    writeFileSync(this.uri.fsPath, '');
  }

  /** Lets the agent do some turns, and writes the new lines. */
  grow(turns: number, size: number): void {
    addToolTurns(this.session, this.prompt, turns, size);
    const { lines } = this.session;
    appendFileSync(
      this.uri.fsPath,
      lines
        .slice(this.written)
        .map(line => `${line}\n`)
        .join(''),
    );
    this.written = lines.length;
  }
}

/** Waits until the entry of a session in the status bar has a text of this form and not `before`, and returns it. */
const entryOf = (title: string, form: RegExp, before = ''): Promise<string> =>
  ui(
    async ({ page }, wanted) => {
      const entry = page
        .locator(
          `[id$=".live"][aria-label*="${wanted.title}"], [id$=".live"]:has([aria-label*="${wanted.title}"])`,
        )
        .filter({ hasText: new RegExp(wanted.form) })
        .filter({ hasNotText: wanted.before === '' ? /^$/ : wanted.before });
      return (await entry.first().innerText()).trim();
    },
    { title, form: form.source, before },
  ).then(String);

test(
  'shows the live session of the workspace, follows it, and opens its newest request, unless a setting says never',
  async () => {
    await closeEverything();
    const live = new GrowingSession('Polish the lamps');
    live.grow(2, 4_000);
    await withLiveEntry(async () => {
      const before = await entryOf('Polish the lamps', /^\s*\d+ % · \$0\.\d+ · cold\s*$/);
      live.grow(6, 40_000);
      const after = await entryOf('Polish the lamps', /^\s*\d+ % · /, before);
      assert.ok(Number.parseInt(after, 10) > Number.parseInt(before, 10), `${before}, then ${after}`);
      await ui(({ page }) => page.locator('[id$=".live"] a').click());
      await eventually('the session is shown', () => isActiveInInspector(live.uri));
      const { requests = 0 } = await finalEditor(live.uri);
      await ui(({ webview }, count) => webview.getByText(`Request ${count}`).first().waitFor(), requests);
      await closeEverything();
      await run(commandIds.openLive);
      await isShown(live.uri);
      await withSettings({ 'contextInspector.live.statusBar': 'never' }, () =>
        ui(({ page }) => page.locator('[id$=".live"] a').waitFor({ state: 'hidden' })),
      );
    });
    rmSync(live.uri.fsPath);
  },
  needsWindow,
);

test(
  'says once that the cache was lost, where the user wants to know',
  async () => {
    const live = new GrowingSession('Mend the scales');
    live.grow(4, 20_000);
    // Before the entry reads the session: it tells only of losses after that.
    await withSettings({ 'contextInspector.live.cacheNotice': true }, () =>
      withLiveEntry(async () => {
        await entryOf('Mend the scales', /%/);
        live.session.pause(3 * 3600);
        live.grow(2, 2_000);
        await answerMessage('The cache was lost in request');
      }),
    );
    rmSync(live.uri.fsPath);
  },
  needsWindow,
);
