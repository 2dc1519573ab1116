// Takes the pictures of the README in the newest VS Code, in its default layout, with the bundled example. Arguments: the names of the pictures to take; all without arguments.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder, openExampleExtension } from './lib/example.mjs';
import { root } from './lib/packages.mjs';
import { startVscodeServer, versions } from './lib/vscodeServer.mjs';
import { openWorkbench } from './lib/workbench.mjs';

async function goToBreak({ webview }) {
  await webview.getByRole('tab', { name: 'Cache' }).click();
  await webview.getByRole('button', { name: /idle too long/ }).click();
  await webview.getByTestId('cache-break').waitFor();
  await webview.locator('[data-testid=stability][aria-busy=false]').waitFor();
  await webview.getByTestId('cache-break').scrollIntoViewIfNeeded();
}

async function weighPrune({ webview }) {
  await webview.getByRole('tab', { name: 'Prune' }).click();
  await webview.getByTestId('prune-worth').waitFor();
}

async function showCompaction({ webview }) {
  await webview.getByRole('radio', { name: 'Compaction' }).check();
  await webview.getByTestId('compaction').getByTestId('block-text').waitFor();
}

async function showTable({ webview }) {
  await webview.getByRole('radio', { name: 'Table' }).check();
}

/** Each picture: a colour theme of VS Code, and the user actions before it is taken. */
const pictures = {
  dark: { theme: 'Default Dark Modern', act: goToBreak },
  light: { theme: 'Default Light Modern', act: weighPrune },
  compaction: { theme: 'Default Dark Modern', act: showCompaction },
  'high-contrast': { theme: 'Default High Contrast', act: showTable },
};

const readyTimeoutMilliseconds = 60_000;
const folder = join(root, 'media', 'screenshots');

async function take(name, { theme, act }) {
  const server = await startVscodeServer({
    version: versions.newest,
    extensions: [root, openExampleExtension],
    settings: { 'workbench.colorTheme': theme },
  });
  let workbench;
  try {
    workbench = await openWorkbench(server.address(exampleFolder));
    const { page, webview } = workbench;
    const ready = webview.locator('#root[data-ready="true"]');
    await ready.waitFor({ timeout: readyTimeoutMilliseconds });
    await act(workbench);
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    console.log(`media/screenshots/${name}.png`);
  } finally {
    await workbench?.close();
    await server.stop();
  }
}

mkdirSync(folder, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, picture] of Object.entries(pictures)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    await take(name, picture);
  }
}
