/// <reference types="node" />
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { usageAddress } from '../../../src/protocol/doorAddresses';
import type { UsagePart } from '../../../src/protocol/usageParts';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { limitedSession } from '../../fixtures/codexQuota';
import { type AddressOptions, openAddress, type OpenAddress } from '../door';
import { asks, changes, choose, does, fill, hides, type Place, press, row, shows } from './rows';
import { claudeFolder, clear, codexFolder, projectFolder, writeAtHome, writeSession } from './sessionPlaces';

const quarry = projectFolder('quarry');

/** Many distinct words, which keep the index busy for some seconds. */
async function writeManyWords(): Promise<void> {
  const session = new ClaudeCodeSession(undefined, '/home/ada/quarry').prompt('Count the stones');
  for (let turn = 0; turn < 100; turn += 1) {
    const words = Array.from({ length: 10_000 }, (_, word) => ((turn * 10_000 + word) * 7919).toString(36));
    const id = `toolu_${turn}`;
    session.reply({ tool: 'Read', id, input: { file_path: `${turn}.txt` } }).result(id, words.join(' '));
  }
  const first = await writeAtHome(`${quarry}/stones-1.jsonl`, session.toString());
  for (let copy = 2; copy <= 12; copy += 1) {
    copyFileSync(first, first.replace('-1.', `-${copy}.`));
  }
}

/** The fixture's sessions are older than all periods of the page. */
const ofToday = (text: string): string =>
  text.replaceAll(/2026-01-05(?=T)/g, new Date().toISOString().slice(0, 10));

async function writeOfToday(project: string): Promise<void> {
  const path = await writeSession(project, `Tidy the ${project}`);
  writeFileSync(path, ofToday(readFileSync(path, 'utf8')));
}

/** Writes a session in which each reply comes from a newer version of the agent. */
async function writeVersions(project: string): Promise<void> {
  const session = new ClaudeCodeSession(undefined, `/home/ada/${project}`).prompt('Air the loft');
  for (let version = 0; version < 8; version += 1) {
    session.reply({ text: `Window ${version} is open.` });
  }
  const lines = session
    .toString()
    .split('\n')
    .map((line, place) => line.replace('"version":"2.1.62"', `"version":"2.1.${62 + place}"`));
  await writeAtHome(`${projectFolder(project)}/loft.jsonl`, ofToday(lines.join('\n')));
}

/** Writes a session of Codex, which records its weekly limit and four windows of five hours. */
async function writeLimits(): Promise<void> {
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
  await writeAtHome(
    `${codexFolder}/sessions/rollout-2026-03-02T08-00-00-0e000000-0000-7000-8000-000000000000.jsonl`,
    limitedSession('0e000000-0000-7000-8000-000000000000', 'Count the stars', requests),
  );
}

/** Writes a session whose pauses are longer than the lifetime of its cache. */
async function writePauses(project: string): Promise<void> {
  const session = new ClaudeCodeSession(undefined, `/home/ada/${project}`).prompt('Wait for the frost');
  for (let pause = 0; pause < 3; pause += 1) {
    session.reply({ text: 'No frost yet.' }).pause(1200).prompt('And now?');
  }
  await writeAtHome(
    `${projectFolder(project)}/frost.jsonl`,
    ofToday(session.reply({ text: 'Frost.' }).toString()),
  );
}

const show = (part: UsagePart, options: AddressOptions): Promise<OpenAddress> =>
  openAddress(usageAddress(part), options);

/** Shows a page whose sessions are read. */
async function showRead(part: UsagePart, options: AddressOptions): Promise<OpenAddress> {
  const opened = await show(part, options);
  await opened.page.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
  return opened;
}

/** The message about reading the figures, or about indexing the words that follow them. */
const stopped = 'text=/^(Reading|Indexing) was stopped\\./';
const isStopped: Place['reach'] = page => page.getByText(/^(Reading|Indexing) was stopped\./).waitFor();
/** Stops while much is left to read. Little is left afterwards, because the files are gone. */
async function stopReading(options: AddressOptions): Promise<OpenAddress> {
  await writeManyWords();
  const opened = await show('usage', options);
  await opened.page.getByRole('button', { name: 'Stop' }).click();
  await isStopped(opened.page);
  await clear(quarry);
  return opened;
}

