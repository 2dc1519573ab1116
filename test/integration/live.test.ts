import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, isActiveInInspector, openAlone, workspaceFolder } from './inspector';
import { compareFromMenu, isComparisonShown } from './inventory/comparePlaces';
import { showSessions, writeSession } from './inventory/sessionPlaces';
import { answerMessage } from './inventory/workbench';

const needsWindow = { skip: windowMissing };

/** A session of the workspace that keeps growing. */
class WrittenSession {
  readonly uri: vscode.Uri;
  private written = 0;
  readonly session = new ClaudeCodeSession(undefined, workspaceFolder().fsPath);

  constructor(name: string) {
    const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', '-live');
    mkdirSync(folder, { recursive: true });
    this.uri = vscode.Uri.file(join(folder, `${name}.jsonl`));
    writeFileSync(this.uri.fsPath, '');
  }

  remove(): void {
    rmSync(this.uri.fsPath);
  }

  /** Writes the new lines of the session. */
  write(): this {
    const { lines } = this.session;
    const news = lines.slice(this.written).map(line => `${line}\n`);
    this.written = lines.length;
    appendFileSync(this.uri.fsPath, news.join(''));
    return this;
  }
}

async function withSession(name: string, use: (live: WrittenSession) => Promise<void>): Promise<void> {
  const live = new WrittenSession(name);
  try {
    await use(live);
  } finally {
    live.remove();
  }
}

/** The text of the entry in the status bar; empty if there is none. */
const entryText = async (): Promise<string> =>
  String(
    // In one step, because the entry may disappear at any moment.
    await ui(({ page }) => page.locator('[id$=".live"] a:visible').allInnerTexts()),
  ).trim();

/** Waits until the entry belongs to a session, by its title. */
const isEntryOf = (title: string): Promise<unknown> =>
  ui(
    ({ page }, text) =>
      page
        .locator(`[id$=".live"][aria-label*="${text}"], [id$=".live"] [aria-label*="${text}"]`)
        .first()
        .waitFor(),
    title,
  );

async function entrySays(pattern: RegExp): Promise<void> {
  let text = '';
  await waitUntil(`the status bar says ${String(pattern)}`, async () => {
    text = await entryText();
    return pattern.test(text);
  }).catch((error: unknown) => {
    throw new Error(`The status bar says: ${text}`, { cause: error });
  });
}

const set = (name: 'statusBar' | 'cacheNotice', value: unknown): Thenable<void> =>
  vscode.workspace
    .getConfiguration('contextInspector.live')
    .update(name, value, vscode.ConfigurationTarget.Global);

test(
  'shows the live session of the workspace after one was opened, follows it, and opens its newest request',
  () =>
    withSession('shelves', async live => {
      await closeEverything();
      addToolTurns(live.session, 'Polish the lamps', 2, 4_000);
      live.write();
      await openAlone(live.uri);
      await finalEditor(live.uri);
      await isEntryOf('Polish the lamps');
      await entrySays(/^\d+ % · \$0\.\d+ · cold$/);
      const before = await entryText();
      await closeEverything();
      addToolTurns(live.session, 'Once more', 6, 40_000);
      live.write();
      await waitUntil('the status bar follows', async () => {
        const text = await entryText();
        return text !== before && Number.parseInt(text, 10) > Number.parseInt(before, 10);
      });
      await ui(({ page }) => page.locator('[id$=".live"] a').click());
      await waitUntil('the session is shown', () => isActiveInInspector(live.uri));
      const { requests = 0 } = await finalEditor(live.uri);
      await ui(({ webview }, count) => webview.getByText(`Request ${count}`).first().waitFor(), requests);
    }),
  needsWindow,
);

test(
  'says in the status bar and the header that the history was compacted after the newest request',
  () =>
    withSession('wardrobe', async live => {
      await closeEverything();
      await set('statusBar', 'always');
      try {
        addToolTurns(live.session, 'Air the wardrobe', 6, 40_000);
        live.write();
        await isEntryOf('Air the wardrobe');
        await entrySays(/^\d+ % · /);
        const before = Number.parseInt(await entryText(), 10);
        live.session.compact('The wardrobe is aired. Its doors stay open until the evening.');
        live.write();
        await waitUntil('the status bar shows the rest', async () => {
          const share = Number.parseFloat(await entryText());
          return share > 0 && share < before / 2;
        });
        await openAlone(live.uri);
        await finalEditor(live.uri);
        const text = await ui(({ webview }) => webview.getByTestId('after').innerText());
        assert.match(String(text), /^Compacted after the newest request: about [\d,]+ tokens left\.$/);
      } finally {
        await set('statusBar', undefined);
      }
    }),
  needsWindow,
);

test(
  'says once that the cache was lost, where the user wants to know',
  () =>
    withSession('lost', async live => {
      await set('statusBar', 'always');
      await set('cacheNotice', true);
      try {
        addToolTurns(live.session, 'Mend the scales', 4, 20_000);
        live.write();
        await isEntryOf('Mend the scales');
        live.session.pause(3 * 3600);
        addToolTurns(live.session, 'And again', 2, 2_000);
        live.write();
        await answerMessage('The cache was lost in request');
      } finally {
        await set('cacheNotice', undefined);
        await set('statusBar', undefined);
      }
    }),
  needsWindow,
);

test(
  'shows nothing where the setting says never',
  () =>
    withSession('never', async live => {
      addToolTurns(live.session, 'Light the stove', 2, 2_000);
      live.write();
      await set('statusBar', 'always');
      await isEntryOf('Light the stove');
      await set('statusBar', 'never');
      try {
        await waitUntil('the entry is gone', async () => (await entryText()) === '');
      } finally {
        await set('statusBar', undefined);
      }
    }),
  needsWindow,
);

/** The money in a text, with its mark. */
const moneyIn = (text: unknown): string => /(?:≥ )?\$[\d.,]+/.exec(String(text))?.[0] ?? String(text);

test(
  'says one cost of a session, with its mark, in the list, the status bar, the header and Compare',
  () =>
    withSession('coins', async live => {
      await set('statusBar', 'always');
      try {
        await closeEverything();
        addToolTurns(live.session, 'Count the coins', 3, 8_000);
        // The output recorded by this version is too low.
        const { lines } = live.session;
        lines.splice(
          0,
          lines.length,
          ...lines.map(line => line.replace(/"version":"[^"]*"/, '"version":"2.1.30"')),
        );
        writeSession('scales', 'Weigh the coins');
        live.write();
        await showSessions();
        const list = await ui(async ({ view }) => {
          const row = view
            .getByRole('treeitem')
            .filter({ hasText: 'Count the coins' })
            .filter({ hasText: '$' })
            .first();
          await row.waitFor();
          return row.innerText();
        });
        const said = moneyIn(list);
        assert.match(said, /^≥ \$0\.\d+$/);
        await isEntryOf('Count the coins');
        assert.equal(moneyIn(await entryText()), said);
        await openAlone(live.uri);
        await finalEditor(live.uri);
        const header = await ui(({ webview }) => webview.getByTestId('cost').first().innerText());
        assert.equal(moneyIn(header), said);
        await showSessions();
        await compareFromMenu('Count the coins', 'Weigh the coins');
        await isComparisonShown();
        const compared = await ui(({ webview }) => webview.getByRole('row', { name: /^Cost/ }).innerText());
        assert.equal(moneyIn(compared), said);
      } finally {
        await set('statusBar', undefined);
        await closeEverything();
      }
    }),
  needsWindow,
);
