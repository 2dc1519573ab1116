import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { isObject, member } from '../../src/core/base/json';
import { commandIds } from '../../src/host/manifest';
import { ui, waitUntil } from '../../test/integration/driver';
import { closeEverything, inspectorApi } from '../../test/integration/inspector';

/**
 * Not a test: `npm run bench -- picture` runs this. CONTEXT_INSPECTOR_PICTURE has the files and the path for the times,
 * as JSON.
 */
export async function run(): Promise<void> {
  const order: unknown = JSON.parse(process.env['CONTEXT_INSPECTOR_PICTURE'] ?? '{}');
  const files = member(order, 'files');
  const result = member(order, 'result');
  if (!isObject(order) || !Array.isArray(files) || typeof result !== 'string') {
    throw new Error('Files and the place of the result are missing.');
  }
  await inspectorApi();
  const times: number[] = [];
  for (const file of files) {
    times.push(await firstPicture(String(file)));
  }
  writeFileSync(result, JSON.stringify(times));
}

/** Milliseconds from the command until the page has drawn the session for the first time. */
async function firstPicture(path: string): Promise<number> {
  await closeEverything();
  await waitUntil('the page of the last file is gone', async () => {
    const pages = await ui(({ page }) => page.locator('iframe.webview.ready').count());
    return pages === 0;
  });
  const start = performance.now();
  await vscode.commands.executeCommand(commandIds.open, vscode.Uri.file(path));
  await ui(({ webview }) =>
    webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached', timeout: 120_000 }),
  );
  return performance.now() - start;
}
