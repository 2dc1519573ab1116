import type { Page } from 'playwright-core';
import { usageAddress } from '../../../src/protocol/doorAddresses';
import { openAddress } from '../door';
import { changes, choose, does, fill, hides, type Place, type Row, row, shows } from './rows';
import { writeSession } from './sessionPlaces';

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
  row('option', /quinces/, does('show')),
  row('listbox', 'Search results', does('show')),
];

async function searchWords(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search in all sessions' }).fill('quinces');
  await page.locator('[role=option]').first().waitFor();
}

export const searchPlace: Place = {
  name: 'Search in all sessions',
  open: async options => {
    await writeSession('orchard', 'Pick the quinces');
    return openAddress(usageAddress('search'), options);
  },
  stays: true,
  reach: searchWords,
  again: searchWords,
  rows: [...searchRows, row('button', 'Usage', shows('role=heading[name="Usage"]'))],
};
