/// <reference types="node" />
import type { Page } from 'playwright-core';

/** An answer that is kept from the page. */
export interface HeldAnswer {
  /** Waits until the answer has come. */
  readonly come: () => Promise<unknown>;
  /** Lets the page have it; with a sentence, as the answer of a question that failed. */
  readonly pass: (sentence?: string) => Promise<void>;
}

declare global {
  interface Window {
    heldAnswers: { readonly id: unknown; readonly data: unknown }[];
  }
}

/** Holds back the next answer with a text in its JSON, because the real one may come at any time and does not fail. */
export async function holdAnswer(page: Page, text: string): Promise<HeldAnswer> {
  await page.evaluate(wanted => {
    window.heldAnswers = [];
    const dispatch = window.dispatchEvent.bind(window);
    window.dispatchEvent = event => {
      const data: unknown = event instanceof MessageEvent ? event.data : undefined;
      const isAnswer = typeof data === 'object' && data !== null && 'id' in data && 'ok' in data;
      if (isAnswer && JSON.stringify(data).includes(wanted)) {
        window.dispatchEvent = dispatch;
        window.heldAnswers.push({ id: data.id, data });
        return true;
      }
      return dispatch(event);
    };
  }, text);
  return {
    come: () => page.waitForFunction(() => window.heldAnswers.length > 0),
    pass: sentence =>
      page.evaluate(failure => {
        for (const { id, data } of window.heldAnswers.splice(0)) {
          const passed = failure === undefined ? data : { type: 'answer', id, ok: false, sentence: failure };
          window.dispatchEvent(new MessageEvent('message', { data: passed }));
        }
      }, sentence),
  };
}
