/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type QuestionName, pageQuestions } from '../../src/protocol/questions';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';
import { untilStill } from './still';

/** The places where the page asks each question. A question without an entry does not compile. */
const places: Readonly<Record<QuestionName, (page: Page) => Promise<unknown>>> = {
  blockText: async page => {
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
  },
  wholeText: async page => {
    await page.getByTestId('slot-layout').press('End');
    await page.getByRole('button', { name: 'Copy text' }).click();
  },
  textDifference: async page => {
    // The request after the compaction.
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.press('Home');
    for (let request = 1; request < 23; request += 1) {
      await slider.press('ArrowRight');
    }
    await page.keyboard.press('c');
  },
  blockImage: async page => {
    await page.getByRole('radio', { name: 'Table' }).check();
    const byKind = page.getByRole('button', { name: 'Kind', exact: true });
    await byKind.click();
    await byKind.click();
    await page.getByRole('row').filter({ hasText: 'image 1280' }).click();
  },
  find: async page => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zone');
  },
  findInBlock: async page => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zone');
    await page.keyboard.press('Enter');
  },
  rendered: page => page.getByRole('tab', { name: 'Request' }).click(),
  stability: page => page.getByRole('tab', { name: 'Cache' }).click(),
  cacheReport: page => page.getByRole('tab', { name: 'Cache' }).click(),
  // Asked as soon as a session is shown.
  insights: () => Promise.resolve(),
  sensitiveItems: page => page.getByRole('button', { name: /^Session details/ }).click(),
  sight: async page => {
    await page.getByRole('tab', { name: 'Waste' }).click();
    await page.getByText('Edits and what the agent saw').click();
  },
  waste: page => page.getByRole('tab', { name: 'Waste' }).click(),
  wasteText: async page => {
    await page.getByRole('tab', { name: 'Waste' }).click();
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  },
  pruneReplay: page => page.getByRole('tab', { name: 'Prune' }).click(),
  bestMoment: page => page.getByRole('tab', { name: 'Prune' }).click(),
  bestOptions: async page => {
    await page.getByRole('tab', { name: 'Prune' }).click();
    await page.getByRole('button', { name: 'Best settings' }).click();
  },
  askOffer: page => page.getByRole('tab', { name: 'Model' }).click(),
};

describe('answers that fail', () => {
  for (const [name, show] of Object.entries(places)) {
    it(`are shown with a way to ask again, as those of an unknown form: ${name}`, async () => {
      let asked = 0;
      let isInvalid = false;
      const inspector = await openInspector({
        height: 1600,
        answers: {
          [name]: () => {
            asked += 1;
            if (isInvalid) {
              return 'nothing like it';
            }
            throw new Error(`no answer to ${name}`);
          },
        },
      });
      const { page } = inspector;
      await inspector.show(sampleSession());
      await show(page);
      const failure = page.getByText(`no answer to ${name}`);
      await failure.waitFor();
      // The page may have asked more than once while hits arrived.
      const before = asked;
      const again = page.getByRole('button', { name: 'Try again' });
      await again.click();
      while (asked === before) {
        await untilStill(page);
      }
      await failure.waitFor();
      isInvalid = true;
      await again.click();
      await page.getByText('The answer is invalid').waitFor();
      await again.waitFor();
      assert.deepEqual(inspector.errors, []);
      await inspector.close();
    });
  }

  it('have a place in the page for every question', () => {
    assert.deepEqual(Object.keys(places).sort(), Object.keys(pageQuestions).sort());
  });
});

describe('messages that the host refuses', () => {
  it('are told in the page until the user closes the notice', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await page.evaluate(() => window.fakeHost.receive({ type: 'act', act: { kind: 'launch' } }));
    const notice = page.getByRole('alert');
    await notice.getByText('Refused "act" "launch"').waitFor();
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'detached' });
    await assert.rejects(inspector.close(), /would refuse/);
  });
});
