import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { member } from '../../../src/core/base/json';
import { ui, waitUntil } from '../driver';
import { activities, busyMilliseconds } from './busy';
import {
  type Control,
  controlsIn,
  type Effect,
  type Frame,
  type PageSize,
  type Place,
  type Row,
} from './rows';

/** How long something stays the same that is done: the page asks 200 ms after the last change, and an answer takes a moment. */
const stillMilliseconds = 400;
const lookMilliseconds = 80;
/** How long a use and its effect are waited for, on a machine that has much else to do. */
const effectMilliseconds = 40_000;

/**
 * What is found on a page now. Beside the tree that screen readers get: sections that open, and buttons that are for
 * the mouse alone, by their titles.
 */
export async function controlsOf(frame: Frame): Promise<readonly Control[]> {
  const found = await ui(async (window, where) => {
    const page = window[where];
    if ((await page.locator('body').count()) === 0) {
      return { snapshot: '' };
    }
    const folds = page.locator('summary').filter({ visible: true });
    const forMouse = page.locator('[aria-hidden="true"] button').filter({ visible: true });
    return {
      snapshot: await page.locator('body').ariaSnapshot(),
      fold: await folds.allInnerTexts(),
      mouse: await forMouse.evaluateAll(all => all.map(each => ('title' in each ? String(each.title) : ''))),
    };
  }, frame);
  const others = (['fold', 'mouse'] as const).flatMap(role =>
    listOf(member(found, role)).map(name => ({ role, name: String(name).replace(/\s+/g, ' ').trim() })),
  );
  return [...controlsIn(String(member(found, 'snapshot'))), ...others];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Gives the page a size: the window is wider by the bars and panes beside the editors, which differ between versions of VS Code. */
export async function setPageSize(size: PageSize): Promise<void> {
  await ui(async ({ page }, { width, height }) => {
    for (let tries = 50; tries > 0; tries -= 1) {
      const editors = await page.locator('.part.editor').boundingBox();
      const window = page.viewportSize();
      if (editors === null || window === null) {
        throw new Error('There is no part for editors.');
      }
      if (Math.round(editors.width) === width && window.height === height) {
        return;
      }
      await page.setViewportSize({ width: window.width + width - Math.round(editors.width), height });
      await page.waitForTimeout(50);
    }
    throw new Error(`The editors have no width of ${width} pixels.`);
  }, size);
}

/** Waits until nothing is busy. */
export async function settle(after: string): Promise<void> {
  let last: readonly string[] = [];
  try {
    await waitUntil(
      'nothing is busy',
      async () => (last = await activities()).length === 0,
      busyMilliseconds,
    );
  } catch {
    assert.fail(`${after}: still busy after ${busyMilliseconds} ms: ${last.join('; ')}`);
  }
}

/** The Playwright selector of a row's controls that are in view. */
function selectorOf({ role, name }: Row): string {
  const pattern = typeof name === 'string' ? JSON.stringify(name) : String(name);
  switch (role) {
    case 'fold':
      return `summary >> internal:has-text=${pattern}${typeof name === 'string' ? 'i' : ''} >> visible=true`;
    case 'mouse':
      return `[aria-hidden="true"] button[title=${pattern}] >> visible=true`;
    default:
      return `role=${role}[name=${pattern}] >> visible=true`;
  }
}

const countIn = async (where: Frame | 'page', selector: string): Promise<number> =>
  Number(
    await ui(
      (window, wanted) => window[wanted.where].locator(wanted.selector).filter({ visible: true }).count(),
      { where, selector },
    ),
  );

/** Whether a control of the row is there. */
export async function isThere(row: Row, { frame }: Place): Promise<boolean> {
  return (await countIn(frame, selectorOf(row))) > 0;
}

async function act(row: Row, frame: Frame): Promise<void> {
  await ui(
    async (window, { where, selector, use }) => {
      const control = window[where].locator(selector).first();
      switch (use.kind) {
        case 'click':
          return control.click({ timeout: 20_000 });
        case 'press':
          await control.focus({ timeout: 20_000 });
          return control.press(use.key);
        case 'fill':
          return control.fill(use.text, { timeout: 20_000 });
        case 'choose':
          return control.selectOption(use.label, { timeout: 20_000 });
      }
    },
    { where: frame, selector: selectorOf(row), use: row.use },
  );
}

/** What is written and drawn in the elements of a selector. */
function look(frame: Frame, selector: string): Promise<unknown> {
  return ui(
    (window, wanted) =>
      window[wanted.frame]
        .locator(wanted.selector)
        .evaluateAll(all =>
          all
            .map(each =>
              'toDataURL' in each && each.toDataURL instanceof Function
                ? String(Reflect.apply(each.toDataURL, each, []))
                : `${'outerHTML' in each ? String(each.outerHTML) : ''} ${'value' in each ? String(each.value) : ''}`,
            )
            .join('\n'),
        ),
    { frame, selector },
  );
}

/** What `look` sees once it stays the same for a while: what came before may still be at work. */
async function stillLook(frame: Frame, selector: string): Promise<unknown> {
  let last = await look(frame, selector);
  let since = Date.now();
  await waitUntil(`${selector} is still`, async () => {
    await sleep(lookMilliseconds);
    const now = await look(frame, selector);
    if (now !== last) {
      last = now;
      since = Date.now();
    }
    return Date.now() - since >= stillMilliseconds;
  });
  return last;
}

/** Whether an effect can be seen now; `before` is what `look` saw of it before the use. */
async function isSeen(effect: Effect, frame: Frame, before: unknown): Promise<boolean> {
  switch (effect.kind) {
    case 'shows':
      return (await countIn(frame, effect.selector)) > 0;
    case 'hides':
      return (await countIn(frame, effect.selector)) === 0;
    case 'asks':
      return (await countIn('page', effect.selector)) > 0;
    case 'changes':
      return (await look(frame, effect.selector)) !== before;
    case 'host':
      return effect.holds();
  }
}

/** Uses the first control of a row as a person would, and fails unless its effect is seen, which was not there before. */
export async function useRow(row: Row, place: Place): Promise<void> {
  const what = `${place.name}: ${row.role} ${String(row.name)}`;
  const { effect } = row;
  const { frame } = place;
  const before = effect.kind === 'changes' ? await stillLook(frame, effect.selector) : undefined;
  assert.ok(effect.kind !== 'changes' || before !== '', `${what}: there is no ${JSON.stringify(effect)}`);
  assert.equal(await isSeen(effect, frame, before), false, `${what}: its effect is there before it is used`);
  try {
    await act(row, frame);
    await waitUntil('the effect is seen', () => isSeen(effect, frame, before), effectMilliseconds);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    assert.fail(`${what}: ${message.split('\n').slice(0, 12).join('\n')}`);
  }
  if (row.escape) {
    await ui(({ page }) => page.keyboard.press('Escape'));
  }
  await settle(what);
}
