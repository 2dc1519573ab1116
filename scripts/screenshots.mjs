// Takes the pictures of the README and of docs in the newest VS Code, in its default layout, with the bundled example.
// Arguments: the names of the pictures; without arguments, all. `--sizes FOLDER` takes other pictures for visual
// checks: every size of the page in each kind of theme, with a block selected, into a folder outside the project;
// arguments are then names of themes. `--views FOLDER` takes every view at the widths of an editor with and without
// side bars; arguments are names of themes, and `view:NAME` for single views.
import './lib/currentNode.mjs';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

const tab =
  name =>
  async ({ webview }) => {
    await webview.getByRole('tab', { name, exact: true }).click();
    await webview.getByRole('tabpanel', { name, exact: true }).waitFor();
  };
const view =
  name =>
  async ({ webview }) => {
    await webview.getByRole('radio', { name, exact: true }).check();
  };
const inOrder =
  (...acts) =>
  async workbench => {
    for (const act of acts) {
      await act(workbench);
    }
  };

async function command({ page }, title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input[type=text]').fill(`>${title}`);
  await page.locator('.quick-input-widget .monaco-list-row', { hasText: title }).first().click();
}

async function selectBlock({ webview, page }) {
  await webview.getByTestId('slot-layout').press('Home');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('Enter');
}

async function selectRange({ webview, page }) {
  await page.keyboard.press('Escape');
  await webview.getByTestId('slot-layout').press('End');
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(`Shift+${key}`);
  }
}

/** The user actions that lead to each view, from the view before it. */
const views = {
  worth: async ({ webview }) => {
    await webview.getByTestId('look').click();
    await webview.getByTestId('look-list').waitFor();
  },
  lanes: async ({ webview }) => {
    await webview.getByTestId('look').click();
    await webview.getByTestId('look-list').waitFor({ state: 'detached' });
  },
  block: selectBlock,
  range: selectRange,
  zoom: async ({ webview }) => {
    for (let step = 0; step < 6; step += 1) {
      await webview.getByTestId('slot-layout').press('+');
    }
  },
  cache: inOrder(async ({ webview }) => webview.getByTestId('slot-layout').press('0'), tab('Cache')),
  proof: goToBreak,
  side: async ({ webview }) => {
    await webview.getByRole('button', { name: 'Side by side' }).click();
    await webview.getByTestId('comparison').waitFor();
  },
  prune: inOrder(view('Lanes'), weighPrune),
  waste: tab('Waste'),
  request: tab('Request'),
  model: tab('Model'),
  sending: async ({ webview }) => {
    await webview.getByRole('button', { name: 'Preview' }).click();
    await webview.getByTestId('ask-plan').waitFor();
  },
  details: async ({ webview }) => {
    await webview.getByRole('button', { name: /^Close details/ }).click();
    await webview.getByRole('button', { name: /^Session details/ }).click();
  },
  find: async ({ webview, page }) => {
    await webview.getByRole('button', { name: /^Session details/ }).click();
    await webview.getByTestId('slot-layout').focus();
    await page.keyboard.press('Control+F');
    await webview.getByTestId('find').waitFor();
    await page.keyboard.type('repository');
  },
  keys: async ({ webview, page }) => {
    await page.keyboard.press('Escape');
    await webview.getByTestId('slot-layout').press('?');
  },
  conversation: inOrder(async ({ page }) => page.keyboard.press('Escape'), view('Conversation')),
  'conversation-begin': async ({ webview, page }) => {
    await webview.getByTestId('conversation').focus();
    await page.keyboard.press('Home');
  },
  table: view('Table'),
  breakdown: view('Breakdown'),
  compaction: view('Compaction'),
  compare: async ({ webview }) => {
    await view('Lanes')({ webview });
    await webview.getByTestId('since').click();
    await webview.getByTestId('comparison').waitFor();
  },
  sessions: async ({ page, view: sessionsView }) => {
    await page.getByRole('tab', { name: 'Context Inspector' }).first().click();
    await sessionsView.getByRole('treeitem').first().waitFor();
  },
  usage: async workbench => {
    await command(workbench, 'Context Inspector: Show Usage');
    await workbench.webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
  },
  'what-if': async workbench => {
    const { webview } = workbench;
    await command(workbench, 'Context Inspector: Show What If');
    await webview.getByRole('radio', { name: '12 weeks' }).check();
    await webview.getByRole('combobox', { name: 'Add a setting' }).selectOption('Cache lifetime');
    await webview.getByRole('combobox', { name: 'Value of Cache lifetime' }).selectOption('1h');
    await webview.getByRole('button', { name: 'Compute', disabled: false }).click();
    await webview.locator('.usage__figures[aria-busy=false]').waitFor();
  },
  search: async workbench => {
    await command(workbench, 'Context Inspector: Search in All Sessions');
    await workbench.webview.getByRole('combobox', { name: 'Search in all sessions' }).fill('test');
    await workbench.webview.locator('[role=option]').first().waitFor();
  },
};

