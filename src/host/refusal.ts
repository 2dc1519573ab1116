import { translate } from '../core/base/translate';
import type { ReadMessage, ToWebviewMessage } from '../protocol/messages';

/** What follows when the gate refuses a message of the page: a line for the log and an answer to the page. */
export function refusal(
  { id, what }: Extract<ReadMessage, { ok: false }>,
  fileName: string,
): { readonly line: string; readonly message: ToWebviewMessage } {
  return {
    line: translate('{0}: The page sent a message of an unknown form: {1}', fileName, what),
    message:
      id === undefined
        ? {
            type: 'refused',
            sentence: translate(
              'The extension refused a message from this page because its form is unknown.',
            ),
          }
        : {
            type: 'answer',
            id,
            ok: false,
            sentence: translate('The extension refused this question because its form is unknown.'),
          },
  };
}
