import assert from 'node:assert/strict';
import { ui, waitUntil } from '../driver';
import { type Control, controlsIn, type Effect, type Place, type Row } from './rows';

/** The time after which every effect must be seen and nothing may be busy. */
export const patience = 5000;

/** What is found on the page now. */
export async function controlsOfPage(): Promise<readonly Control[]> {
  const found = await ui(async ({ webview }) => {
    const folds = await webview.locator('summary').filter({ visible: true }).allInnerTexts();
    return { snapshot: await webview.locator('body').ariaSnapshot(), folds };
  });
  assert.ok(typeof found === 'object' && found !== null && 'snapshot' in found && 'folds' in found);
  assert.ok(Array.isArray(found.folds));
  const folds = found.folds.map(text => ({ role: 'fold', name: String(text).replace(/\s+/g, ' ').trim() }));
  return [...controlsIn(String(found.snapshot)), ...folds];
}

/** What goes on, on the page and in the bars of VS Code: nothing, if the list is empty. */
async function activities(): Promise<readonly string[]> {
  const found = await ui(async ({ page, webview }) => {
    const texts = (selector: string): Promise<string[]> =>
      webview
        .locator(selector)
        .filter({ visible: true })
        .evaluateAll(all => all.map(each => ('outerHTML' in each ? String(each.outerHTML).slice(0, 200) : '')));
    const bars = page.locator(
      '.statusbar .codicon-modifier-spin, .statusbar .codicon-loading, .notification-toast .monaco-progress-container.active',
    );
    return [
      ...(await texts('[aria-busy="true"], vscode-progress-ring, [role="progressbar"]')),
      ...(await bars.filter({ visible: true }).allInnerTexts()).map(text => `VS Code shows progress ${text}`),
    ];
  });
  return Array.isArray(found) ? found.map(String) : ['no answer'];
}

/** Waits until nothing is busy. */
export async function settle(after: string): Promise<void> {
  let last: readonly string[] = [];
  try {
    await waitUntil('nothing is busy', async () => (last = await activities()).length === 0, patience);
  } catch {
    assert.fail(`${after}: still busy after ${patience} ms: ${last.join('; ')}`);
  }
}

/** The Playwright selector of a row's controls that are in view. */
function selectorOf({ role, name }: Row): string {
  const pattern = typeof name === 'string' ? JSON.stringify(name) : String(name);
  const found =
    role === 'fold' ? `summary >> internal:has-text=${pattern}${typeof name === 'string' ? 'i' : ''}` : `role=${role}[name=${pattern}]`;
  return `${found} >> visible=true`;
}

/** Whether a control of the row is there and can be used. */
export async function isThere(row: Row): Promise<boolean> {
  const count = await ui(({ webview }, selector) => webview.locator(selector).count(), selectorOf(row));
  return Number(count) > 0;
}

async function act(row: Row): Promise<void> {
  await ui(
    async ({ webview }, { selector, use }) => {
      const control = webview.locator(selector).first();
      switch (use.kind) {
        case 'click':
          return control.click({ timeout: 5000 });
        case 'press':
          await control.focus({ timeout: 5000 });
          return control.press(use.key);
        case 'fill':
          return control.fill(use.text, { timeout: 5000 });
      }
    },
    { selector: selectorOf(row), use: row.use },
  );
}

/** What is written and drawn in the elements of a selector. */
function look(selector: string): Promise<unknown> {
  return ui(
    ({ webview }, wanted) =>
      webview
        .locator(wanted)
        .evaluateAll(all =>
          all
            .map(each =>
              'toDataURL' in each && typeof each.toDataURL === 'function'
                ? String(each.toDataURL())
                : `${'outerHTML' in each ? String(each.outerHTML) : ''} ${'value' in each ? String(each.value) : ''}`,
            )
            .join('\n'),
        ),
    selector,
  );
}

const countIn = (where: 'page' | 'webview', selector: string): Promise<unknown> =>
  ui(
    (window, wanted) => window[wanted.where].locator(wanted.selector).filter({ visible: true }).count(),
    { where, selector },
  );

/** Whether an effect can be seen now; `before` is what `look` saw of it before the use. */
async function isSeen(effect: Effect, before: unknown): Promise<boolean> {
  switch (effect.kind) {
    case 'shows':
      return Number(await countIn('webview', effect.selector)) > 0;
    case 'hides':
      return Number(await countIn('webview', effect.selector)) === 0;
    case 'asks':
      return Number(await countIn('page', effect.selector)) > 0;
    case 'changes':
      return (await look(effect.selector)) !== before;
    case 'host':
      return effect.holds();
  }
}

/** Uses the first control of a row as a person would, and fails unless the effect is seen, which was not there before. */
export async function useRow(row: Row, place: Place): Promise<void> {
  const what = `${place.name}: ${row.role} ${String(row.name)}`;
  const { effect } = row;
  const before = effect.kind === 'changes' ? await look(effect.selector) : undefined;
  assert.ok(effect.kind !== 'changes' || before !== '', `${what}: there is no ${JSON.stringify(effect)}`);
  assert.equal(await isSeen(effect, before), false, `${what}: its effect is there before it is used`);
  try {
    await act(row);
    await waitUntil('the effect is seen', () => isSeen(effect, before), patience);
  } catch (error) {
    assert.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (row.escape) {
    await ui(({ page }) => page.keyboard.press('Escape'));
  }
  await settle(what);
}
