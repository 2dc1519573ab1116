import assert from 'node:assert/strict';
import { member } from '../../../src/core/base/json';
import { nextPicture, ui, waitUntil } from '../driver';
import { settle } from './busy';
import {
  type Control,
  controlsIn,
  type Effect,
  type Frame,
  type PageSize,
  type Place,
  type Row,
} from './rows';

/**
 * The controls on a page. In addition to the accessibility tree: sections that open, and buttons for the mouse only, by
 * their titles.
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

/**
 * Gives the page a size. The window is wider by the bars and panes next to the editors, which differ between versions
 * of VS Code.
 */
export async function setPageSize(size: PageSize): Promise<void> {
  await ui(async ({ page, until }, { width, height }) => {
    await until(`the editors have a width of ${width} pixels`, async () => {
      const editors = await page.locator('.part.editor').boundingBox();
      const window = page.viewportSize();
      if (editors === null || window === null) {
        throw new Error('There is no part for editors.');
      }
      if (Math.round(editors.width) === width && window.height === height) {
        return true;
      }
      await page.setViewportSize({ width: window.width + width - Math.round(editors.width), height });
      return false;
    });
  }, size);
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

/** True if a control of the row exists. */
export async function isThere(row: Row, { frame }: Place): Promise<boolean> {
  return (await countIn(frame, selectorOf(row))) > 0;
}

async function act(row: Row, frame: Frame): Promise<void> {
  await ui(
    async (window, { where, selector, use }) => {
      const control = window[where].locator(selector).first();
      switch (use.kind) {
        case 'click':
          return control.click();
        case 'press':
          await control.focus();
          return control.press(use.key);
        case 'fill':
          return control.fill(use.text);
        case 'choose':
          return control.selectOption(use.label);
      }
    },
    { where: frame, selector: selectorOf(row), use: row.use },
  );
}

/** The texts and drawings in the elements of a selector. */
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

/**
 * The result of `look` once it stays the same from one picture of the page to the next, because the previous state may
 * still be drawn.
 */
async function stillLook(frame: Frame, selector: string): Promise<unknown> {
  let last: unknown;
  await waitUntil(`${selector} is still`, async () => {
    const previous = last;
    await nextPicture(frame);
    last = await look(frame, selector);
    return last === previous;
  });
  return last;
}

/** True if an effect is visible now. `before` is the result of `look` before the use. */
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

/** Uses the first control of a row like a user, and fails unless its effect becomes visible. */
export async function useRow(row: Row, place: Place): Promise<void> {
  const what = `${place.name}: ${row.role} ${String(row.name)}`;
  const { effect } = row;
  const { frame } = place;
  const before = effect.kind === 'changes' ? await stillLook(frame, effect.selector) : undefined;
  assert.ok(effect.kind !== 'changes' || before !== '', `${what}: there is no ${JSON.stringify(effect)}`);
  assert.equal(await isSeen(effect, frame, before), false, `${what}: its effect is there before it is used`);
  try {
    await act(row, frame);
    await waitUntil('the effect is seen', () => isSeen(effect, frame, before));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    assert.fail(`${what}: ${message.split('\n').slice(0, 12).join('\n')}`);
  }
  if (row.escape) {
    await ui(({ page }) => page.keyboard.press('Escape'));
  }
  await settle(what);
}
