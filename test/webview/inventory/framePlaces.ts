import type { Page } from 'playwright-core';
import { doorPaths, sessionAddress } from '../../../src/protocol/doorAddresses';
import type { Shown } from '../../../src/protocol/door';
import type {} from '../../../webview/door/doorApi';
import { openAddress, type OpenAddress, writeTranscript } from '../door';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { asks, changes, does, fill, hides, type Place, press, row, shows } from './rows';
import { claudeFolder, clear, codexFolder, writeSession } from './sessionPlaces';

/** A window in which the list is beside the page. */
const size = { width: 1280, height: 720 };
const title = 'h1';
const quick = 'dialog.quick';
const longText = '.long-text';
const toast = '.toast';
/** A part of the page in the frame. */
const inPage = (selector: string): string => `#door-page >> internal:control=enter-frame >> ${selector}`;

const showFrame: Place['open'] = options => openAddress(doorPaths.start, options);

/** Writes the only session of the user. */
async function writeOne(): Promise<void> {
  await Promise.all([claudeFolder, codexFolder].map(clear));
  await writeSession('garden', 'Water the plants');
}

/** Follows a link to a session in the frame. */
async function openSession(page: Page): Promise<void> {
  const file = await writeTranscript(
    'leaves.jsonl',
    new ClaudeCodeSession().prompt('Rake the leaves').reply({ text: 'Done.' }).toString(),
  );
  await page.evaluate(address => {
    location.hash = address;
  }, sessionAddress(file));
  await page.locator(inPage('#root[data-ready="true"]')).waitFor({ state: 'attached' });
}

const openMenuOfSession: Place['reach'] = page =>
  page.getByRole('treeitem', { name: /^Water the plants/ }).click({ button: 'right' });

const openMenu =
  (name: string) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

/** Shows a question or a message as a page does. Cancelled work ends. */
const say =
  (shown: Shown) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Theme' }).waitFor();
    await page.evaluate(given => {
      const frame = window.doorFrame;
      frame?.ask({
        owner: window,
        shown: given,
        onAnswer: () => frame.end(window, given.id),
        onTyped: () => undefined,
      });
    }, shown);
  };

