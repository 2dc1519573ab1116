import type { Page } from 'playwright-core';
import type { keyRows } from '../../../webview/state/keyTable';
import type { AddressOptions, Deed, OpenAddress } from '../door';

/** A control that a person can find: its role and its name in the accessibility tree. */
export interface Control {
  readonly role: string;
  readonly name: string;
}

/** The required effect of a control. Selectors are Playwright's. */
export type Effect =
  /** Something new is visible on the page. */
  | { readonly kind: 'shows'; readonly selector: string }
  | { readonly kind: 'hides'; readonly selector: string }
  /** The drawing or text of an element changes. */
  | { readonly kind: 'changes'; readonly selector: string }
  /** The desk is asked for something, once more than before. */
  | { readonly kind: 'does'; readonly what: Deed['what'] };

/** The way a control is used: with the mouse, by a key while it has the focus, or by typing. */
export type Use =
  | { readonly kind: 'click' }
  | { readonly kind: 'press'; readonly key: string }
  | { readonly kind: 'fill'; readonly text: string }
  /** The option with this label in a list. */
  | { readonly kind: 'choose'; readonly label: string };

/** One kind of control with its use and effect. */
export interface Row {
  readonly role: string;
  readonly name: string | RegExp;
  readonly use: Use;
  readonly effect: Effect;
  /** True to press Escape afterwards, because a dialog is open. */
  readonly escape: boolean;
  /** The row of the page's key table whose key is used. */
  readonly keyRow?: keyof typeof keyRows;
}

/** A state of the page in which controls are searched and used. */
export interface Place {
  readonly name: string;
  /** Opens the content to show. */
  readonly open: (options: AddressOptions) => Promise<OpenAddress>;
  /** The size of the page, if it is not that of a laptop. */
  readonly size?: PageSize;
  /** True if the page stays where a control leads to a transcript, which takes long to open. */
  readonly stays?: boolean;
  /** True if work is in progress there that the test does not wait for. */
  readonly isBusy?: boolean;
  /** Brings a page that was just opened into this state. */
  readonly reach: (page: Page) => Promise<unknown>;
  /** Brings the open page back into this state after a row that leaves it, if that takes no new opening. */
  readonly again?: (page: Page) => Promise<unknown>;
  /** In the order of their use. Each must exist when its turn comes, or right after the state is reached again. */
  readonly rows: readonly Row[];
}

/** In CSS pixels. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export const shows = (selector: string): Effect => ({ kind: 'shows', selector });
export const hides = (selector: string): Effect => ({ kind: 'hides', selector });
export const changes = (selector: string): Effect => ({ kind: 'changes', selector });
/** The page shows a dialog with this text, which Escape closes. */
export const asks = (text: string): Effect => ({ kind: 'shows', selector: `dialog >> text=${text}` });
export const does = (what: Deed['what']): Effect => ({ kind: 'does', what });

const click: Use = { kind: 'click' };
export const press = (key: string): Use => ({ kind: 'press', key });
export const fill = (text: string): Use => ({ kind: 'fill', text });
export const choose = (label: string): Use => ({ kind: 'choose', label });

/** A row of the inventory: `row('button', 'Fit', changes('canvas'))`. Without `use` the control is clicked. */
export function row(role: string, name: string | RegExp, effect: Effect, use: Use = click): Row {
  return { role, name, use, effect, escape: effect.kind === 'shows' && effect.selector.startsWith('dialog') };
}

export function isOf({ role, name }: Row, control: Control): boolean {
  return (
    role === control.role && (typeof name === 'string' ? name === control.name : name.test(control.name))
  );
}

const controlRoles = new Set([
  ...['button', 'checkbox', 'combobox', 'fold', 'grid', 'link', 'listbox', 'menuitem'],
  ...['menuitemcheckbox', 'menuitemradio', 'option', 'radio', 'scrollbar', 'searchbox', 'separator'],
  ...['slider', 'spinbutton', 'switch', 'tab', 'textbox', 'tree', 'treegrid', 'treeitem'],
]);

/** One line of Playwright's snapshot of the tree, `- button "Fit" [disabled]`; quoted as YAML if the name has a colon. */
function controlIn(line: string): Control | undefined {
  const [, quoted, plain = ''] = /^\s*- (?:'((?:[^']|'')*)'|(.*))/.exec(line) ?? [];
  const text = quoted?.replaceAll("''", "'") ?? plain;
  const [, role = '', name = '""'] = /^(\w+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(text) ?? [];
  return controlRoles.has(role) ? { role, name: String(JSON.parse(name)) } : undefined;
}

const indentOf = (line: string): number => line.search(/\S/);

/** The controls in a snapshot of the accessibility tree. The options of a combobox are part of it. */
export function controlsIn(snapshot: string): readonly Control[] {
  let combobox = Number.POSITIVE_INFINITY;
  return snapshot.split('\n').flatMap(line => {
    if (indentOf(line) <= combobox) {
      combobox = Number.POSITIVE_INFINITY;
    }
    const control = controlIn(line);
    if (control === undefined || combobox !== Number.POSITIVE_INFINITY) {
      return [];
    }
    if (control.role === 'combobox') {
      combobox = indentOf(line);
    }
    return [control];
  });
}