const withFigures: Place['reach'] = page => page.getByRole('table').first().waitFor();
const lifetime = 'Value of Cache lifetime';
const server = 'Value of Without MCP server';
const days = 'role=table[name="Usage by day"]';
const versions = 'role=table[name="Versions of Claude Code"]';

/** The page with the usage of all sessions. */
export const usagePlaces: readonly Place[] = [
  {
    name: 'Usage, being read',
    open: async options => {
      await writeManyWords();
      return show('usage', options);
    },
    isBusy: true,
    reach: page => page.getByRole('button', { name: 'Stop' }).waitFor(),
    rows: [row('button', 'Stop', shows(stopped))],
  },
  {
    name: 'Usage, reading stopped',
    open: stopReading,
    reach: isStopped,
    rows: [row('button', 'Continue', hides(stopped))],
  },
  {
    name: 'Search, reading stopped',
    open: async options => {
      const opened = await stopReading(options);
      await opened.page.getByRole('button', { name: 'Search in all sessions' }).click();
      return opened;
    },
    reach: page => page.getByRole('button', { name: 'Continue reading' }).waitFor(),
    rows: [row('button', 'Continue reading', hides('role=button[name="Continue reading"]'))],
  },
  {
    name: 'Usage of nothing',
    open: async options => {
      await clear(claudeFolder);
      return show('usage', options);
    },
    reach: page => page.getByRole('button', { name: 'Open example session' }).waitFor(),
    rows: [row('button', 'Open example session', does('showExample'))],
  },
  {
    name: 'Usage, turned off',
    open: options => show('usage', { ...options, settings: { 'contextInspector.index.enabled': false } }),
    reach: page => page.getByText('turned off in the settings').waitFor(),
    rows: [row('button', 'Open settings', does('openSettings'))],
  },
  {
    name: 'Usage',
    open: async options => {
      await writeOfToday('garden');
      await writeOfToday('cellar');
      await writeVersions('loft');
      await writeLimits();
      const opened = await showRead('usage', options);
      // This session is unknown until the sessions are read again.
      await writeSession('attic', 'Tidy the attic');
      return opened;
    },
    stays: true,
    reach: withFigures,
    again: async page => {
      const back = page.getByRole('button', { name: 'Usage', exact: true });
      if ((await back.count()) > 0) {
        await back.click();
      }
    },
    rows: [
      row('button', 'Read sessions again', changes('.usage__known')),
      row('radio', '12 weeks', changes('.chart')),
      row('radio', 'Week', changes('.chart')),
      row('radio', '4 weeks', changes('.chart')),
      row('radio', 'Tokens', changes('.chart')),
      row('radio', 'Cost', changes('.chart')),
      row('combobox', 'Group by', changes('role=table'), choose('Model')),
      row('combobox', 'Subagents', changes('role=combobox[name="Subagents"]'), choose('Separate')),
      row('button', 'Export table…', asks('Export')),
      row('button', /^\w+ \d+ \w+: /, changes('.chart'), press('ArrowLeft')),
      row('button', 'Days as a table', shows(days)),
      row('button', /^\w+ \d+ \w+$/, changes(days)),
      row('button', 'Days as a table', hides(days)),
      row('button', 'Show all 5', changes('role=region[name="Limits of subscriptions"]')),
      row('button', 'Show all 9', changes(versions)),
      row('button', /Claude Code/, does('show')),
      row('button', /Codex/, does('show')),
      row('button', 'What if', shows('role=heading[name="What if"][level=1]')),
      row('button', 'Search in all sessions', shows('role=heading[name="Search in all sessions"][level=1]')),
    ],
  },
  {
    name: 'What if',
    open: async options => {
      // A longer lifetime would cost more in short sessions.
      await clear(claudeFolder);
      await clear(codexFolder);
      await writePauses('meadow');
      return showRead('whatIf', options);
    },
    reach: page => page.getByRole('heading', { name: 'What if', level: 1 }).waitFor(),
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
      row('button', 'Wait for the frost', does('show')),
      row('combobox', 'Add a setting', shows(`role=combobox[name="${lifetime}"]`), choose('Cache lifetime')),
      row('button', 'Remove Cache lifetime', hides(`role=combobox[name="${lifetime}"]`)),
      row('button', 'Usage', shows('role=heading[name="Usage"]')),
    ],
  },
];
