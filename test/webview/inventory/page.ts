/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Deed, OpenAddress } from '../door';
import { type Control, controlsIn, type Effect, type Place, type Row } from './rows';

/**
 * The controls on a page. In addition to the accessibility tree: sections that open, and buttons for the mouse only, by
 * their titles.
 */
export async function controlsOf(page: Page): Promise<readonly Control[]> {
  const [snapshot, folds, forMouse] = await Promise.all([
    page.locator('body').ariaSnapshot(),
    page.locator('summary').filter({ visible: true }).allInnerTexts(),
    page
      .locator('[aria-hidden="true"] button')
      .filter({ visible: true })
      .evaluateAll(all => all.map(each => each.getAttribute('title') ?? '')),
  ]);
  return [
    ...controlsIn(snapshot),
    ...[folds.map(name => ['fold', name] as const), forMouse.map(name => ['mouse', name] as const)]
      .flat()
      .map(([role, name]) => ({ role, name: name.replace(/\s+/g, ' ').trim() })),
  ];
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

const countIn = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).filter({ visible: true }).count();

/** True if a control of the row exists. */
export async function isThere(row: Row, page: Page): Promise<boolean> {
  return (await countIn(page, selectorOf(row))) > 0;
}

async function act(row: Row, page: Page): Promise<void> {
  const control = page.locator(selectorOf(row)).first();
  const { use } = row;
  switch (use.kind) {
    case 'click':
      return control.click();
    case 'press':
      await control.focus();
      return control.press(use.key);
    case 'fill':
      return control.fill(use.text);
    case 'choose':
      await control.selectOption(use.label);
  }
}

/** Waits until the page has drawn everything that it knows now: until the second frame from now on. */
const nextPicture = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(undefined)))),
  );

/** The texts and drawings in the elements of a selector. */
const look = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .evaluateAll(all =>
      all
        .map(each =>
          each instanceof HTMLCanvasElement
            ? each.toDataURL()
            : `${each.outerHTML} ${each instanceof HTMLInputElement || each instanceof HTMLSelectElement ? each.value : ''}`,
        )
        .join('\n'),
    );

/** Waits until a state of the page holds, looking at each of its pictures. */
async function untilHolds(page: Page, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 30_000;
  while (!(await holds())) {
    assert.ok(performance.now() < end, 'the effect is not seen');
    await nextPicture(page);
  }
}

/** The result of `look` once it is the same in two pictures, because the previous state may still be drawn. */
async function stillLook(page: Page, selector: string): Promise<string> {
  let last = await look(page, selector);
  await untilHolds(page, async () => {
    const previous = last;
    await nextPicture(page);
    last = await look(page, selector);
    return last === previous;
  });
  return last;
}

/** The state of the place before a control is used. */
interface Before {
  look: string;
  readonly deeds: number;
}

/** True if an effect is visible now. */
async function isSeen(effect: Effect, { page, deeds }: OpenAddress, before: Before): Promise<boolean> {
  switch (effect.kind) {
    case 'shows':
      return (await countIn(page, effect.selector)) > 0;
    case 'hides':
      return (await countIn(page, effect.selector)) === 0;
    case 'changes':
      return (await look(page, effect.selector)) !== before.look;
    case 'does':
      return deeds.slice(before.deeds).some(({ what }) => what === effect.what);
  }
}

/** True if a deed shows another page in the place of this one. */
const leavesPage = ({ what, details: [, , isBeside] }: Deed): boolean =>
  what === 'showUsage' || what === 'showExample' || (what === 'show' && isBeside === false);

/** Uses the first control of a row like a user, and fails unless its effect becomes visible. */
export async function useRow(row: Row, opened: OpenAddress, place: Place): Promise<void> {
  const what = `${place.name}: ${row.role} ${String(row.name)}`;
  const { effect } = row;
  const { page, deeds } = opened;
  const before: Before = { look: '', deeds: deeds.length };
  if (effect.kind === 'changes') {
    // Texts that the page has asked for may still arrive.
    await untilHolds(page, async () => {
      before.look = await stillLook(page, effect.selector);
      return !(await isSeen(effect, opened, before));
    });
    assert.notEqual(before.look, '', `${what}: there is no ${JSON.stringify(effect)}`);
  } else {
    assert.equal(
      await isSeen(effect, opened, before),
      false,
      `${what}: its effect is there before it is used`,
    );
  }
  try {
    const address = page.url();
    await act(row, page);
    await (effect.kind === 'does'
      ? opened.deed(effect.what, before.deeds)
      : untilHolds(page, () => isSeen(effect, opened, before)));
    if (place.stays !== true && deeds.slice(before.deeds).some(leavesPage)) {
      await page.waitForURL(url => url.href !== address);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    assert.fail(`${what}: ${message.split('\n').slice(0, 12).join('\n')}`);
  }
  if (row.escape) {
    await page.keyboard.press('Escape');
    await page.locator('dialog.quick, [role=menu]').waitFor({ state: 'detached' });
  }
  await settle(page, what);
}

/** Waits until nothing on the page is busy. */
export async function settle(page: Page, after: string): Promise<void> {
  const signs = page
    .locator('[aria-busy="true"], vscode-progress-ring, [role="progressbar"]')
    .filter({ visible: true });
  try {
    await untilHolds(page, async () => (await signs.count()) === 0);
  } catch {
    assert.fail(`${after}: still busy: ${(await signs.allInnerTexts()).join('; ')}`);
  }
}
