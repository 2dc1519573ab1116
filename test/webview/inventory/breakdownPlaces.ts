import { onPage } from './pagePlaces';
import { changes, choose, does, fill, hides, type Place, press, row, shows } from './rows';

const total = '[data-testid=breakdown-total]';
const map = '.breakdown__canvas';
const footer = '[data-testid=breakdown-footer]';
const find = 'Find a tool, server, file, skill';

/** Shows the treemap. */
export const showBreakdown: Place['reach'] = async page => {
  await page.getByRole('radio', { name: 'Breakdown' }).check();
  await page.getByTestId('breakdown-map').waitFor();
};

/** Shows the table in the place of the drawing. */
export const showParts: Place['reach'] = async page => {
  await page.getByRole('radio', { name: 'Breakdown' }).check();
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await page.getByTestId('breakdown-table').waitFor();
};

/** The breakdown of the bundled example. */
export const breakdownPlaces: readonly Place[] = [
  onPage('Breakdown', showBreakdown, [
    row('radio', 'Total sent', changes(total)),
    row('radio', 'Cost', shows('text=/written by the model/')),
    row('radio', 'Tokens', changes(total)),
    row('combobox', 'Scope', changes(total), choose('All 59 requests')),
    row('combobox', 'Grouping', changes(map), choose('By tool')),
    row('combobox', 'Grouping', changes(map), choose('By content')),
    row('tree', 'Breakdown', changes(footer), press('Home')),
    row('button', /^and \d+ more$/, changes(total)),
    row('button', 'Up one level: All', changes(total)),
    row('tree', 'Breakdown', changes(footer), press('Home')),
    row('treeitem', /%, \d+ blocks?/, changes(total), press('Enter')),
    row('button', /^Up one level: (?!All)/, changes(footer)),
    row('tree', 'Breakdown', changes(total), press('Backspace')),
    row('button', /^\d+: request \d+, [\d,]+ tokens?$/, shows('[data-testid=block-text]')),
    row('combobox', find, shows('role=option'), fill('nordlys')),
    row('listbox', find, hides('role=option'), press('Escape')),
    row('combobox', find, shows('role=option'), fill('nordlys')),
    row('option', /^.*nordlys.* [\d.]+k?$/, changes(footer)),
    row('button', 'Show as a table', shows('role=treegrid')),
    row('treegrid', 'Parts of the breakdown', changes(footer), press('End')),
    row('button', 'Show as a table', hides('role=treegrid')),
    row('tree', 'Breakdown', changes(footer), press('Home')),
    row('button', 'Lanes', shows('[data-testid=slot-layout]')),
    row('button', /^Remove filter: /, hides('role=button[name=/^Remove filter/]')),
    row('radio', 'Breakdown', shows('[data-testid=breakdown-map]')),
    row('tree', 'Breakdown', changes(footer), press('Home')),
    row('button', /^Line [\d,]+$/, does('openSource')),
  ]),
  onPage('Table of the breakdown', showParts, []),
];
