import { formatNumber } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { requestLabel, type RequestName, requestNumber } from '../../core/view/requestNames';

// The formats of figures on the command line. Messages that need a plural have it in their own text.

export { blocks, requests, tokens } from '../../core/base/countWords';
export { figure } from '../../core/tokens/qualityWords';
export { knownMoney } from '../../core/view/sessionCost';
export { formatMoney as money, formatNumber as number, formatShare as percent } from '../../core/base/format';

/** `Request 59 of 59 (--request 58)`: for people, requests count from 1; in the option and JSON, from 0. */
export const requestOfAll = (index: number, count: number): string =>
  translate('Request {0} of {1} (--request {2})', requestNumber(index), formatNumber(count), index);

/** `Request 59 (--request 58)`, with the conversation in both if it is not the main one. */
export function requestHeading(name: RequestName): string {
  const { conversation, request } = name;
  const options = `--request ${request}`;
  return translate(
    'Request {0} ({1})',
    requestLabel(name),
    conversation === 0 ? options : `--conversation ${conversation} ${options}`,
  );
}

/** The first sentence of a text, for lists. */
export const firstSentence = (text: string): string => /^.*?[.。](?=\s|$)|^.*/su.exec(text)?.[0] ?? '';

/** Lines as a text for the terminal. */
export function inLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
