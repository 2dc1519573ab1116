import assert from 'node:assert/strict';
import { ui } from './driver';

/** Keeps every text that notifications and the status bar show from now on, even briefly. */
export const watchMessages = (): Promise<unknown> =>
  ui(async ({ page }) => {
    await page.evaluate(`
      window.messagesSeen = [];
      new MutationObserver(() => {
        for (const element of document.querySelectorAll('.notification-list-item-message, .statusbar-item')) {
          const text = element.textContent.replaceAll('\\u2060', '');
          const markup = element.querySelectorAll('a[href*="inspectorTest"], .codicon-zap').length;
          if (!window.messagesSeen.some(seen => seen.text === text && seen.markup === markup)) {
            window.messagesSeen.push({ text, markup });
          }
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
  });

/** Waits until a text with this part has been shown since the call of `watchMessages`. */
export const messageSeen = (part: string): Promise<unknown> =>
  ui(async ({ page }, wanted) => {
    await page.waitForFunction(
      `window.messagesSeen.some(({ text }) => text.includes(${JSON.stringify(wanted)}))`,
    );
  }, part);

/** The texts shown since the last call of `watchMessages`, and the number of links and icons in each. */
export async function messagesSeen(): Promise<readonly { readonly text: string; readonly markup: number }[]> {
  const seen = await ui(({ page }) => page.evaluate('window.messagesSeen'));
  assert.ok(Array.isArray(seen));
  return seen.map((message: unknown) => {
    assert.ok(typeof message === 'object' && message !== null && 'text' in message && 'markup' in message);
    return { text: String(message.text), markup: Number(message.markup) };
  });
}
