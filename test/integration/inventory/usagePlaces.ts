import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { limitedSession } from '../../fixtures/codexQuota';
import { ui } from '../driver';
import { closeEverything } from '../inspector';
import { asks, changes, choose, fill, hides, host, type Place, press, row, shows } from './rows';
import { isOpened, writeSession } from './sessionPlaces';
import { answerMessage, fileDialog } from './workbench';

/** Waits until the page with the usage of all sessions is shown. */
export async function isUsageShown(): Promise<void> {
  await ui(({ webview }) => webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor());
}

/** The same for the part that asks what if. It is sent to the browser as source text. */
export const isWhatIfShown: Place['reach'] = ({ webview }) =>
  webview.getByRole('heading', { name: 'What if', level: 1 }).waitFor();

const projects = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
const codexSessions = join(process.env['CODEX_HOME'] ?? '', 'sessions');
const quarry = join(projects, '-home-ada-quarry');

/** A hundred megabytes of distinct words, which keep the index busy for many seconds. */
function writeManyWords(): void {
  const session = new ClaudeCodeSession(undefined, '/home/ada/quarry').prompt('Count the stones');
  for (let turn = 0; turn < 100; turn += 1) {
    const words = Array.from({ length: 10_000 }, (_, word) => ((turn * 10_000 + word) * 7919).toString(36));
    const id = `toolu_${turn}`;
    session.reply({ tool: 'Read', id, input: { file_path: `${turn}.txt` } }).result(id, words.join(' '));
  }
  mkdirSync(quarry, { recursive: true });
  const first = join(quarry, 'stones-1.jsonl');
  writeFileSync(first, session.toString());
  for (let copy = 2; copy <= 12; copy += 1) {
    copyFileSync(first, join(quarry, `stones-${copy}.jsonl`));
  }
}

/** Writes a session of today, because the fixture's sessions are older than all periods of the page. */
function writeOfToday(project: string): void {
  const { fsPath } = writeSession(project, `Tidy the ${project}`);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(fsPath, readFileSync(fsPath, 'utf8').replaceAll(/2026-01-05(?=T)/g, today));
}

