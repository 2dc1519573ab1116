import type { ReadMessage, ToWebviewMessage } from '../protocol/messages';

/** A message of the page that the gate refused: the line for the log, and what the page is told. */
export function refusal(
  { id, what }: Extract<ReadMessage, { ok: false }>,
  fileName: string,
): { readonly line: string; readonly message: ToWebviewMessage } {
  return {
    line: `${fileName}: refused a message of unknown form from the page: ${what}`,
    message:
      id === undefined
        ? { type: 'refused', sentence: 'The extension refused a message of this page: its form is unknown.' }
        : {
            type: 'answer',
            id,
            ok: false,
            sentence: 'The extension refused this question: its form is unknown.',
          },
  };
}
