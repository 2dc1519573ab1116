import { type KeyPlace, keyRows } from '../../../webview/state/keyTable';
import { showBreakdown, showParts } from './breakdownPlaces';
import { onPage, showFindings } from './pagePlaces';
import {
  changes,
  does,
  type Effect,
  fill,
  hides,
  type PageSize,
  type Place,
  press,
  row,
  type Row,
  shows,
} from './rows';

/** The focused element while a key of a part of the page is pressed. */
const focused: Readonly<Record<KeyPlace, readonly [role: string, name: string]>> = {
  page: ['listbox', 'Lanes'],
  look: ['listbox', 'Worth a look'],
  timeline: ['slider', 'Request'],
  drawing: ['listbox', 'Lanes'],
  table: ['grid', 'Blocks in the request'],
  conversation: ['treegrid', 'Conversation'],
  breakdown: ['tree', 'Breakdown'],
  parts: ['treegrid', 'Parts of the breakdown'],
  splitter: ['separator', 'Resize: Details'],
};

/** The use of a key in the page's table. `pressed` is the key, with Shift if that is another use. */
function key(keyRow: keyof typeof keyRows, pressed: string, effect: Effect): Row {
  return { ...row(...focused[keyRows[keyRow].place], effect, press(pressed)), keyRow };
}

const atRequest = (request: number): Effect => shows(`#timeline-chart[aria-valuenow="${request}"]`);
const atBlock = (place: number): Effect => shows(`#slot-layout-active[aria-posinset="${place}"]`);
const otherBlock = changes('#slot-layout-active');
const rangeSum = '.range-sum';
const zoomed = changes('[data-testid=slot-layout]');
const atRow = (place: number): Effect => shows(`[aria-activedescendant="block-row-${place}"]`);
const otherRow = changes('[data-testid=block-table]');
const resized = changes('role=separator[name="Resize: Details"]');
const otherPart = changes('#breakdown-active');
const otherTotal = changes('[data-testid=breakdown-total]');
const otherMessage = changes('[data-testid=conversation]');
const chosenMessage = '[data-testid=conversation] [role=row][aria-selected=true]';
const otherPartRow = changes('[data-testid=breakdown-table]');
const lookList = '[data-testid=look-list]';
const blockTab = 'role=tabpanel[name="Block"]';

/** Wide enough for the details next to the drawing. */
const wideSize: PageSize = { width: 1230, height: 900 };

