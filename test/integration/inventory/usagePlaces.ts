import { readFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { ui } from '../driver';
import { closeEverything } from '../inspector';
import { asks, changes, choose, hides, host, type Place, press, row, shows } from './rows';
import { isOpened, writeSession } from './sessionPlaces';
import { fileDialog } from './workbench';

/** Waits until the page with the usage of all sessions is shown. */
export async function isUsageShown(): Promise<void> {
  await ui(({ webview }) => webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor());
}

const days = 'role=table[name="Usage by day"]';

/** The page with the usage of all sessions. */
export const usagePlaces: readonly Place[] = [
  {
    name: 'Usage',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      for (const project of ['garden', 'cellar']) {
        const uri = writeSession(project, `Tidy the ${project}`);
        const today = new Date().toISOString().slice(0, 10);
        const text = readFileSync(uri.fsPath, 'utf8');
        // Sessions of the fixture are older than all periods of the page.
        writeFileSync(uri.fsPath, text.replaceAll(/2026-01-05(?=T)/g, today));
      }
      await vscode.commands.executeCommand(commandIds.usage);
      await ui(({ webview }) =>
        webview.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor(),
      );
      // Of this one nobody knows until the sessions are read again.
      writeSession('attic', 'Tidy the attic');
    },
    reach: ({ webview }) => webview.getByRole('table').waitFor(),
    rows: [
      row('button', 'Read sessions again', changes('.usage__known')),
      row('radio', '12 weeks', changes('main')),
      row('radio', 'Week', changes('main')),
      row('radio', '4 weeks', changes('main')),
      row('radio', 'Tokens', changes('main')),
      row('radio', 'Money', changes('main')),
      row('combobox', 'Stack', changes('role=table'), choose('Model')),
      row('combobox', 'Subagents', changes('role=combobox[name="Subagents"]'), choose('Apart')),
      row('button', 'Export table…', asks(fileDialog)),
      row('button', /^\w+ \d+ \w+: /, changes('.chart'), press('ArrowLeft')),
      row('button', 'Days as a table', shows(days)),
      row('button', /^\w+ \d+ \w+$/, changes(days)),
      row('button', 'Days as a table', hides(days)),
      row('button', /Claude Code/, host(isOpened)),
    ],
  },
];
