/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';
import { untilStill } from './still';

/** The user's actions step by step, with a text of the page that each step must change. */
interface Activity {
  readonly name: string;
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly step: (page: Page, number: number) => Promise<unknown>;
  readonly shown: (page: Page) => Promise<unknown>;
  /** The largest number of messages to the host for each step. */
  readonly most: 0 | 1 | 2;
}

const caption = (page: Page) => page.locator('.timeline__request').textContent();
const scale = (page: Page) => page.getByTestId('slot-layout').getAttribute('data-row-tokens');
const focusRequests = (page: Page) => page.getByRole('slider', { name: 'Request' }).focus();
const minimum = (page: Page) => page.getByRole('slider', { name: 'Minimum tokens' });
const showPrune = (page: Page) => page.getByRole('tab', { name: 'Prune' }).click();
const showBlock = async (page: Page): Promise<void> => {
  await page.getByTestId('slot-layout').focus();
  await page.keyboard.press('Home');
};

const activities: readonly Activity[] = [
  {
    name: 'scrubbing through the requests',
    prepare: focusRequests,
    step: page => page.keyboard.press('ArrowLeft'),
    shown: caption,
    most: 0,
  },
  {
    name: 'scrubbing with the rendered context open',
    prepare: async page => {
      await page.getByRole('tab', { name: 'Request' }).click();
      await focusRequests(page);
    },
    step: page => page.keyboard.press('ArrowLeft'),
    shown: caption,
    most: 1,
  },
  {
    // Longer work is requested when the slider rests, which it may do between two steps on a slow machine.
    name: 'moving a prune slider five times',
    prepare: async page => {
      await showPrune(page);
      await minimum(page).focus();
    },
    step: page =>
      minimum(page).evaluate(slider => {
        for (let move = 0; move < 5 && slider instanceof HTMLInputElement; move += 1) {
          slider.stepDown();
          slider.dispatchEvent(new Event('input', { bubbles: true }));
        }
      }),
    shown: page => minimum(page).inputValue(),
    // The replay, and the best moment.
    most: 2,
  },
  {
    name: 'changing the colour mode',
    prepare: page => page.getByRole('button', { name: /^Colour: / }).click(),
    step: (page, number) =>
      page.getByRole('radio', { name: ['Provenance', 'Role', 'Cache'][number] ?? '', exact: true }).check(),
    shown: page => page.locator('.legend').textContent(),
    most: 1,
  },
  {
    name: 'zooming',
    prepare: showBlock,
    step: page => page.keyboard.press('+'),
    shown: scale,
    most: 0,
  },
  {
    name: 'searching',
    prepare: page => page.keyboard.press('Control+f'),
    step: (page, number) => page.keyboard.press('parser'[number] ?? 'x'),
    shown: page => page.getByRole('textbox', { name: 'Find in texts and names' }).inputValue(),
    most: 1,
  },
];

describe('messages to the host', () => {
  for (const { name, prepare, step, shown, most } of activities) {
    it(`${name} costs ${['none', 'one small one a step', 'two small ones a step'][most]}`, async () => {
      const inspector = await openInspector();
      const { page } = inspector;
      await inspector.show(sampleSession());
      await showBlock(page);
      await prepare?.(page);
      await untilStill(page);
      // A step of the walkthrough is reported only once.
      const messages = async () =>
        (await inspector.sent()).filter(message => message.type !== 'act' || message.act.kind !== 'step');
      const before = (await messages()).length;
      const steps = 3;
      const seen = new Set<unknown>([await shown(page)]);
      for (let number = 0; number < steps; number += 1) {
        await step(page, number);
        await untilStill(page);
        seen.add(await shown(page));
      }
      assert.equal(seen.size, steps + 1, 'each step shows something else');
      const sent = (await messages()).slice(before);
      assert.ok(
        sent.length <= most * steps,
        `${sent.length} messages in ${steps} steps, at most ${most} a step (further questions wait for a button): ${JSON.stringify(sent)}`,
      );
      assert.ok(sent.every(message => JSON.stringify(message).length < 500));
      assert.deepEqual(inspector.errors, []);
      await inspector.close();
    });
  }
});
