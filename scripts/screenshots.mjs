// Takes the pictures of the README and of docs in the newest VS Code, in its default layout, with the bundled example.
// Arguments: the names of the pictures; without arguments, all. `--sizes FOLDER` takes other pictures for visual
// checks: every size of the page in each kind of theme, with a block selected, into a folder outside the project;
// arguments are then names of themes.
import './lib/currentNode.mjs';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
  await webview.getByTestId('best-moments').waitFor();
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

const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};

/** Shows or hides the bars next to the editor. */
async function toggleBars(page) {
  await page.keyboard.press('Control+B');
  await page.keyboard.press('Control+Alt+B');
}

/**
 * The sizes of the window in CSS pixels, in this order: those of VS Code's default layout, and those of one without the explorer and the
 * chat. A zoom of 200 % is a window of half the size.
 */
const sizes = [
  { name: '1280x720', width: 1280, height: 720 },
  { name: '1440x900', width: 1440, height: 900 },
  { name: '1920x1080', width: 1920, height: 1080 },
  { name: 'wide-2560', width: 2560, height: 1440 },
  { name: 'bare-1280', width: 1280, height: 720, act: toggleBars },
  { name: 'narrow-480', width: 540, height: 800 },
  { name: 'zoom-200', width: 640, height: 360 },
  { name: 'zoom-400', width: 320, height: 180 },
  {
    name: 'forced-colours',
    width: 1280,
    height: 720,
    act: page => page.emulateMedia({ forcedColors: 'active' }),
  },
  {
    name: 'two-editors',
    width: 1440,
    height: 900,
    act: async page => {
      await page.emulateMedia({ forcedColors: 'none' });
      await page.keyboard.press('Control+\\');
    },
  },
];

const readyTimeoutMilliseconds = 60_000;
/** The page settles after a new size. */
const settleMilliseconds = 1000;

/** Opens the example with a theme, runs an action, and ends VS Code. */
async function withExample(theme, act) {
  const server = await startVscodeServer({
    version: versions.newest,
    extensions: [root, openExampleExtension],
    settings: { 'workbench.colorTheme': theme },
  });
  let workbench;
  try {
    workbench = await openWorkbench(server.address(exampleFolder));
    const ready = workbench.webview.locator('#root[data-ready="true"]');
    await ready.waitFor({ timeout: readyTimeoutMilliseconds });
    // In a new profile the list of findings opens once, over the drawing.
    await workbench.webview.getByTestId('look-list').waitFor();
    await workbench.webview.getByTestId('look').click();
    await act(workbench);
  } finally {
    await workbench?.close();
    await server.stop();
  }
}

async function shoot(page, path) {
  await page.mouse.move(0, 0);
  await page.screenshot({ path, animations: 'disabled' });
  console.log(path);
}

async function takeSizes(folder, name) {
  await withExample(themes[name], async ({ page, webview }) => {
    await shoot(page, join(folder, `${name}-begin.png`));
    await webview.getByTestId('slot-layout').press('Home');
    await webview.getByTestId('slot-layout').press('PageDown');
    await webview.getByTestId('slot-layout').press('Enter');
    for (const { name: size, width, height, act } of sizes) {
      await page.setViewportSize({ width, height });
      await act?.(page);
      await page.waitForTimeout(settleMilliseconds);
      await shoot(page, join(folder, `${name}-${size}.png`));
    }
  });
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sizes: { type: 'string' } } });
const isWanted = name => positionals.length === 0 || positionals.includes(name);
const folder = values.sizes === undefined ? join(root, 'media', 'screenshots') : resolve(values.sizes);
mkdirSync(folder, { recursive: true });
if (values.sizes === undefined) {
  for (const [name, { theme, act }] of Object.entries(pictures).filter(([key]) => isWanted(key))) {
    await withExample(theme, async workbench => {
      await act(workbench);
      await shoot(workbench.page, join(folder, `${name}.png`));
    });
  }
} else {
  for (const name of Object.keys(themes).filter(isWanted)) {
    await takeSizes(folder, name);
  }
}
