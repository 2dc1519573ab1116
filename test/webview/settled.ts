/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

declare global {
  interface Window {
    /**
     * Resolves once the page has no question open and nothing left to do for those that were answered. Resolves with what
     * the page still waits for if that takes far too long, else with an empty text.
     */
    settled: () => Promise<string>;
  }
}

/** The methods of a locator that tell what is there now, without waiting for it to change. */
const readings = [
  ...['all', 'allInnerTexts', 'allTextContents', 'ariaSnapshot', 'boundingBox', 'count', 'evaluate'],
  ...['evaluateAll', 'getAttribute', 'innerHTML', 'innerText', 'inputValue', 'isChecked', 'isDisabled'],
  ...['isEnabled', 'isHidden', 'isVisible', 'textContent'],
];

const watched = new WeakSet<Page>();
let isPatched = false;

/** Makes a page tell from its next document on whether it has settled. */
export async function tellWhenSettled(page: Page): Promise<void> {
  await page.addInitScript(watchWork);
  if (!isPatched) {
    isPatched = true;
    const locators: unknown = Object.getPrototypeOf(page.locator('html'));
    assert.ok(typeof locators === 'object' && locators !== null);
    patch(locators);
  }
}

/**
 * Decides whether what is read of a page through a locator waits until the page has settled. Otherwise a test reads on a
 * busy machine what the page showed before its last answer came.
 */
export function readWhenSettled(page: Page, isWanted: boolean): void {
  if (isWanted) {
    watched.add(page);
  } else {
    watched.delete(page);
  }
}

function patch(locators: object): void {
  for (const name of readings) {
    const read: unknown = Object.getOwnPropertyDescriptor(locators, name)?.value;
    assert.ok(typeof read === 'function', `locators have no method ${name}`);
    Object.defineProperty(locators, name, {
      configurable: true,
      async value(this: Locator, ...values: readonly unknown[]): Promise<unknown> {
        const page = this.page();
        if (watched.has(page)) {
          // A page that is just left has nothing to wait for.
          const unsettled = await page.evaluate(() => window.settled()).catch(() => '');
          assert.equal(unsettled, '', `${name}: the page does not settle`);
        }
        const result: unknown = await Reflect.apply(read, this, values);
        return result;
      },
    });
  }
}

/** Runs in the page before its scripts. */
function watchWork(): void {
  /** Pauses up to here end in a question or an answer, in milliseconds; longer ones repeat or hide something. */
  const longestPause = 300;
  /** Far longer than a page is ever busy, in milliseconds. */
  const patience = 20_000;
  /** The open questions by their number. */
  const questions = new Map<unknown, string>();
  const pauses = new Set<number>();
  const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
    typeof value === 'object' && value !== null;

  window.heldMessages = [];
  window.WebSocket = class extends WebSocket {
    override send(data: Parameters<WebSocket['send']>[0]): void {
      const sent: unknown = typeof data === 'string' ? JSON.parse(data) : undefined;
      const message = isObject(sent) ? sent['message'] : undefined;
      if (isObject(message) && message['type'] === 'question') {
        questions.set(message['id'], JSON.stringify(message['question']));
      }
      super.send(data);
    }
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isObject(data) && data['type'] === 'answer') {
      questions.delete(data['id']);
    }
  });

  const begin = window.setTimeout.bind(window);
  const end = window.clearTimeout.bind(window);
  const pause = (
    handler: (...values: readonly unknown[]) => void,
    milliseconds = 0,
    ...values: readonly unknown[]
  ): number => {
    const timer = begin(() => {
      pauses.delete(timer);
      handler(...values);
    }, milliseconds);
    if (milliseconds <= longestPause) {
      pauses.add(timer);
    }
    return timer;
  };
  Object.assign(window, {
    setTimeout: pause,
    clearTimeout: (timer?: number) => {
      pauses.delete(timer ?? 0);
      end(timer);
    },
  });

  const isAtRest = (): boolean => {
    // A test that holds an answer back reads what the page shows meanwhile.
    const held = new Set(window.heldMessages.map(each => (isObject(each) ? each['id'] : undefined)));
    return pauses.size === 0 && [...questions.keys()].every(id => held.has(id));
  };
  window.settled = async () => {
    const last = performance.now() + patience;
    do {
      await new Promise(resolve => requestAnimationFrame(resolve));
      // Behind all that React has put off. An idle callback may wait for ever where no frame is drawn.
      await scheduler.postTask(() => undefined, { priority: 'background' });
    } while (!isAtRest() && performance.now() < last);
    return isAtRest() ? '' : `${pauses.size} pauses, ${[...questions.values()].join(', ')}`;
  };
}
