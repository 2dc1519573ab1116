import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { fromMenu, ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  finalEditor,
  isActiveAsText,
  isActiveInInspector,
  temporaryFile,
} from './inspector';

const needsWindow = { skip: windowMissing };

function workspaceFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}

/** Writes a session of today, or of another day, into the folder where Claude Code keeps the sessions of a project. */
function claudeSession(
  project: string,
  name: string,
  directory: string,
  prompt: string,
  day = new Date().toISOString().slice(0, 10),
): vscode.Uri {
  const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', project);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.jsonl`);
  const text = new ClaudeCodeSession(undefined, directory).prompt(prompt).reply({ text: 'Done.' }).toString();
  writeFileSync(path, text.replaceAll(/"timestamp":"[\d-]+T/g, `"timestamp":"${day}T`));
  return vscode.Uri.file(path);
}

const showSessions = (): Thenable<unknown> => vscode.commands.executeCommand(`${sessionsViewId}.focus`);

/** Shows the list as the only page in the window. */
async function showSessionsAlone(): Promise<void> {
  await closeEverything();
  await showSessions();
}

/** The text of the row that shows a session or a group; waits until it is there. */
const rowText = (title: string): Promise<unknown> =>
  ui(({ view }, text) => view.getByRole('treeitem').filter({ hasText: text }).first().innerText(), title);

/** Waits until the row of a session contains a text. */
const rowSays = (title: string, text: string): Promise<unknown> =>
  ui(
    ({ view }, [name = '', wanted = '']) =>
      view.getByRole('treeitem').filter({ hasText: name }).filter({ hasText: wanted }).first().waitFor(),
    [title, text],
  );

test(
  'opens on the recent sessions, those of the workspace first, and opens one when it is clicked',
  async () => {
    const uri = claudeSession('-here', 'here', workspaceFolder(), 'Sort the shelves');
    claudeSession('-elsewhere', 'there', '/home/ada/elsewhere', 'Water the plants');
    await showSessionsAlone();
    const isRecent = await ui(({ view }) => view.getByRole('radio', { name: 'Recent' }).isChecked());
    assert.equal(isRecent, true);
    // Fill and cost are read in the background.
    await rowSays('Sort the shelves', '9 %');
    assert.match(
      String(await rowText('Sort the shelves')),
      /Sort the shelves[^]*Claude Code[^]*live[^]*now[^]*9 %[^]*\$0\.0\d/,
    );
    assert.match(String(await rowText('Water the plants')), /elsewhere/);
    const lines = await ui(({ view }) =>
      view
        .getByRole('tree', { name: 'Sessions' })
        .getByRole('treeitem')
        .evaluateAll(rows => rows.map(row => String(Reflect.get(row, 'textContent')).slice(0, 16))),
    );
    const order = ['This workspace', 'Sort the shelves', 'Elsewhere on thi', 'Water the plants'];
    const places = order.map(text => JSON.stringify(lines).indexOf(text));
    assert.ok(!places.includes(-1), JSON.stringify(lines));
    assert.deepEqual(
      places,
      places.toSorted((first, second) => first - second),
    );
    await ui(({ view }) => view.getByRole('treeitem').filter({ hasText: 'Sort the shelves' }).click());
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
  },
  needsWindow,
);

test(
  'groups a session by its last request, and calls it not live, although its file was just copied here',
  async () => {
    claudeSession('-copied', 'old', '/home/ada/copied', 'Prune the roses', '2026-01-05');
    claudeSession('-copied', 'new', '/home/ada/copied', 'Feed the hens');
    await showSessionsAlone();
    await rowSays('Prune the roses', '$0.0');
    await rowSays('Feed the hens', '$0.0');
    await ui(async ({ view, until }) => {
      const rows = view.getByRole('tree', { name: 'Sessions' }).getByRole('treeitem');
      await until('the old session is among the older ones, the other is of today', async () => {
        const texts = await rows.allInnerTexts();
        const groupOf = (title: string): string | undefined => {
          const place = texts.findIndex(text => text.includes(title));
          return texts.findLast((text, row) => row < place && /^(Today|Yesterday|Last \d+|Older)/.test(text));
        };
        const groups = [groupOf('Feed the hens'), groupOf('Prune the roses')];
        return groups[0]?.startsWith('Today') === true && groups[1]?.startsWith('Older') === true;
      });
    });
    assert.match(String(await rowText('Feed the hens')), /live/);
    assert.doesNotMatch(String(await rowText('Prune the roses')), /live/);
  },
  needsWindow,
);

test(
  'opens what is clicked in a list that was scrolled, where no line was chosen before',
  async () => {
    const crates = Array.from({ length: 40 }, (_, number) => {
      const title = `Label crate ${number + 10}`;
      return { title, uri: claudeSession('-crates', `crate-${number}`, '/home/ada/crates', title) };
    });
    await showSessionsAlone();
    const clicked = await ui(async ({ page, view, until }) => {
      await view.getByRole('textbox').fill('label crate');
      await view.getByText('40 sessions found', { exact: true }).waitFor();
      const tree = view.getByRole('tree');
      await tree.hover();
      const { y: top = 0 } = (await tree.boundingBox()) ?? {};
      const places = async (): Promise<string> => {
        const boxes = await Promise.all(
          (await view.getByRole('treeitem').all()).map(row => row.boundingBox()),
        );
        return JSON.stringify(boxes);
      };
      const before = await places();
      await page.mouse.wheel(0, 700);
      // The list moves with a delay, and continues to move for a while.
      let last = before;
      await until('the list has moved and stands still', async () => {
        const previous = last;
        last = await places();
        return last !== before && last === previous;
      });
      for (const row of await view.getByRole('treeitem').all()) {
        const { x = 0, y = 0 } = (await row.boundingBox()) ?? {};
        if (y > top) {
          const text = await row.innerText();
          await page.mouse.click(x + 60, y + 20);
          return text;
        }
      }
      return '';
    });
    const crate = crates.find(({ title }) => String(clicked).includes(title));
    assert.ok(crate !== undefined, String(clicked));
    await waitUntil('the session is shown', () => isActiveInInspector(crate.uri));
    await ui(async ({ view }) => {
      await view.getByRole('textbox').fill('');
      await view.getByRole('tree').press('Home');
    });
  },
  needsWindow,
);

test(
  'is used with the keyboard alone, also beside an editor',
  async () => {
    await showSessionsAlone();
    const uri = claudeSession('-here', 'keys', workspaceFolder(), 'Zip the jackets');
    await rowText('Zip the jackets');
    await ui(async ({ page, view }) => {
      const row = view.getByRole('treeitem', { selected: true }).filter({ hasText: 'Zip the jackets' });
      await view.getByRole('tree').focus();
      await page.keyboard.type('zip');
      await row.waitFor();
      await page.keyboard.press('Shift+Alt+C');
    });
    await waitUntil('the path is copied', async () => (await vscode.env.clipboard.readText()) === uri.fsPath);
    await ui(({ page }) => page.keyboard.press('Enter'));
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
    await finalEditor(uri);
    await showSessions();
    await ui(async ({ page, until }) => {
      await until('the list has the focus', async () => {
        const found = page.frames().map(frame =>
          frame
            .locator('.tree:focus')
            .count()
            .catch(() => 0),
        );
        return (await Promise.all(found)).includes(1);
      });
      await page.keyboard.press('Control+Enter');
    });
    await waitUntil('it is shown beside itself', () => vscode.window.tabGroups.all.length === 2);
    await closeEverything();
  },
  needsWindow,
);

test(
  'has a menu for each session',
  async () => {
    await showSessionsAlone();
    const uri = claudeSession('-here', 'menu', workspaceFolder(), 'Label the drawers');
    const path = uri.fsPath;
    const choose = (entry: string): Promise<void> =>
      fromMenu(
        () =>
          ui(({ view }) =>
            view.getByRole('treeitem').filter({ hasText: 'Label the drawers' }).click({ button: 'right' }),
          ),
        entry,
      );
    await choose('Open as Text');
    await waitUntil('it is open as text', () => isActiveAsText(uri));
    await closeEverything();
    await choose('Open in Context Inspector');
    await waitUntil('it is open in the inspector', () => isActiveInInspector(uri));
    await closeEverything();
    await choose('Open to the Side');
    await waitUntil('it is open to the side', () => isActiveInInspector(uri));
    await closeEverything();
    await choose('Copy Path');
    await waitUntil('the path is copied', async () => (await vscode.env.clipboard.readText()) === path);
  },
  needsWindow,
);

test(
  'remembers how it is grouped when the page is thrown away',
  async () => {
    await showSessionsAlone();
    claudeSession('-v1', 'one', '/home/ada/v1/harbor-api', 'Paint the fence');
    claudeSession('-v2', 'two', '/home/ada/v2/harbor-api', 'Paint the gate');
    await rowText('Paint the gate');
    await ui(({ view }) => view.getByRole('radio', { name: 'Project' }).check());
    await rowText('v1 / harbor-api');
    await vscode.commands.executeCommand('workbench.view.explorer');
    await showSessions();
    await rowText('v2 / harbor-api');
    const checked = await ui(({ view }) => view.getByRole('radio', { name: 'Project' }).isChecked());
    assert.equal(checked, true);
    await ui(({ view }) => view.getByRole('radio', { name: 'Recent' }).check());
    await rowText('Elsewhere on this machine');
  },
  needsWindow,
);

test(
  'shows no password in a title, in what is read aloud, or in the search',
  async () => {
    const password = 'Tr0ub4dorAnd3X';
    claudeSession(
      '-here',
      'secret',
      workspaceFolder(),
      `Mend postgres://app:${password}@db.acme.io/prod at once`,
    );
    const long = 'Tidy up the whole of the cellar, with the key ';
    claudeSession(
      '-here',
      'cut',
      workspaceFolder(),
      `${long}${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}`,
    );
    await showSessionsAlone();
    assert.match(String(await rowText('Mend postgres:')), /:\/\/app:\S*@db\.acme\.io/);
    assert.match(String(await rowText('Tidy up the whole')), /with the key \[redacted/);
    const markup = await ui(({ view }) => view.getByRole('tree', { name: 'Sessions' }).innerHTML());
    assert.ok(!String(markup).includes(password) && !String(markup).includes('ghp_'));
    const searching = vscode.commands.executeCommand(commandIds.sessionsSearch);
    const option = await ui(async ({ page }) => {
      const input = page.getByPlaceholder('Title, agent, project or branch');
      await input.fill('Mend postgres');
      const found = page.getByRole('option', { name: /Mend postgres/ });
      await found.waitFor();
      const markupOfOption = await found.innerHTML();
      await input.press('Escape');
      return markupOfOption;
    });
    await searching;
    assert.ok(!String(option).includes(password));
  },
  needsWindow,
);

test(
  'shows a session that an agent begins while the view is open, and keeps the focus',
  async () => {
    await showSessionsAlone();
    await ui(({ view }) => view.getByRole('tree').focus());
    claudeSession('-here', 'later', workspaceFolder(), 'Count the chairs');
    assert.match(String(await rowText('Count the chairs')), /live/);
    assert.equal(await ui(({ view }) => view.locator('.tree:focus').count()), 1);
  },
  needsWindow,
);

test(
  'searches all sessions by their titles, in the view and in the command',
  async () => {
    const title = 'Water the plants $(trash) [now](command:a.b)';
    const uri = claudeSession('-elsewhere', 'there', '/home/ada/elsewhere', title);
    await showSessionsAlone();
    await rowSays('Water the plants', '$(trash)');
    await ui(async ({ view }) => {
      await view.getByRole('textbox', { name: /Search in/ }).fill('plants elsewhere');
      await view.getByRole('status').getByText('1 session found').waitFor();
      await view.getByRole('button', { name: 'Clear search' }).click();
    });
    const searching = vscode.commands.executeCommand(commandIds.sessionsSearch);
    const shown = await ui(async ({ page }) => {
      const input = page.getByPlaceholder('Title, agent, project or branch');
      await input.fill('water plants');
      const option = page.getByRole('option', { name: /Water the plants/ });
      await option.waitFor();
      const text = String(await option.textContent()).replaceAll('\u2060', '');
      const markup = await option.locator('.codicon-trash, a[href]').count();
      await input.press('Enter');
      return { text, markup };
    });
    // The title is shown as text, whatever it contains.
    assert.ok(JSON.stringify(shown).startsWith(`{"text":"${title}`), JSON.stringify(shown));
    assert.ok(JSON.stringify(shown).endsWith('"markup":0}'), JSON.stringify(shown));
    await searching;
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
  },
  needsWindow,
);

test(
  'adds the transcripts of the folders that the user names',
  async () => {
    const captured = temporaryFile(
      'captured.jsonl',
      new ClaudeCodeSession(undefined, '/home/ada/captured').prompt('Fold the maps').toString(),
    );
    temporaryFile('notes.json', '{"no":"transcript"}');
    const settings = vscode.workspace.getConfiguration();
    const folder = join(captured.fsPath, '..');
    await settings.update('contextInspector.sessions.folders', [folder], vscode.ConfigurationTarget.Global);
    try {
      await showSessionsAlone();
      assert.match(String(await rowText('Fold the maps')), /Claude Code/);
      const foreign = await ui(({ view }) =>
        view.getByRole('treeitem').filter({ hasText: 'notes.json' }).count(),
      );
      assert.equal(foreign, 0);
      await ui(({ view }) => view.getByRole('treeitem').filter({ hasText: 'Fold the maps' }).click());
      await waitUntil('the capture is shown', () => isActiveInInspector(captured));
    } finally {
      await settings.update(
        'contextInspector.sessions.folders',
        undefined,
        vscode.ConfigurationTarget.Global,
      );
      // The tests that follow expect to see the page of an editor alone.
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  },
  needsWindow,
);
