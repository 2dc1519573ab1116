import assert from 'node:assert/strict';
import { ui, waitUntil } from '../driver';
import { inspectorApi, isAtRest } from '../inspector';

/**
 * The current activities in the window, in every page in it, and in the documents of the extension. Empty if there are
 * none.
 */
export async function activities(): Promise<readonly string[]> {
  const found = await ui(async ({ page }) => {
    const bars =
      '.statusbar .codicon-modifier-spin, .statusbar .codicon-loading, .monaco-progress-container.active';
    const signs =
      '[aria-busy="true"], vscode-progress-ring, [role="progressbar"]:not(.monaco-progress-container)';
    const shown = await Promise.all(
      page.frames().map(frame =>
        frame
          .locator(frame === page.mainFrame() ? bars : signs)
          .filter({ visible: true })
          .evaluateAll(all =>
            all.map(each => ('outerHTML' in each ? String(each.outerHTML).slice(0, 200) : '')),
          )
          .catch(() => []),
      ),
    );
    return shown.flat();
  });
  const { openEditors } = await inspectorApi();
  const documents = openEditors().filter(editor => !isAtRest(editor));
  return [
    ...(Array.isArray(found) ? found.map(String) : ['no answer']),
    ...documents.map(({ uri }) => `${uri} is being read`),
  ];
}

/** Waits until every page in the editor area is drawn: closing a page while it loads can keep the next ones waiting. */
async function pagesAreDrawn(): Promise<void> {
  await waitUntil('all pages are drawn', async () => {
    const left = await ui(async ({ page }) => {
      const frames = page.locator(
        'iframe.webview.ready[src*="extensionId=context-inspector."]:right-of(.part.sidebar)',
      );
      const all = await frames.filter({ visible: true }).all();
      const drawn = await Promise.all(
        all.map(frame =>
          frame
            .contentFrame()
            .locator('#active-frame')
            .contentFrame()
            .locator(
              '#root[data-ready="true"], .message-page:not(:has(.progress-ring)), #root:not([data-ready]) main:not([aria-busy="true"])',
            )
            .count(),
        ),
      );
      return drawn.filter(count => count === 0).length;
    });
    return left === 0;
  });
}

/** Waits until nothing is busy. Rejects with a message that says after which step something still is. */
export async function settle(after: string): Promise<void> {
  let last: readonly string[] = [];
  try {
    await waitUntil('nothing is busy', async () => (last = await activities()).length === 0);
  } catch {
    assert.fail(`${after}: still busy: ${last.join('; ')}`);
  }
}

/** Waits until all pages are drawn and nothing is busy. */
export async function settleAll(): Promise<void> {
  await pagesAreDrawn();
  await settle('all pages are drawn');
}
