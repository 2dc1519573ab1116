import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { ui } from '../driver';
import { closeEverything } from '../inspector';
import { changes, choose, fill, hides, host, type Place, type Row, row, shows } from './rows';
import { isOpened, writeSession } from './sessionPlaces';

/** Waits until the field of the search in all sessions has the focus. */
export const searchHasFocus = (): Promise<unknown> =>
  ui(({ webview }) => webview.locator('[role=combobox]:focus').waitFor());

const noHits = 'text=Nothing found.';
const chips = '[role=toolbar][aria-label="Source"]';

/**
 * The controls of the column that searches in all sessions. The controls of the figures next to it are listed
 * elsewhere.
 */
export const searchRows: readonly Row[] = [
  row('button', /^You \d/, changes(chips)),
  row('button', /^All \d/, changes(chips)),
  row('fold', /^Filters( \(\d\))?$/, shows('role=textbox[name="Agent"]')),
  ...['Agent', 'Project', 'Tool', 'Model', 'File'].flatMap(name => [
    row('textbox', name, shows(noHits), fill('nothing of the kind')),
    row('button', 'Clear filters', hides(noHits)),
  ]),
  row('combobox', 'Role', shows(noHits), choose('system')),
  row('button', 'Clear filters', hides(noHits)),
  row('textbox', 'From date', shows(noHits), fill('2100-01-01')),
  row('button', 'Clear filters', hides(noHits)),
  row('textbox', 'To date', shows(noHits), fill('2000-01-01')),
  row('button', 'Clear filters', hides(noHits)),
  row('checkbox', 'Failed results only', shows(noHits)),
  row('checkbox', 'Failed results only', hides(noHits)),
  row('combobox', 'Search in all sessions', shows(noHits), fill('quinces of nobody')),
  row('button', 'Clear search', shows('text=Searches the text of all sessions')),
  row('option', /quinces/, host(isOpened)),
  row('listbox', 'Search results', host(isOpened)),
];

/** Shows the search with filters open and a session to be found. */
export async function showSearch(): Promise<void> {
  await closeEverything();
  writeSession('orchard', 'Pick the quinces');
  await vscode.commands.executeCommand(commandIds.searchAllSessions);
  await searchHasFocus();
}

export const searchPlace: Place = {
  name: 'Search in all sessions',
  frame: 'webview',
  open: showSearch,
  reach: async ({ webview }) => {
    await webview.getByRole('combobox', { name: 'Search in all sessions' }).fill('quinces');
    await webview.locator('[role=option]').first().waitFor();
  },
  rows: [...searchRows, row('button', 'Usage', shows('role=heading[name="Usage"]'))],
};