/** The window of each picture of a view: the default layout of VS Code, and layouts whose editor is so wide. */
const widths = [
  { name: '630', page: 630, height: 720 },
  { name: '750', page: 750, height: 820 },
  { name: '1600', page: 1600, height: 900 },
];

const readyTimeoutMilliseconds = 60_000;
/** The page settles after a new size. */
const settleMilliseconds = 1000;

/** A home folder whose only sessions are copies of the example, of today and of some days before. */
function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'context-inspector-home-'));
  const folder = join(home, '.claude', 'projects', '-home-ada-orbit-ledger');
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(exampleFolder, 'session.jsonl'), 'utf8');
  const [id = '', day = ''] = [/"sessionId":"([^"]+)"/, /"timestamp":"([^T]+)T/].map(
    pattern => pattern.exec(text)?.[1],
  );
  for (const daysAgo of [0, 1, 5, 12, 40]) {
    const ownId = id.slice(0, -2) + String(daysAgo).padStart(2, '0');
    const then = new Date(Date.now() - (daysAgo + 1) * 24 * 3600 * 1000).toISOString().slice(0, 10);
    const copy = text
      .replaceAll(id, ownId)
      .replaceAll(`${day}T`, `${then}T`)
      // A request that two files hold is counted once.
      .replaceAll('"msg_', `"msg_${daysAgo}`);
    writeFileSync(join(folder, `${ownId}.jsonl`), copy);
  }
  return home;
}

/** Opens the example with a theme, runs an action, and ends VS Code. */
async function withExample(theme, act) {
  const home = makeHome();
  const server = await startVscodeServer({
    version: versions.newest,
    extensions: [root, openExampleExtension],
    settings: { 'workbench.colorTheme': theme },
    environment: {
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CONTEXT_INSPECTOR_INDEX: join(home, 'index'),
    },
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
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
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

async function takeViews(folder, name, wanted) {
  await withExample(themes[name], async workbench => {
    const { page } = workbench;
    const editor = page.locator('.part.editor');
    for (const [view, act] of Object.entries(views)) {
      try {
        await page.setViewportSize({ width: 1280, height: 720 });
        await act(workbench);
      } catch (error) {
        console.error(`${view}: ${error.message.split('\n')[0]}`);
      }
      if (wanted.length > 0 && !wanted.includes(view)) {
        continue;
      }
      // The editor has its width a moment after the window.
      await page.waitForTimeout(settleMilliseconds);
      for (const { name: width, page: wide, height } of widths) {
        const { width: now } = await editor.boundingBox();
        await page.setViewportSize({ width: page.viewportSize().width + wide - Math.round(now), height });
        await page.mouse.move(0, 0);
        await page.waitForTimeout(settleMilliseconds);
        const path = join(folder, `${view}-${width}-${name}.png`);
        await (view === 'sessions' ? page : editor).screenshot({ path, animations: 'disabled' });
        console.log(path);
      }
    }
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sizes: { type: 'string' }, views: { type: 'string' } },
});
const wantedViews = positionals
  .filter(each => each.startsWith('view:'))
  .map(each => each.slice('view:'.length));
const names = positionals.filter(each => !each.startsWith('view:'));
const isWanted = name => names.length === 0 || names.includes(name);
const folder = resolve(values.views ?? values.sizes ?? join(root, 'media', 'screenshots'));
mkdirSync(folder, { recursive: true });
if (values.views !== undefined) {
  for (const name of Object.keys(themes).filter(isWanted)) {
    await takeViews(folder, name, wantedViews);
  }
} else if (values.sizes === undefined) {
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
