// A browser page with VS Code in it.
import { chromium } from 'playwright-core';
import { browserOptions } from './browser.mjs';

/** The size of the pictures in the README. */
const viewport = { width: 1440, height: 900 };
const loadTimeoutMilliseconds = 60_000;
const actionTimeoutMilliseconds = 15_000;

/**
 * Starts a headless browser with an empty page. `prepare(page)` runs before the address is opened.
 * Returns `{ page, webview, close }`. `webview` is a Playwright frame locator for the document in the one visible webview.
 */
export async function openWorkbench(address, prepare) {
  const browser = await chromium.launch(await browserOptions());
  try {
    const page = await browser.newPage({ viewport });
    page.setDefaultTimeout(actionTimeoutMilliseconds);
    await prepare?.(page);
    await page.goto(address, { timeout: loadTimeoutMilliseconds });
    const frame = page.locator('iframe.webview.ready').filter({ visible: true }).contentFrame();
    return { page, webview: frame.locator('#active-frame').contentFrame(), close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
