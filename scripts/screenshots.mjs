// Takes the pictures of the README in a real VS Code with the bundled example. Arguments: names of pictures; only those are taken.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { exampleFolder, openExampleExtension } from './lib/example.mjs';
import { root } from './lib/packages.mjs';
import { startVscodeServer } from './lib/vscodeServer.mjs';
import { openWorkbench } from './lib/workbench.mjs';

async function selectSecret({ webview }) {
  await webview.getByRole('button', { name: '.env' }).first().click();
  await webview.getByTestId('block-text').waitFor();
}

async function showPrune({ webview }) {
  await webview.getByRole('tab', { name: 'Prune' }).click();
}

async function showTable({ webview }) {
  await webview.getByRole('radio', { name: 'Table' }).check();
}

/** Each picture: a colour theme of VS Code, and what a person does before it is taken. */
const pictures = {
  dark: { theme: 'Default Dark Modern', act: selectSecret },
  light: { theme: 'Default Light Modern', act: showPrune },
  'high-contrast': { theme: 'Default High Contrast', act: showTable },
};

const readyTimeoutMilliseconds = 60_000;
const folder = join(root, 'media', 'screenshots');

async function take(name, { theme, act }) {
  const server = await startVscodeServer({
    extensions: [root, openExampleExtension],
    settings: { 'workbench.colorTheme': theme },
  });
  let workbench;
  try {
    workbench = await openWorkbench(server.address(exampleFolder));
    const { page, webview } = workbench;
    const ready = webview.locator('#root[data-ready="true"]');
    await ready.waitFor({ timeout: readyTimeoutMilliseconds });
    await page.keyboard.press('Control+B');
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