/** Each key of the page, on the bundled example, which has 59 requests. */
export const keyPlaces: readonly Place[] = [
  onPage('Keys of the page', page => page.getByRole('listbox').waitFor(), [
    key('previousRequest', '[', atRequest(58)),
    key('nextRequest', ']', atRequest(59)),
    key('sensitivity', 's', changes('canvas')),
    key('sensitivity', 'S', changes('canvas')),
    key('compare', 'c', shows('[data-testid=comparison]')),
    key('compare', 'C', shows('[data-testid=comparison]')),
    key('copyLink', 'l', does('copyLink')),
    key('copyLink', 'L', does('copyLink')),
    key('find', '/', shows('[data-testid=find]')),
    row('textbox', 'Find in texts and names', shows('text=/\\d hits?$/'), fill('repository')),
    key('nextHit', 'F3', shows('.find__place >> text=/^\\d+ of /')),
    key('nextHit', 'Shift+F3', changes('.find__place')),
    key('nextPane', 'F6', shows('[role=tabpanel]:focus')),
    key('close', 'Escape', hides(blockTab)),
    key('help', '?', shows('role=dialog')),
    row('button', 'Close', hides('role=dialog')),
  ]),
  onPage('Keys of the list Worth a look', page => page.getByTestId('look').waitFor(), [
    key('look', 'w', shows(lookList)),
    key('look', 'W', hides(lookList)),
    key('nextLook', 'j', shows(lookList)),
    key('nextInList', 'ArrowDown', changes(lookList)),
    key('previousInList', 'ArrowUp', changes(lookList)),
    // Hides the content fetched again after the compaction, then the compaction's price.
    key('lastInList', 'End', changes(lookList)),
    key('firstInList', 'Home', changes(lookList)),
    key('nextInList', 'ArrowDown', changes(lookList)),
    key('nextInList', 'ArrowDown', changes(lookList)),
    key('nextInList', 'ArrowDown', changes(lookList)),
    key('hideKind', 'H', changes(lookList)),
    key('lastInList', 'End', changes(lookList)),
    key('hideKind', 'h', changes(lookList)),
    row('button', 'Show', hides('text=/kinds? hidden/')),
    key('goThere', 'Enter', hides(lookList)),
    key('nextLook', 'J', shows(lookList)),
    key('goThere', 'Enter', hides(lookList)),
    key('previousLook', 'k', shows(lookList)),
    key('goThere', 'Enter', hides(lookList)),
    key('previousLook', 'K', shows(lookList)),
  ]),
  onPage('Keys of a text', showFindings, [
    key('nextFinding', 'F8', changes('[data-testid=block-details]')),
    key('nextFinding', 'Shift+F8', changes('[data-testid=block-details]')),
  ]),
  onPage('Keys of the timeline', page => page.getByRole('slider', { name: 'Request' }).waitFor(), [
    key('earlier', 'ArrowLeft', atRequest(58)),
    key('earlier', 'ArrowDown', atRequest(57)),
    key('later', 'ArrowRight', atRequest(58)),
    key('later', 'ArrowUp', atRequest(59)),
    key('muchEarlier', 'PageDown', atRequest(53)),
    key('muchLater', 'PageUp', atRequest(59)),
    key('previousQuestion', ',', changes('#timeline-chart')),
    key('nextQuestion', '.', changes('#timeline-chart')),
    key('earliest', 'Home', atRequest(1)),
    key('latest', 'End', atRequest(59)),
  ]),
  onPage('Keys of the drawing', page => page.getByRole('tab', { name: 'Cache' }).click(), [
    key('move', 'End', otherBlock),
    key('move', 'ArrowUp', otherBlock),
    key('move', 'Home', atBlock(1)),
    key('move', 'ArrowRight', atBlock(2)),
    key('move', 'ArrowLeft', atBlock(1)),
    key('move', 'Shift+ArrowRight', shows(rangeSum)),
    key('endRange', 'Escape', hides(rangeSum)),
    key('move', 'ArrowDown', otherBlock),
    key('move', 'PageDown', otherBlock),
    key('move', 'PageUp', otherBlock),
    key('zoomIn', '+', zoomed),
    key('zoomIn', '=', zoomed),
    key('zoomOut', '-', zoomed),
    key('fit', '0', zoomed),
    key('open', 'Enter', shows(blockTab)),
  ]),
  onPage(
    'Keys of the table',
    async page => {
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('tab', { name: 'Cache' }).click();
    },
    [
      key('moveRow', 'End', otherRow),
      key('moveRow', 'Home', atRow(0)),
      key('moveRow', 'ArrowDown', atRow(1)),
      key('moveRow', 'ArrowUp', atRow(0)),
      key('moveRow', 'PageDown', otherRow),
      key('moveRow', 'PageUp', atRow(0)),
      key('openRow', 'Enter', shows(blockTab)),
    ],
  ),
  onPage(
    'Keys of the conversation',
    async page => {
      await page.getByRole('radio', { name: 'Conversation' }).check();
      await page.getByRole('tab', { name: 'Cache' }).click();
    },
    [
      key('moveMessage', 'Home', otherMessage),
      key('moveMessage', 'End', otherMessage),
      key('moveMessage', 'ArrowUp', otherMessage),
      key('moveMessage', 'ArrowDown', otherMessage),
      key('moveMessage', 'PageUp', otherMessage),
      key('moveMessage', 'PageDown', otherMessage),
      key('moveMessage', 'Home', otherMessage),
      key('moveMessage', 'ArrowDown', otherMessage),
      key('openMessage', 'ArrowRight', shows(`${chosenMessage}[aria-expanded=true]`)),
      key('closeMessage', 'ArrowLeft', shows(`${chosenMessage}[aria-expanded=false]`)),
      key('messageDetails', 'Enter', shows(blockTab)),
    ],
  ),
  onPage('Keys of the breakdown', showBreakdown, [
    key('movePart', 'Home', otherPart),
    key('movePart', 'ArrowRight', otherPart),
    key('movePart', 'ArrowDown', otherPart),
    key('movePart', 'ArrowUp', otherPart),
    key('movePart', 'ArrowLeft', otherPart),
    key('movePart', 'End', otherPart),
    key('movePart', 'Home', otherPart),
    key('intoPart', 'Enter', otherTotal),
    key('outOfPart', 'Backspace', otherTotal),
  ]),
  onPage('Keys of the parts', showParts, [
    key('movePartRow', 'End', otherPartRow),
    key('movePartRow', 'Home', otherPartRow),
    key('movePartRow', 'ArrowDown', otherPartRow),
    key('movePartRow', 'ArrowUp', otherPartRow),
    key('movePartRow', 'PageDown', otherPartRow),
    key('movePartRow', 'PageUp', otherPartRow),
    key('openPart', 'ArrowRight', otherPartRow),
    key('closePart', 'ArrowLeft', otherPartRow),
    key('intoPartRow', 'Enter', otherTotal),
    key('outOfPartRow', 'Backspace', otherTotal),
  ]),
  onPage('Keys of the edge below', page => page.getByRole('tab', { name: 'Cache' }).click(), [
    key('resize', 'ArrowUp', resized),
    key('resize', 'ArrowDown', resized),
    key('smallest', 'Home', resized),
    key('largest', 'End', resized),
  ]),
  onPage(
    'Keys of the edge beside',
    page => page.getByRole('tab', { name: 'Cache' }).click(),
    [key('resize', 'ArrowLeft', resized), key('resize', 'ArrowRight', resized)],
    wideSize,
  ),
];
