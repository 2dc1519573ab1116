import { stringAt } from '../../base/json';
import type { ConversationPart, Picture } from '../../model/conversation';

/** Splits a list before the first item that is not a system message. */
export function splitSystem<Item>(
  items: readonly Item[],
  isSystem: (item: Item) => boolean,
): readonly [leading: readonly Item[], rest: readonly Item[]] {
  const first = items.findIndex(item => !isSystem(item));
  const length = first < 0 ? items.length : first;
  return [items.slice(0, length), items.slice(length)];
}

/** The address of a picture, which may contain the picture itself. */
export function pictureUrl(picture: Picture): string {
  return picture.kind === 'url' ? picture.url : `data:${picture.mediaType};base64,${picture.data}`;
}

/** Inverse of `pictureUrl`. */
export function pictureAt(url: string): Picture {
  const data = /^data:([^;,]+);base64,/.exec(url.slice(0, 200));
  return data === null
    ? { kind: 'url', url }
    : { kind: 'data', mediaType: data[1] ?? 'image/png', data: url.slice(data[0].length) };
}

/**
 * True for a call that OpenAI ran, such as a search: its item has no `call_id`, and no result can follow it. What was found
 * is in the item, or was not given (Responses API, output items).
 */
export function isServedCall({ native }: Pick<ConversationPart, 'native'>): boolean {
  return native?.protocol === 'openaiResponses' && stringAt(native.item, 'call_id') === undefined;
}
