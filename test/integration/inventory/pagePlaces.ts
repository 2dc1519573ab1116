import * as vscode from 'vscode';
import { isActiveAsText } from '../inspector';
import { asks, changes, fill, hides, host, type Place, press, type Row, row, shows } from './rows';
import { exampleFile, openTheExample, shareLevels } from './workbench';

const drawing = 'canvas';
const panel = (name: string): string => `role=tabpanel[name="${name}"]`;

const onPage = (name: string, reach: Place['reach'], rows: readonly Row[]): Place => ({
  name,
  frame: 'webview',
  open: openTheExample,
  reach,
  rows,
});

/** A button of a block list: number, label, tokens. */
const blockButton = /^\d+ .+ [\d,]+$/;

/** The parts of the page around the tabs, on the bundled example. */
export const pagePlaces: readonly Place[] = [
  onPage('Lanes', ({ webview }) => webview.getByRole('listbox').waitFor(), [
    row('button', 'Requests over time', hides('role=slider[name="Request"]')),
    row('button', 'Requests over time', shows('role=slider[name="Request"]')),
    row('button', /^No problems/, shows('role=columnheader[name="Line"]')),
    row('slider', 'Request', changes('[data-testid=total]'), press('Home')),
    row('button', 'Zoom in', changes(drawing)),
    row('button', 'Zoom out', changes(drawing)),
    row('button', /^Readable/, changes(drawing)),
    row('button', /^Fit/, changes(drawing)),
    row('radio', 'Provenance', changes(drawing)),
    row('radio', 'Role', changes(drawing)),
    row('radio', 'Cache', changes(drawing)),
    row('radio', 'Sensitivity', changes(drawing)),
    row('radio', 'Source', changes(drawing)),
    row('textbox', 'Find blocks', changes(drawing), fill('repository')),
    row('button', 'Clear filter', changes(drawing)),
    row('button', 'Export report…', asks(shareLevels)),
    row('button', 'Open details', shows('role=button[name=/^Close details/]')),
    row('separator', 'Resize: Details', changes('.body'), press('ArrowUp')),
    row('tab', 'Cache', shows(panel('Cache'))),
    row('tab', 'Prune', shows(panel('Prune'))),
    row('tab', 'Request', shows(panel('Request'))),
    row('tab', 'Model', shows(panel('Model'))),
    row('tab', 'Block', shows(panel('Block'))),
    row('button', blockButton, shows('[data-testid=block-text]')),
    row('button', /^Close details/, hides('[data-testid=block-text]')),
    row('listbox', 'Slot layout', changes('role=listbox'), press('End')),
    row('option', /tokens/, shows('[data-testid=block-text]'), press('Enter')),
    row('radio', 'Table', shows('[data-testid=block-table]')),
    row('radio', 'Compaction', shows('[data-testid=compaction]')),
    row('radio', 'Lanes', shows('role=listbox')),
  ]),
  onPage('Header', ({ webview }) => webview.getByRole('button', { name: /^No problems/ }).click(), [
    row('button', 'Show: Compaction before request 26', shows('[data-testid=compaction]')),
    row(
      'button',
      'Open Survey date conversions',
      host(() =>
        vscode.window.tabGroups.all.some(group =>
          group.tabs.some(
            ({ input }) => input instanceof vscode.TabInputCustom && input.uri.path.includes('/subagents/'),
          ),
        ),
      ),
    ),
  ]),
  onPage('Table', ({ webview }) => webview.getByRole('radio', { name: 'Table' }).check(), [
    ...['Block', 'Kind', 'Tool', 'Tokens', 'Sensitivity', 'Lane', 'Since', 'Line', 'Prune', 'Position'].map(name =>
      row('button', name, changes('[data-testid=block-table]')),
    ),
    row('combobox', 'Kind', shows('role=option[name="reply"]')),
    row('option', /^(All kinds|[a-z ]+)$/, changes('[data-testid=block-table]'), press('ArrowDown')),
    row('combobox', 'Sensitivity', shows('role=option[name="secret"]')),
    row('combobox', 'Cleared or kept', shows('role=option[name=/kept/i]')),
    row('grid', 'Blocks in the request', changes('[data-testid=block-table]'), press('ArrowDown')),
  ]),
  onPage('Compaction', ({ webview }) => webview.getByRole('radio', { name: 'Compaction' }).check(), [
    row('button', 'Before, request 25', shows('text=Request 25 of 59')),
    row('button', 'After, request 26', shows('text=Request 26 of 59')),
    row('button', /^Show more/, changes('[data-testid=compaction]')),
    row('button', blockButton, shows('[data-testid=block-details] >> role=heading')),
  ]),
  onPage(
    'Block',
    async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Block' }).click();
      await webview.getByRole('button', { name: /nordlys-2026-03/ }).first().click();
      await webview.getByTestId('block-text').waitFor();
    },
    [
      row('button', /^Copy link/, host(async () => (await vscode.env.clipboard.readText()).includes('block='))),
      row('button', 'Reveal masked text', changes('[data-testid=block-text]')),
      row('button', /^Show more/, changes('[data-testid=block-text]')),
      row('button', 'Go to call', changes('[data-testid=block-details]')),
      row(
        'button',
        /^Go to line/,
        host(() => isActiveAsText(exampleFile())),
      ),
    ],
  ),
];
