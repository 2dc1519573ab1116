/// <reference types="node" />
import type { Page } from 'playwright-core';

/** A message that is kept from the page. */
export interface HeldMessage {
  /** Waits until the message has come. */
  readonly come: () => Promise<unknown>;
  /** Lets the page have it, with other members if some are given. A member that is undefined is left out. */
  readonly pass: (change?: Readonly<Record<string, unknown>>) => Promise<void>;
}

declare global {
  interface Window {
    heldMessages: object[];
  }
}

/** Holds back the next message to a page with a text in its JSON, because the real one comes at once and is right. */
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
    pass: (change = {}) =>
      page.evaluate(members => {
        for (const message of window.heldMessages.splice(0)) {
          const data: unknown = JSON.parse(JSON.stringify({ ...message, ...members }));
          window.dispatchEvent(new MessageEvent('message', { data }));
        }
      }, change),
  };
}