/** Writes a session of today in which each reply comes from a newer version of the agent. */
function writeVersions(project: string): void {
  const session = new ClaudeCodeSession(undefined, `/home/ada/${project}`).prompt('Air the loft');
  for (let version = 0; version < 8; version += 1) {
    session.reply({ text: `Window ${version} is open.` });
  }
  const today = new Date().toISOString().slice(0, 10);
  const folder = join(projects, `-home-ada-${project}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'loft.jsonl'),
    session
      .toString()
      .split('\n')
      .map((line, place) => line.replace('"version":"2.1.62"', `"version":"2.1.${62 + place}"`))
      .join('\n')
      .replaceAll(/2026-01-05(?=T)/g, today),
  );
}

/** Writes a session of Codex of today, which records its weekly limit and four windows of five hours. */
function writeLimits(): void {
  const now = Date.now();
  const minute = 60_000;
  const requests = [...Array(4).keys()].map(window => ({
    at: new Date(now - (4 - window) * minute),
    input: 1000,
    output: 10,
    limits: [
      [300, 10 + window, new Date(now + window * 20 * minute)],
      [10_080, 5 + window, new Date(now + 2000 * minute)],
    ] as const,
  }));
  mkdirSync(codexSessions, { recursive: true });
  writeFileSync(
    join(codexSessions, 'rollout-2026-03-02T08-00-00-0e000000-0000-7000-8000-000000000000.jsonl'),
    limitedSession('0e000000-0000-7000-8000-000000000000', 'Count the stars', requests),
  );
}

/** Writes a session of today whose pauses are longer than the lifetime of its cache. */
function writePauses(project: string): void {
  const folder = join(projects, `-home-ada-${project}`);
  const session = new ClaudeCodeSession(undefined, `/home/ada/${project}`).prompt('Wait for the frost');
  for (let pause = 0; pause < 3; pause += 1) {
    session.reply({ text: 'No frost yet.' }).pause(1200).prompt('And now?');
  }
  const today = new Date().toISOString().slice(0, 10);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'frost.jsonl'),
    session
      .reply({ text: 'Frost.' })
      .toString()
      .replaceAll(/2026-01-05(?=T)/g, today),
  );
}

async function showUsage(): Promise<void> {
  await vscode.commands.executeCommand(commandIds.usage);
  await isUsageShown();
}

async function showReading(): Promise<void> {
  await closeEverything();
  writeManyWords();
  await showUsage();
}

const setIndex = (value: false | undefined): Thenable<void> =>
  vscode.workspace
    .getConfiguration()
    .update('contextInspector.index.enabled', value, vscode.ConfigurationTarget.Global);

/** The message about reading the figures, or about indexing the words that follow them. */
const stopped = 'text=/^(Reading|Indexing) was stopped\\./';
const isStopped: Place['reach'] = ({ webview }) =>
  webview.getByText(/^(Reading|Indexing) was stopped\./).waitFor();
/** Stops while much is left to read. Little is left afterwards, because the files are gone. */
async function stopReading(): Promise<void> {
  await showReading();
  await ui(({ webview }) => webview.getByRole('button', { name: 'Stop' }).click());
  await ui(isStopped);
  rmSync(quarry, { recursive: true });
}

const withFigures: Place['reach'] = ({ webview }) => webview.getByRole('table').first().waitFor();
const lifetime = 'Value of Cache lifetime';
const server = 'Value of Without MCP server';
const days = 'role=table[name="Usage by day"]';
const versions = 'role=table[name="Versions of Claude Code"]';

/** The page with the usage of all sessions. */
export const usagePlaces: readonly Place[] = [
  {
    name: 'Usage, being read',
    frame: 'webview',
    open: showReading,
    isBusy: true,
    reach: ({ webview }) => webview.getByRole('button', { name: 'Stop' }).waitFor(),
    rows: [row('button', 'Stop', shows(stopped))],
  },
  {
    name: 'Usage, reading stopped',
    frame: 'webview',
    open: stopReading,
    reach: isStopped,
    rows: [row('button', 'Continue', hides(stopped))],
  },
  {
    name: 'Search, reading stopped',
    frame: 'webview',
    open: async () => {
      await stopReading();
      await vscode.commands.executeCommand(commandIds.searchAllSessions);
    },
    reach: ({ webview }) => webview.getByRole('button', { name: 'Continue reading' }).waitFor(),
    rows: [row('button', 'Continue reading', hides('role=button[name="Continue reading"]'))],
  },
  {
    name: 'Usage of nothing',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      rmSync(projects, { recursive: true, force: true });
      await showUsage();
    },
    reach: ({ webview }) => webview.getByRole('button', { name: 'Open example session' }).waitFor(),
    rows: [row('button', 'Open example session', host(isOpened))],
  },
  {
    name: 'Usage, index deleted',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      writeOfToday('garden');
      await showUsage();
      await ui(withFigures);
      const deleted = vscode.commands.executeCommand(commandIds.deleteIndex);
      await answerMessage('The session index was deleted.');
      await deleted;
    },
    reach: ({ webview }) => webview.getByText('The index was deleted').waitFor(),
    rows: [row('button', 'Read sessions again', hides('text=The index was deleted'))],
  },
  {
    name: 'Usage, turned off',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      await setIndex(false);
      await showUsage();
    },
    reach: ({ webview }) => webview.getByText('turned off in the settings').waitFor(),
    rows: [
      row(
        'button',
        'Open settings',
        host(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Settings'),
      ),
    ],
  },
  {
    name: 'Usage',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      await setIndex(undefined);
      ['garden', 'cellar'].forEach(writeOfToday);
      writeVersions('loft');
      writeLimits();
      await vscode.commands.executeCommand(commandIds.usage);
      await ui(({ webview }) =>
        webview.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor(),
      );
      // This session is unknown until the sessions are read again.
      writeSession('attic', 'Tidy the attic');
    },
    reach: withFigures,
    rows: [
      row('button', 'Read sessions again', changes('.usage__known')),
      row('radio', '12 weeks', changes('main')),
      row('radio', 'Week', changes('main')),
      row('radio', '4 weeks', changes('main')),
      row('radio', 'Tokens', changes('main')),
      row('radio', 'Cost', changes('main')),
      row('combobox', 'Group by', changes('role=table'), choose('Model')),
      row('combobox', 'Subagents', changes('role=combobox[name="Subagents"]'), choose('Separate')),
      row('button', 'Export table…', asks(fileDialog)),
      row('button', /^\w+ \d+ \w+: /, changes('.chart'), press('ArrowLeft')),
      row('button', 'Days as a table', shows(days)),
      row('button', /^\w+ \d+ \w+$/, changes(days)),
      row('button', 'Days as a table', hides(days)),
      row('button', 'Show all 5', changes('role=region[name="Limits of subscriptions"]')),
      row('button', 'Show all 9', changes(versions)),
      row('button', /Claude Code/, host(isOpened)),
      row('button', /Codex/, host(isOpened)),
      row('button', 'What if', shows('role=heading[name="What if"][level=1]')),
      row('button', 'Search in all sessions', shows('role=heading[name="Search in all sessions"][level=1]')),
    ],
  },
  {
    name: 'What if',
    frame: 'webview',
    open: async () => {
      await closeEverything();
      // A longer lifetime would cost more in short sessions.
      rmSync(projects, { recursive: true, force: true });
      rmSync(codexSessions, { recursive: true, force: true });
      writePauses('meadow');
      await vscode.commands.executeCommand(commandIds.whatIf);
      await ui(({ webview }) =>
        webview.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor(),
      );
    },
    reach: isWhatIfShown,
    rows: [
      row('combobox', 'Add a setting', shows(`role=combobox[name="${lifetime}"]`), choose('Cache lifetime')),
      row('button', 'Find best settings', shows('role=table[name="Best settings"]')),
      row('button', 'Use', changes(`role=combobox[name="${lifetime}"]`)),
      row('combobox', lifetime, changes(`role=combobox[name="${lifetime}"]`), choose('5m')),
      row('button', 'Compute', shows('role=table[name="Sessions"]')),
      row('combobox', 'Add a setting', shows(`role=textbox[name="${server}"]`), choose('Without MCP server')),
      row('textbox', server, changes(`role=textbox[name="${server}"]`), fill('github')),
      row('button', 'Remove Without MCP server', hides(`role=textbox[name="${server}"]`)),
      row('button', 'Compute', shows('role=table[name="Sessions"]')),
      row('button', 'Wait for the frost', host(isOpened)),
      row('combobox', 'Add a setting', shows(`role=combobox[name="${lifetime}"]`), choose('Cache lifetime')),
      row('button', 'Remove Cache lifetime', hides(`role=combobox[name="${lifetime}"]`)),
      row('button', 'Usage', shows('role=heading[name="Usage"]')),
    ],
  },
];
