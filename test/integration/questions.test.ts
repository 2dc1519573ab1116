import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { claudeCodeFile } from '../generator/claudeCodeFile';
import { appendSteps } from '../generator/lines';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile, workspaceFolder } from './inspector';

const needsWindow = { skip: windowMissing };

/** From the bundle of the tests, in dist/test. */
const sample = join(__dirname, '../../../shared/samples/claude-code/entire-large-3.99MB.jsonl');

/** Opens a session at its first request, with the prune panel. */
async function openAtFirstRequest(uri: vscode.Uri): Promise<void> {
  await openAlone(uri);
  await finalEditor(uri);
  await ui(async ({ webview }) => {
    await webview.getByRole('slider', { name: 'Request' }).press('Home');
    await webview.getByRole('tab', { name: 'Prune' }).click();
  });
}

/** The text of the panel when the wait is over. */
async function outcomesOfPrune(): Promise<readonly string[]> {
  const outcomes = await ui(async ({ webview }) => {
    const replay = webview.getByTestId('prune-replay');
    await replay.getByText(/^Pruned .* in /).waitFor({ timeout: 50_000 });
    const found = [await replay.innerText()];
    // The best moment is searched without being asked.
    const moments = webview.getByTestId('best-moments');
    await moments.locator('.block-list__entry, .prose').first().waitFor({ timeout: 50_000 });
    found.push(await moments.innerText());
    await webview
      .getByTestId('best-moment')
      .getByText(/Best at|This is the best|These settings/)
      .waitFor();
    const search = webview.getByTestId('prune-search');
    const name = 'Best settings';
    await search.getByRole('button', { name, exact: true }).click();
    const place = search.locator('.search', { has: webview.getByRole('button', { name, exact: true }) });
    await place.locator('.block-list__entry, .prose').first().waitFor({ timeout: 50_000 });
    found.push(await place.getByRole('status').innerText());
    return found;
  });
  assert.ok(Array.isArray(outcomes));
  return outcomes.map(String);
}

async function answersAt(uri: vscode.Uri): Promise<void> {
  await openAtFirstRequest(uri);
  const [replay = '', moment = '', settings = ''] = await outcomesOfPrune();
  assert.match(replay, /Input cost for the rest of this session: \$[\d.,]+ → \$|Uncached input tokens/);
  const ranked =
    /saves \$|costs \$|Best: don’t prune|No rule set would prune|These settings|prices of this model/;
  assert.match(moment, ranked);
  assert.match(settings, ranked);
}

test(
  'replays the rest of the example, and finds its best moment and settings',
  () => answersAt(vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl')),
  needsWindow,
);

test(
  'replays the rest of a session of 4 MB, and finds its best moment and settings',
  async () => {
    const uri = temporaryFile('generated.jsonl', '');
    appendSteps(uri.fsPath, claudeCodeFile({ seed: 7 }), 4_000_000);
    await answersAt(uri);
  },
  needsWindow,
);

test(
  'replays the rest of a recorded session of 4 MB, and finds its best moment and settings',
  async () => {
    const uri = temporaryFile('recorded.jsonl', '');
    copyFileSync(sample, uri.fsPath);
    await answersAt(uri);
  },
  { skip: windowMissing ?? (existsSync(sample) ? undefined : `there is no ${sample}`) },
);

/** For pages opened afterwards: a test can post messages as the page, and change the messages that the page posts. */
async function takeHoldOfPages(): Promise<void> {
  await ui(({ page }) =>
    page.addInitScript(() => {
      let hooked: unknown;
      Object.defineProperty(globalThis, 'acquireVsCodeApi', {
        configurable: true,
        get: () => hooked,
        set: (acquire: () => { postMessage: (message: unknown) => void }) => {
          hooked = () => {
            const api = acquire();
            const hold = {
              post: (message: unknown) => api.postMessage(message),
              change: (message: unknown) => message,
            };
            Object.assign(globalThis, { hold });
            return { ...api, postMessage: (message: unknown) => hold.post(hold.change(message)) };
          };
        },
      });
    }),
  );
}

async function openHeld(name: string): Promise<void> {
  await takeHoldOfPages();
  const uri = temporaryFile(name, '');
  appendSteps(uri.fsPath, claudeCodeFile({ seed: 7 }), 50_000);
  await openAlone(uri);
  await finalEditor(uri);
  // Until the page's own script runs, there is nothing to take hold of.
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
}

test(
  'tells that a message of unknown form is refused',
  async () => {
    await openHeld('refused.jsonl');
    await ui(async ({ webview }) => {
      await webview.locator('body').evaluate(() => {
        const { hold } = Object.assign(
          { hold: { post: (message: unknown): unknown => message } },
          globalThis,
        );
        hold.post({ type: 'act', act: { kind: 'launch', command: 'calculator' } });
      });
      const notice = webview
        .getByRole('alert')
        .filter({ hasText: 'The extension refused an invalid message' });
      await notice.waitFor();
      await notice.getByRole('button', { name: 'Close' }).click();
      await notice.waitFor({ state: 'detached' });
    });
  },
  needsWindow,
);

for (const { what, change, sentence } of [
  {
    what: 'an answer that fails',
    change: { params: { request: 1_000_000, planner: 'own' } },
    sentence: 'Request 1,000,001 does not exist',
  },
  {
    what: 'a question of unknown form',
    change: { name: 'astrology' },
    sentence: 'The extension refused an invalid question',
  },
]) {
  test(
    `shows ${what}, and asks again`,
    async () => {
      await openHeld(`${change.name ?? 'failing'}.jsonl`);
      await ui(
        async ({ webview }, given) => {
          await webview.locator('body').evaluate((_, other) => {
            const { hold } = Object.assign({ hold: { change: (_: unknown): unknown => _ } }, globalThis);
            hold.change = (message: unknown): unknown => {
              const asked = Object.assign({ question: { name: '' } }, message);
              return asked.question.name === 'stability'
                ? { ...asked, question: { ...asked.question, ...other } }
                : message;
            };
          }, given.change);
          await webview.getByRole('tab', { name: 'Cache' }).click();
          await webview.getByText(given.sentence).waitFor();
          await webview.locator('body').evaluate(() => {
            const { hold } = Object.assign({ hold: { change: (_: unknown): unknown => _ } }, globalThis);
            hold.change = (message: unknown): unknown => message;
          });
          await webview.getByRole('button', { name: 'Try again' }).click();
          await webview.locator('[data-testid="stability"][aria-busy="false"]').waitFor();
        },
        { change, sentence },
      );
    },
    needsWindow,
  );
}
