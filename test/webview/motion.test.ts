/// <reference types="node" />
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describe, it } from 'node:test';
import { exampleFile, type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

const openExample = (): Promise<OpenDoor> => openThroughDoor({ file: exampleFile });

/**
 * Presses a key of the page and takes the drawing in each frame until long after any transition. Each frame is 16 ms
 * after the one before, however long the machine takes for it. Returns how many pictures differ from the last one.
 */
function framesAfter(
  page: Page,
  keys: readonly string[],
): Promise<{ frames: number; other: number; last: string }> {
  return page.evaluate(async pressed => {
    const canvas = document.querySelector<HTMLCanvasElement>('.slot-layout__canvas');
    const pictures: string[] = [];
    const realNow = performance.now.bind(performance);
    let now = realNow();
    performance.now = () => now;
    for (const key of pressed) {
      document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    }
    await new Promise<void>(resolve => {
      const take = (): void => {
        // The page draws in its own frames, which it has requested before.
        requestAnimationFrame(() => {
          pictures.push(canvas?.toDataURL() ?? '');
          now += 16;
          if (pictures.length < 60) {
            take();
          } else {
            resolve();
          }
        });
      };
      requestAnimationFrame(take);
    });
    performance.now = realNow;
    const last = pictures.at(-1) ?? '';
    return { frames: pictures.length, other: pictures.filter(picture => picture !== last).length, last };
  }, keys);
}

describe('motion of the drawing', () => {
  it('brings in another request, and ends with the picture that reduced motion shows at once', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    await untilStill(page);
    const moved = await framesAfter(page, ['[']);
    assert.ok(moved.other >= 2, `${moved.other} of ${moved.frames} frames differ from the last`);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const back = await framesAfter(page, [']']);
    const again = await framesAfter(page, ['[']);
    assert.ok(back.other <= 1 && again.other <= 1, `${back.other} and ${again.other} frames`);
    assert.equal(again.last, moved.last);
    // VS Code has a setting of its own.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    const set = await framesAfter(page, ['[']);
    assert.ok(set.other <= 1, `${set.other} frames`);
    await inspector.close();
  });

  it('lets a press land where the block will be', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    await untilStill(page);
    const layout = page.getByTestId('slot-layout');
    await layout.focus();
    // In the same turn as the selection of another request.
    await page.evaluate(() => {
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }));
    });
    await layout.press('End');
    await page.getByTestId('block-details').waitFor();
    const option = page.locator('#slot-layout-active');
    assert.equal(await option.getAttribute('aria-posinset'), await option.getAttribute('aria-setsize'));
    assert.equal(await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow'), '58');
    await inspector.close();
  });
});
