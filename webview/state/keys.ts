import { type KeyOf, type KeyPlace, keyRows } from './keyTable';

const names = new Map(
  Object.entries(keyRows).flatMap(([name, { place, keys }]) => keys.map(key => [`${place} ${key}`, name])),
);

function isKeyOf<Place extends KeyPlace>(place: Place, name: string | undefined): name is KeyOf<Place> {
  return Object.entries(keyRows).some(([known, row]) => known === name && row.place === place);
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>;

/**
 * The function of a key in a part of the page; undefined for keys without a function there, and for those of VS Code
 * and the browser.
 */
export function keyIn<Place extends KeyPlace>(
  place: Place,
  { key, ctrlKey, altKey, metaKey }: Pressed,
): KeyOf<Place> | undefined {
  // On many keyboards, brackets need Alt, or AltGr, which is Ctrl and Alt.
  const isCommand = metaKey || (ctrlKey && !altKey);
  const name = isCommand ? undefined : names.get(`${place} ${key}`);
  return isKeyOf(place, name) ? name : undefined;
}

/** Input elements that accept no letters. */
const wordless = ['range', 'checkbox', 'radio', 'button'];

/** True if typed text goes into a field. The fields of the toolkit are inside its elements. */
export function goesIntoField(event: Event): boolean {
  const [target] = event.composedPath();
  if (target instanceof HTMLInputElement) {
    return !wordless.includes(target.type);
  }
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && (target.isContentEditable || target.tagName === 'VSCODE-DROPDOWN'))
  );
}

/** The element around the search: its field, or the button that opens it. */
export const findAreaId = 'find';

/** Focuses the search field, and opens it if it is closed. */
export function focusFind(): void {
  const area = document.getElementById(findAreaId);
  const field = area?.querySelector('input');
  if (field instanceof HTMLElement) {
    field.focus();
  } else {
    area?.querySelector('button')?.click();
  }
}
