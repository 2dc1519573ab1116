// A browser page with VS Code in it.
import { chromium } from 'playwright-core';
import { browserOptions } from './browser.mjs';

/** The size of the pictures in the README and in docs. */
const viewport = { width: 1440, height: 900 };
const loadTimeoutMilliseconds = 120_000;
const actionTimeoutMilliseconds = 90_000;

const ownFrame = 'iframe.webview.ready[src*="extensionId=context-inspector."]';
/** A view has a purpose when it is first shown, but not always later. So its frame is found by its place. */
const frames = {
  editor: `${ownFrame}:not([src*="purpose=webviewView"]):not(:left-of(.part.editor))`,
  view: `${ownFrame}:not(:right-of(.part.sidebar))`,
};

/**
 * Starts a headless browser with an empty page. `prepare(page)` runs before the address is opened.
 * Returns `{ page, webview, view, errors, close }`. `webview` is a Playwright frame locator for the document in the one visible custom
 * editor, `view` for the one in the side bar; `errors` are the texts of the errors in the browser's console so far, of the workbench and of every webview.
 */
export async function openWorkbench(address, prepare) {
  const browser = await chromium.launch(await browserOptions());
  try {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(actionTimeoutMilliseconds);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const errors = [];
    page.on('pageerror', error => errors.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error') {
        errors.push(`${message.text()} ${message.location().url}`);
      }
    });
    await prepare?.(page);
    await page.goto(address, { timeout: loadTimeoutMilliseconds });
    const documentIn = selector =>
      page.locator(selector).filter({ visible: true }).contentFrame().locator('#active-frame').contentFrame();
    const [webview, view] = [documentIn(frames.editor), documentIn(frames.view)];
    return { page, webview, view, errors, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
