import { writeFileSync } from 'node:fs';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { fromMenu, ui, type VscodeWindow } from '../driver';
import { closeEverything } from '../inspector';
import { changes, choose, host, type Place, row } from './rows';
import { isOpened, showSessions, writeSession } from './sessionPlaces';
import { answered } from './workbench';

/** Waits until the page shows two sessions side by side. */
export async function isComparisonShown(): Promise<void> {
  await ui(({ webview }) => webview.getByRole('heading', { name: 'Facts' }).waitFor());
}

/** Chooses a session by its title in the command's prompt. */
export async function chooseSession({ page }: VscodeWindow, title: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  await widget.getByText('Compare With', { exact: true }).waitFor();
  // The list holds the sessions of all tests, and draws only the rows in view.
  await widget.locator('input[type=text]').fill(title);
  await widget.locator('.monaco-list-row', { hasText: title }).first().click();
  await widget.waitFor({ state: 'hidden' });
}

/** By the menu of a row in the list of sessions. */
export const compareFromMenu = (title: string, other: string): Promise<void> =>
  answered(
    () =>
      fromMenu(
        () =>
          ui(
            ({ view }, text) =>
              view.getByRole('treeitem').filter({ hasText: text }).first().click({ button: 'right' }),
            title,
          ),
        'Compare With…',
      ),
    chooseSession,
    other,
  );

/** The page with two sessions side by side. */
export const comparePlaces: readonly Place[] = [
  {
    name: 'Comparison',
    frame: 'webview',
    open: async () => {
      // An editor would read the file while it is written again.
      await closeEverything();
      const { fsPath } = writeSession('garden', 'Water the plants');
      // More files than a list shows at once.
      const session = addToolTurns(new ClaudeCodeSession(), 'Water the plants', 25, 200);
      writeFileSync(fsPath, session.toString());
      writeSession('cellar', 'Fold the maps');
      await showSessions();
      await compareFromMenu('Water the plants', 'Fold the maps');
    },
    reach: ({ webview }) => webview.getByRole('heading', { name: 'Facts' }).waitFor(),
    rows: [
      row('combobox', /^Compare in [AB]$/, changes('role=table[name="Facts"]'), choose('0')),
      row('button', /^Parts of /, changes('#part')),
      row('button', /^Show more/, changes('role=table[name="Files read"]')),
      row('button', /, open .* in [AB]$/, host(isOpened)),
      row('button', /^(Water the plants|Fold the maps)$/, host(isOpened)),
    ],
  },
];
