/// <reference types="node" />
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { exampleFile, openThroughDoor, openTranscript, writeTranscript } from '../door';
import {
  type PageSize,
  type Place,
  type Row,
  asks,
  changes,
  choose,
  does,
  fill,
  hides,
  press,
  row,
  shows,
} from './rows';
import { slowlyMeasured } from './slowSession';

/** A session that is written over blanks, and the time that its file always has, in seconds since 1970. */
const lateSession = new ClaudeCodeSession().prompt('Hi').toString();
const lateTime = 1_780_000_000;

const drawing = 'canvas';
const panel = (name: string): string => `role=tabpanel[name="${name}"]`;
/** The question how much of the content an export may have. */
export const shareLevels = 'Redacted';

export const onPage = (
  name: string,
  reach: Place['reach'],
  rows: readonly Row[],
  size?: PageSize,
): Place => ({
  name,
  ...(size === undefined ? {} : { size }),
  open: shown => openThroughDoor({ ...shown, file: exampleFile }),
  reach,
  rows,
});

const subagents = join(exampleFile, '..', 'session', 'subagents');

/** A button of a block list: number, label, tokens. */
/** A block in one of two compared requests. */
export const bandRow = /^(?!.* %, ).+ [\d,]+ tokens$/s;
const blockButton = /^\d+ .+ [\d,]+$/;

/** Shows a block with secrets. */
export const showFindings: Place['reach'] = async page => {
  await page.getByRole('tab', { name: 'Block' }).click();
  await page
    .getByRole('button', { name: /nordlys-2026-03/ })
    .first()
    .click();
  await page.getByTestId('block-text').waitFor();
};