/** The frame around the pages of the local server: its bar, its menus, and what pages ask and tell in it. */
export const framePlaces: readonly Place[] = [
  {
    name: 'Frame without a page',
    size,
    open: showFrame,
    reach: page => page.getByRole('button', { name: 'Show Usage' }).waitFor(),
    rows: [
      row('button', 'Hide Sessions', hides('.door__list')),
      row('button', 'Show Sessions', shows('.door__list')),
      { ...row('button', 'Theme', shows('role=menu[name="Theme"]')), escape: true },
      { ...row('button', 'More Actions', shows('role=menu[name="More Actions"]')), escape: true },
      row('button', 'Open a Transcript…', asks('Open a Transcript')),
      row('button', 'Open Example Session', does('showExample')),
      row('button', 'Show Usage', changes(title)),
      row('button', 'Search in All Sessions', changes(title)),
      row('button', 'Usage', changes(title)),
    ],
  },
  {
    name: 'Themes of the frame',
    size,
    // So that each of the others is another one.
    open: options => openAddress(doorPaths.start, { ...options, theme: 'highContrast' }),
    reach: openMenu('Theme'),
    again: openMenu('Theme'),
    rows: [
      row('menuitemradio', 'Dark High Contrast', hides('role=menu')),
      row('menuitemradio', 'Dark', shows('body.vscode-dark')),
      row('menuitemradio', 'Light', shows('body.vscode-light')),
      row('menuitemradio', 'Light High Contrast', shows('body.vscode-high-contrast-light')),
      row('menuitemradio', 'Like the System', shows('body.vscode-light')),
    ],
  },
  {
    name: 'Actions of the frame',
    size,
    open: showFrame,
    reach: openMenu('More Actions'),
    again: openMenu('More Actions'),
    rows: [
      row('menuitem', 'Open a Transcript…', asks('Open a Transcript')),
      row('menuitem', 'Open Example Session', does('showExample')),
    ],
  },
  {
    name: 'Actions of a session in the frame',
    size,
    open: showFrame,
    reach: async page => {
      await openSession(page);
      await openMenu('More Actions')(page);
    },
    again: openMenu('More Actions'),
    rows: [
      row('menuitem', 'Open as Text', does('openSource')),
      row('menuitem', 'Find in Texts and Names', shows(inPage('input:focus'))),
      row('menuitem', 'Copy Link to Block', does('copyLink')),
      row('menuitem', 'Compare With…', asks('Compare with')),
      row('menuitem', 'Export Pruned Copy…', shows(quick)),
      row('menuitem', 'Export Report…', shows(quick)),
      row('menuitem', 'Export Drawing as SVG…', shows(quick)),
      row('menuitem', 'Export Prompt IR and Rendered Context…', shows(quick)),
      row('menuitem', 'Export Anonymised Twin…', shows(toast)),
      row('menuitem', 'Hand Off to…', shows(quick)),
      row('menuitem', 'Show Keyboard Shortcuts', shows(inPage('role=dialog'))),
    ],
  },
  {
    name: 'Menu of a session',
    open: async options => {
      await writeOne();
      return openAddress(doorPaths.sessions, options);
    },
    stays: true,
    reach: openMenuOfSession,
    again: openMenuOfSession,
    rows: [
      row('menuitem', 'Open', does('show')),
      row('menuitem', 'Open in New Tab', does('show')),
      row('menuitem', 'Open as Text', does('openSource')),
      row('menuitem', 'Compare With…', asks('Compare with')),
      row('menuitem', 'Reveal in File Manager', does('reveal')),
      row('menuitem', 'Copy Path', does('copy')),
    ],
  },
  {
    name: 'A list to choose from',
    size,
    open: async (options): Promise<OpenAddress> => {
      await writeOne();
      return showFrame(options);
    },
    reach: async page => {
      await openSession(page);
      await openMenu('More Actions')(page);
      await page.getByRole('menuitem', { name: 'Compare With…' }).click();
      await page.getByRole('option', { name: /^Water the plants/ }).waitFor();
    },
    again: async page => {
      const words = page.locator(quick).getByRole('combobox');
      if ((await words.count()) > 0) {
        await words.fill('');
        await page.getByRole('option').first().waitFor();
      }
    },
    rows: [
      row('combobox', 'Compare with', shows('text=No matching results'), fill('quinces of nobody')),
      row('option', /^Water the plants/, hides(quick)),
      row('listbox', 'Compare with', hides(quick)),
    ],
  },
  {
    name: 'A line of text',
    size,
    open: showFrame,
    reach: page => page.getByRole('button', { name: 'Open a Transcript…' }).click(),
    rows: [
      row('textbox', 'Open a Transcript', shows('text=There is nothing at this path.'), fill('/nowhere')),
    ],
  },
  {
    name: 'A text beside the page',
    size,
    open: showFrame,
    reach: say({ type: 'longText', id: 1, title: 'Preview.txt', text: 'What another agent receives.' }),
    rows: [
      row('button', /^(Copy|Copied)$/, shows('role=button[name="Copied"]')),
      row('textbox', 'Preview.txt', hides(longText), press('Escape')),
      row('button', 'Close', hides(longText)),
    ],
  },
  {
    name: 'A message',
    size,
    open: showFrame,
    reach: say({ type: 'say', id: 1, kind: 'warning', sentence: 'It has ended.', buttons: ['Load Again'] }),
    rows: [row('button', 'Load Again', hides(toast)), row('button', 'Close', hides(toast))],
  },
  {
    name: 'Work in progress',
    size,
    open: showFrame,
    reach: say({ type: 'progress', id: 1, title: 'Reading', isQuiet: false, canCancel: true }),
    rows: [row('button', 'Cancel', hides(toast))],
  },
];
