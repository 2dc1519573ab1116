import { appendFileSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { ui } from '../../test/integration/driver';
import { inspectorApi, workspaceFolder } from '../../test/integration/inspector';

const orderSchema = v.object({
  /** A large session of Claude Code or Codex, and its path below the agent's folder; `*` is the name of the workspace's. */
  file: v.string(),
  place: v.string(),
  result: v.string(),
  /** The appended text, and the fill of the window after it, in per cent. */
  appends: v.array(v.object({ text: v.string(), percent: v.number() })),
});

/**
 * Not a test: `npm run bench -- live` runs this. CONTEXT_INSPECTOR_APPENDS has the order as JSON. The result is
 * `{first, times, blocked, megabytes}`: milliseconds until the session was read, from each append to the right text in
 * the status bar, and the longest for which the extension host could do nothing else; and by how much its memory grew.
 */
export async function run(): Promise<void> {
  const order = v.parse(orderSchema, JSON.parse(process.env['CONTEXT_INSPECTOR_APPENDS'] ?? '{}'));
  const agentFolder = process.env[order.place.startsWith('sessions/') ? 'CODEX_HOME' : 'CLAUDE_CONFIG_DIR'];
  const name = workspaceFolder().fsPath.replaceAll(/[^a-z\d]/gi, '-');
  const folder = join(agentFolder ?? '', order.place.replace('*', name));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, basename(order.file));
  linkSync(order.file, path);
  appendFileSync(path, '\n');
  await inspectorApi();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  delay.enable();
  const start = performance.now();
  await vscode.workspace
    .getConfiguration('contextInspector.live')
    .update('statusBar', 'always', vscode.ConfigurationTarget.Global);
  await shown('%');
  const first = performance.now() - start;
  const times: number[] = [];
  for (const { text, percent } of order.appends) {
    const began = performance.now();
    appendFileSync(path, text);
    await shown(`${percent} %`);
    times.push(performance.now() - began);
  }
  const result = {
    first,
    times,
    blocked: delay.max / 1e6,
    megabytes: (process.memoryUsage.rss() - before) / 1e6,
  };
  writeFileSync(order.result, JSON.stringify(result));
}

const shown = (text: string): Promise<unknown> =>
  ui(
    ({ page }, begin) =>
      page
        .locator('[id$=".live"] a')
        .filter({ hasText: new RegExp(`(^|\\D)${begin}`) })
        .waitFor({ timeout: 120_000 }),
    text,
  );