/** The parts of the page around the tabs, on the bundled example. */
export const pagePlaces: readonly Place[] = [
  onPage('Lanes', page => page.getByRole('listbox').waitFor(), [
    row('button', 'Requests over time', changes('.session__frame')),
    row('button', 'Requests over time', changes('.session__frame')),
    row('slider', 'Request', changes('[data-testid=total]'), press('Home')),
    row('button', 'Next request', changes('[data-testid=total]')),
    row('button', 'Previous request', changes('[data-testid=total]')),
    row('slider', 'Request', changes('[data-testid=total]'), press('End')),
    row('button', 'Key figures', changes('header')),
    row(
      'button',
      /^[A-Z][A-Za-z ]+ .*%, [\d,]+ tokens?$/,
      changes('[data-testid=slot-layout], .session__frame'),
    ),
    row('button', 'Zoom in', changes(drawing)),
    row('button', 'Zoom out', changes(drawing)),
    row('button', 'Zoom in', changes(drawing)),
    row('button', /^1 row = /, changes(drawing)),
    row('button', /^Colour: /, shows('role=radio[name="Role"]')),
    row('button', 'Exports', shows('role=button[name="Export report…"]')),
    row('button', /^Find$/, shows('[data-testid=find]')),
    row('button', 'Open details', shows('role=button[name=/^Close details/]')),
    row('separator', 'Resize: Details', changes('.body'), press('ArrowUp')),
    row('tab', 'Cache', shows(panel('Cache'))),
    row('tab', 'Prune', shows(panel('Prune'))),
    row('tab', 'Waste', shows(panel('Waste'))),
    row('tab', 'Request', shows(panel('Request'))),
    row('tab', 'Model', shows(panel('Model'))),
    row('tab', 'Block', shows(panel('Block'))),
    row('button', blockButton, shows('[data-testid=block-text]')),
    row('button', /^Close details/, hides('[data-testid=block-text]')),
    row('listbox', 'Lanes', changes('role=listbox'), press('End')),
    row('option', /tokens/, shows('[data-testid=block-text]'), press('Enter')),
    row('radio', 'Conversation', shows('[data-testid=conversation]')),
    row('radio', 'Table', shows('[data-testid=block-table]')),
    row('radio', 'Breakdown', shows('[data-testid=breakdown-map]')),
    row('radio', 'Compaction', shows('[data-testid=compaction]')),
    row('button', / since request \d+$/, shows('[data-testid=comparison]')),
    row('radio', 'Lanes', shows('role=listbox')),
    row('button', /^Session details/, shows('role=columnheader[name="Line"]')),
  ]),
  onPage(
    'Conversation',
    async page => {
      await page.getByRole('radio', { name: 'Conversation' }).check();
      await page.getByTestId('conversation').waitFor();
    },
    [
      row('combobox', 'Show', changes('[data-testid=conversation]'), choose('talk')),
      row('combobox', 'Show', changes('[data-testid=conversation]'), choose('all')),
      row('button', /^Open (?:Bash|Read) /, changes('[data-testid=conversation]')),
      row('button', /^Close (?:Edit|Bash|Read) /, changes('[data-testid=conversation]')),
    ],
  ),
  onPage('Marks of the header', page => page.getByRole('listbox').waitFor(), [
    row('button', /^\d+ blocks? with secrets$/, changes('.session__frame')),
    row('button', /^\d+ blocks? with private data$/, changes('.session__frame')),
    row('button', /^\d+ cache loss(?:es)?$/, shows(panel('Cache'))),
  ]),
  onPage('Worth a look', page => page.getByTestId('look').waitFor(), [
    row('button', /^Worth a look/, shows('[data-testid=look-list]')),
    row('listbox', 'Worth a look', changes('[data-testid=look-list]'), press('ArrowDown')),
    row('option', /^Cache lost at request/, shows(panel('Cache'))),
    row('tab', 'Block', shows(panel('Block'))),
    row('button', /^cache lost · /, shows(panel('Cache'))),
  ]),
  onPage(
    'Findings',
    async page => {
      const list = page.getByTestId('look-list');
      if ((await list.count()) === 0) {
        await page.getByTestId('look').click();
      }
      await list.waitFor();
    },
    [
      row('option', /^(?:Password|Email)/, shows(panel('Block'))),
      row(
        'option',
        /^(?:vitest|Files read again|Stale|Unused|Outdated|Images|Duplicate)/,
        shows(panel('Waste')),
      ),
      row('option', /^(?:Fetched again|Compacted)/, shows('[data-testid=compaction]')),
    ],
  ),
  onPage('Colours', page => page.getByRole('button', { name: /^Colour: / }).click(), [
    ...['Sensitivity', 'Provenance', 'Role', 'Cache', 'Source'].map(name =>
      row('radio', name, changes(drawing)),
    ),
  ]),
  onPage('Exports', page => page.getByRole('button', { name: 'Exports' }).click(), [
    ...['report…', 'drawing…', 'context as JSON…', 'pruned copy…'].map(name =>
      row('button', `Export ${name}`, asks(shareLevels)),
    ),
    row('button', 'Export anonymised twin…', does('target')),
  ]),
  onPage(
    'Find',
    async page => {
      await page.getByRole('listbox').focus();
      await page.keyboard.press('Control+F');
      await page.getByTestId('find').waitFor();
    },
    [
      row('textbox', 'Find in texts and names', shows('text=/\\d hits?$|1 of /'), fill('repository')),
      row('button', /^Next hit/, changes('.session__frame')),
      row('button', /^Previous hit/, changes('.session__frame')),
      row('button', 'Match case', shows('role=button[name="Match case"][pressed=true]')),
      row('button', 'Regular expression', shows('role=button[name="Regular expression"][pressed=true]')),
      row(
        'button',
        'Find in the whole session',
        shows('role=button[name="Find in the whole session"][pressed=true]'),
      ),
      row('button', /^Close \(Escape\)/, hides('[data-testid=find]')),
    ],
  ),
  onPage('Header', page => page.getByRole('button', { name: /^Session details/ }).click(), [
    row('button', 'Show: Compaction before request 26', shows('[data-testid=compaction]')),
    row('button', /^line [\d,]+/, shows('[data-testid=exposure]')),
    row('button', 'Open Survey date conversions', does('show')),
  ]),
  onPage(
    'Compacted request',
    async page => {
      await page.getByRole('button', { name: /^Session details/ }).click();
      await page.getByRole('button', { name: 'Show: Compaction before request 26' }).click();
      await page.getByRole('radio', { name: 'Lanes' }).check();
    },
    [row('button', 'Compacted here', shows('[data-testid=compaction]'))],
  ),
  onPage(
    'What a compaction changed',
    async page => {
      await page.getByRole('tab', { name: 'Cache' }).click();
      await page.getByRole('button', { name: /^26 compaction/ }).click();
    },
    [row('button', bandRow, shows('[data-testid=block-details] >> role=heading'))],
  ),
  {
    name: 'Subagent',
    open: shown =>
      openThroughDoor({
        ...shown,
        file: join(subagents, readdirSync(subagents).find(name => name.endsWith('.jsonl')) ?? ''),
      }),
    reach: page => page.getByRole('listbox').waitFor(),
    rows: [row('button', /^Open parent session/, does('show'))],
  },
  onPage('Keys', page => page.getByRole('listbox').press('?'), [
    row('button', 'Close', hides('role=dialog')),
  ]),
  {
    name: 'An empty file',
    open: shown => openTranscript({ ...shown, text: '' }),
    reach: page => page.getByRole('button', { name: 'Try again' }).waitFor(),
    rows: [
      row('button', 'Open as text', does('openSource')),
      row('button', 'Open example session', does('showExample')),
    ],
  },
  {
    // The size and the time stay, so only the user can tell that the file has changed.
    name: 'A file that is written after it was opened',
    open: async shown => {
      const file = await writeTranscript('session.jsonl', ' '.repeat(lateSession.length));
      utimesSync(file, lateTime, lateTime);
      return openTranscript({ ...shown, file });
    },
    reach: async page => {
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      const file = new URL(page.url()).searchParams.get('file') ?? '';
      writeFileSync(file, lateSession);
      utimesSync(file, lateTime, lateTime);
    },
    rows: [row('button', 'Try again', shows('text=No requests in this transcript'))],
  },
  {
    name: 'Measuring',
    isBusy: true,
    open: shown => openTranscript({ ...shown, text: slowlyMeasured(40) }),
    // The page that waits for the session has this button too, and disappears before it can be checked.
    reach: page => page.locator('.progress-strip').getByRole('button', { name: 'Cancel' }).waitFor(),
    rows: [row('button', 'Cancel', shows('role=button[name="Try again"]'))],
  },
  {
    name: 'No request',
    open: shown => openTranscript({ ...shown, text: new ClaudeCodeSession().prompt('Hi').toString() }),
    reach: page => page.getByRole('button', { name: 'Open as text' }).waitFor(),
    rows: [row('button', 'Open as…', asks('Open as'))],
  },
  onPage(
    'A wide page',
    page => page.getByRole('separator', { name: 'Resize: Cache and prune' }).waitFor(),
    [
      row('separator', 'Resize: Cache and prune', changes('.body'), press('ArrowLeft')),
      row('button', /^Question in request \d+: /, changes('[data-testid=total]')),
    ],
    { width: 1870, height: 1080 },
  ),
  onPage('A narrow page', page => page.getByRole('tab', { name: 'Cache' }).click(), [], {
    width: 310,
    height: 720,
  }),
  onPage('Table', page => page.getByRole('radio', { name: 'Table' }).check(), [
    ...[
      'Block',
      'Source',
      'Kind',
      'Tool',
      'Tokens',
      'Sensitivity',
      'Lane',
      'First',
      'Line',
      'Prune',
      'Position',
    ].map(name => row('button', name, changes('[data-testid=block-table]'))),
    row('grid', 'Blocks in the request', changes('[data-testid=block-table]'), press('ArrowDown')),
    row('button', 'Filters', shows('role=combobox[name="Kind"]')),
  ]),
  onPage(
    'Filters of the table',
    async page => {
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('button', { name: /^Filters/ }).click();
    },
    [
      row('combobox', 'Kind', changes('[data-testid=block-table]'), choose('reply')),
      row('combobox', 'Sensitivity', changes('[data-testid=block-table]'), choose('private')),
      row('button', 'Filters (2)', hides('role=combobox[name="Kind"]')),
      row('button', 'Clear filter', changes('[data-testid=block-table]')),
      row('combobox', 'Pruned or kept', changes('[data-testid=block-table]'), choose('kept')),
      row('button', 'Filters (1)', hides('role=combobox[name="Kind"]')),
      row('button', 'Clear filter', changes('[data-testid=block-table]')),
    ],
  ),
  onPage('Compaction', page => page.getByRole('radio', { name: 'Compaction' }).check(), [
    row('button', 'Before, request 25', shows('text=Request 25 of 59')),
    row('button', 'After, request 26', shows('text=Request 26 of 59')),
    row('button', /^Show more/, changes('[data-testid=compaction]')),
    row('button', blockButton, shows('[data-testid=block-details] >> role=heading')),
    row('button', /^\d+ .+ · \$[\d.]+$/, changes('[data-testid=block-details]')),
  ]),
  onPage('Two requests side by side', page => page.getByTestId('since').click(), [
    row('combobox', 'Compare with…', shows('role=option'), fill('Request 1')),
    row('listbox', 'Compare with…', hides('role=option'), press('Escape')),
    row('combobox', 'Compare with…', shows('role=option'), fill('Request 1')),
    row('option', /^(?:Request [\d/]+|the request before)/, changes('[data-testid=comparison]')),
    row('button', /^\d+ more blocks? ?[\d,]*$/, changes('[data-testid=comparison]')),
    row('button', 'Fewer blocks', changes('[data-testid=comparison]')),
    row('button', bandRow, shows('[data-testid=block-details] >> role=heading')),
    row('radio', 'Compare', hides('[data-testid=comparison]'), press('ArrowLeft')),
  ]),
  onPage('Block', showFindings, [
    row('button', /^Copy link/, does('copyLink')),
    row('button', /^Copy text/, shows('text=Copied.')),
    row('button', 'Show formatted', shows('.formatted')),
    row('button', 'Show formatted', hides('.formatted')),
    row('button', 'Reveal', shows('role=button[name="Mask again"]')),
    row('button', 'Mask again', shows('role=button[name="Reveal"]')),
    row('button', /: go to next$/, changes('[data-testid=block-details]')),
    row('button', /^Next finding/, changes('[data-testid=block-details]')),
    row('button', /^Previous finding/, changes('[data-testid=block-details]')),
    row('button', 'Next page', changes('[data-testid=block-text]')),
    row('button', 'Previous page', changes('[data-testid=block-text]')),
    row('fold', /^Technical/, shows('details[open] >> text=Technical')),
    row('button', 'Open file', shows('.toast >> text=/was not found on this machine/')),
    row('button', 'Go to call', shows('role=button[name="Go to result"]')),
    row('button', /^Fold row \d+$/, shows('role=button[name=/^Unfold row/]')),
    row('button', /^Unfold row \d+$/, shows('role=button[name="Fold row 1"]')),
    row('button', 'Go to result', shows('role=button[name="Go to call"]')),
    row('button', /^Go to line \d+$/, does('openSource')),
    row('button', /^[\d,]+ in .+\.jsonl$/, does('openSource')),
  ]),
];
