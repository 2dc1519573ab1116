import { translate } from '../../src/core/base/translate';

/** The place where a key works: the whole page except text fields, or a part of the page that has the focus. */
export const keyPlaces = [
  'page',
  'look',
  'timeline',
  'drawing',
  'table',
  'conversation',
  'breakdown',
  'parts',
  'splitter',
] as const;
export type KeyPlace = (typeof keyPlaces)[number];

interface KeyRow {
  readonly place: KeyPlace;
  /** The values of `KeyboardEvent.key`. All do the same. */
  readonly keys: readonly string[];
  readonly does: string;
}

const row = <const Place extends KeyPlace>(
  place: Place,
  keys: readonly string[],
  does: string,
): KeyRow & { readonly place: Place } => ({ place, keys, does });

/** Every key of the page. The handlers, the help and a test of docs/keys.md follow this table. */
export const keyRows = {
  previousRequest: row('page', ['['], translate('Previous request')),
  nextRequest: row('page', [']'], translate('Next request')),
  find: row('page', ['/'], translate('Find in texts and names, like Ctrl+F or ⌘F')),
  nextHit: row('page', ['F3'], translate('Next hit; with Shift, the previous one')),
  nextFinding: row('page', ['F8'], translate('Next finding in the text; with Shift, the previous one')),
  sensitivity: row('page', ['s', 'S'], translate('Switch colouring by sensitivity on or off')),
  look: row('page', ['w', 'W'], translate('Open or close the list Worth a look')),
  nextLook: row('page', ['j', 'J'], translate('Next finding worth a look')),
  previousLook: row('page', ['k', 'K'], translate('Previous finding worth a look')),
  compare: row('page', ['c', 'C'], translate('Compare the request with the one before, or go back')),
  copyLink: row('page', ['l', 'L'], translate('Copy a link to the selected block, or to the request')),
  nextPane: row('page', ['F6'], translate('Move to the details, or back')),
  close: row('page', ['Escape'], translate('Close details; press again to clear the selection')),
  help: row('page', ['?'], translate('Show keyboard shortcuts')),
  nextInList: row('look', ['ArrowDown'], translate('Next finding')),
  previousInList: row('look', ['ArrowUp'], translate('Previous finding')),
  firstInList: row('look', ['Home'], translate('First finding')),
  lastInList: row('look', ['End'], translate('Last finding')),
  goThere: row('look', ['Enter'], translate('Go to the place of the finding')),
  hideKind: row('look', ['h', 'H'], translate('Hide findings of this kind')),
  earlier: row('timeline', ['ArrowLeft', 'ArrowDown'], translate('Previous request')),
  later: row('timeline', ['ArrowRight', 'ArrowUp'], translate('Next request')),
  muchEarlier: row('timeline', ['PageDown'], translate('Several requests back')),
  muchLater: row('timeline', ['PageUp'], translate('Several requests ahead')),
  previousQuestion: row('timeline', [','], translate('Previous question')),
  nextQuestion: row('timeline', ['.'], translate('Next question')),
  earliest: row('timeline', ['Home'], translate('First request')),
  latest: row('timeline', ['End'], translate('Newest request')),
  move: row(
    'drawing',
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'],
    translate('Select another block; with Shift, a range and its sum'),
  ),
  endRange: row('drawing', ['Escape'], translate('Deselect the range')),
  open: row('drawing', ['Enter'], translate('Open the details of the block')),
  zoomIn: row('drawing', ['+', '='], translate('Zoom in, like Ctrl or ⌘ with the mouse wheel')),
  zoomOut: row('drawing', ['-'], translate('Zoom out')),
  fit: row('drawing', ['0'], translate('Fit the drawing to the window')),
  moveRow: row(
    'table',
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'],
    translate('Select another row'),
  ),
  openRow: row('table', ['Enter'], translate('Open the details of the block')),
  moveMessage: row(
    'conversation',
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'],
    translate('Select another message'),
  ),
  openMessage: row('conversation', ['ArrowRight'], translate('Open the message')),
  closeMessage: row('conversation', ['ArrowLeft'], translate('Close the message')),
  messageDetails: row('conversation', ['Enter'], translate('Open the details of the block')),
  movePart: row(
    'breakdown',
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'],
    translate('Select the next part'),
  ),
  intoPart: row('breakdown', ['Enter'], translate('Open the part, or the details of a block')),
  outOfPart: row('breakdown', ['Backspace'], translate('Go up one level, like Esc')),
  movePartRow: row(
    'parts',
    ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'],
    translate('Select another part'),
  ),
  openPart: row('parts', ['ArrowRight'], translate('Expand the row; if expanded, go to its first part')),
  closePart: row('parts', ['ArrowLeft'], translate('Collapse the row; if collapsed, go up one level')),
  intoPartRow: row('parts', ['Enter'], translate('Open the part, or the details of a block')),
  outOfPartRow: row('parts', ['Backspace'], translate('Go up one level, like Esc')),
  resize: row(
    'splitter',
    ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
    translate('Make the details smaller or larger'),
  ),
  smallest: row('splitter', ['Home'], translate('Smallest size')),
  largest: row('splitter', ['End'], translate('Largest size')),
} as const satisfies Readonly<Record<string, KeyRow>>;

type KeyName = keyof typeof keyRows;

/** The functions of keys in one part of the page. */
export type KeyOf<Place extends KeyPlace> = {
  [Name in KeyName]: (typeof keyRows)[Name]['place'] extends Place ? Name : never;
}[KeyName];

/** The displayed form of keys whose names are not common words. Letters are shown as on the keyboard. */
const writtenKeys: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  Escape: 'Esc',
  '-': '−',
};

/** The displayed forms of a row's keys, each once. */
export function writtenKeysOf({ keys }: Pick<KeyRow, 'keys'>): readonly string[] {
  return [...new Set(keys.map(key => writtenKeys[key] ?? (key.length === 1 ? key.toUpperCase() : key)))];
}

export const keyWords = {
  title: translate('Keyboard shortcuts'),
  key: translate('Key'),
  places: {
    page: translate('Anywhere on the page'),
    look: translate('In the list Worth a look'),
    timeline: translate('In the timeline'),
    drawing: translate('In the drawing'),
    table: translate('In the table'),
    conversation: translate('In the conversation'),
    breakdown: translate('In the treemap of the breakdown'),
    parts: translate('In the table of the breakdown'),
    splitter: translate('On the border of the details'),
  } satisfies Readonly<Record<KeyPlace, string>>,
  others: translate(
    'Tab and Shift+Tab move between the parts of the page. You can assign your own keys to the editor commands in the command palette.',
  ),
} as const;
