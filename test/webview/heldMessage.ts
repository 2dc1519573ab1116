/// <reference types="node" />
import type { Page } from 'playwright-core';

/** A message that is kept from the page. */
export interface HeldMessage {
  /** Waits until the message has come. */
  readonly come: () => Promise<unknown>;
  /** Lets the page have it; with a sentence, as the answer to a question that failed. */
  readonly pass: (sentence?: string) => Promise<void>;
}

declare global {
  interface Window {
    heldMessages: object[];
  }
}

/** Holds back the next message to a page with a text in its JSON, because the real one comes when it likes. */
export async function holdMessage(page: Page, text: string): Promise<HeldMessage> {
  await page.evaluate(wanted => {
    window.heldMessages = [];
    const dispatch = window.dispatchEvent.bind(window);
    window.dispatchEvent = event => {
      const data: unknown = event instanceof MessageEvent ? event.data : undefined;
      if (typeof data === 'object' && data !== null && JSON.stringify(data).includes(wanted)) {
        window.dispatchEvent = dispatch;
        window.heldMessages.push(data);
        return true;
      }
      return dispatch(event);
    };
  }, text);
  return {
    come: () => page.waitForFunction(() => window.heldMessages.length > 0),
    pass: sentence =>
      page.evaluate(failure => {
        for (const message of window.heldMessages.splice(0)) {
          const data =
            failure === undefined || !('id' in message)
              ? message
              : { type: 'answer', id: message.id, ok: false, sentence: failure };
          window.dispatchEvent(new MessageEvent('message', { data }));
        }
      }, sentence),
  };
}
