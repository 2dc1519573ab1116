/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { DoorCommand } from '../../src/protocol/door';
import { sessionAddress } from '../../src/protocol/doorAddresses';
import type {} from '../../webview/door/doorApi';
import { until } from '../fixtures/until';
import { expectNoViolations } from './axe';
import {
  doorOf,
  exampleFile,
  isFinal,
  openAddress,
  type OpenDoor,
  openThroughDoor,
  openTranscript,
  release,
} from './door';

const openExample = (): Promise<OpenDoor> => openThroughDoor({ file: exampleFile });
/** Gives a command, as the menus of the frame around the page do. */
const run = (page: Page, command: DoorCommand): Promise<void> =>
  page.evaluate(given => window.door?.run(given), command);
const requestOf = (page: Page): Promise<string | null> =>
  page.getByRole('slider', { name: 'Request', includeHidden: true }).getAttribute('aria-valuenow');

describe('keys of the page', () => {
  it('go from request to request wherever the focus is, but not from a field', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await requestOf(page), '57');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press(']');
    assert.equal(await requestOf(page), '58');
    await page.keyboard.press('/');
    const field = page.locator('#find input');
    await page.locator('#find input:focus').waitFor();
    await page.keyboard.type('a[b?l');
    assert.equal(await requestOf(page), '58');
    assert.equal(await field.inputValue(), 'a[b?l');
    assert.equal(await page.getByTestId('keys').isVisible(), false);
    // Keys of VS Code are not handled.
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Control+[');
    assert.equal(await requestOf(page), '58');
    await inspector.close();
  });

  it('colour by sensitivity and back', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const { home } = await doorOf();
    const memory = join(dirname(home.settings), 'memory.json');
    await page.getByTestId('slot-layout').focus();
    // The keys choose like the menu: also for files that are opened later.
    for (const [key, name] of [
      ['s', 'Sensitivity'],
      ['S', 'Source'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('button', { name: `Colour: ${name}` }).waitFor();
      const kept = `"colours": "${name.toLowerCase()}"`;
      await until(`${name} is remembered`, () => readFileSync(memory, 'utf8').includes(kept));
    }
    await inspector.close();
  });

  it('are shown by ?, in a dialog that holds the focus and gives it back', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const layout = page.getByTestId('slot-layout');
    await layout.focus();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await expectNoViolations(page, 'keys');
    for (const text of ['Previous request', 'Zoom out', 'Page Up', 'F6']) {
      assert.ok(await dialog.getByText(text, { exact: true }).first().isVisible(), text);
    }
    // Covered elements cannot be reached, and keys do nothing there.
    for (let press = 0; press < 4; press += 1) {
      await page.keyboard.press('Tab');
      const inside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      );
      assert.ok(inside);
    }
    await page.keyboard.press('[');
    assert.equal(await requestOf(page), '59');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await layout.evaluate(element => element === document.activeElement));
    await page.keyboard.press('?');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await layout.evaluate(element => element === document.activeElement));
    await run(page, { kind: 'task', task: 'showKeys' });
    await dialog.waitFor();
    await inspector.close();
  });
});

describe('places', () => {
  it('are copied as they are counted by links: from 0, in the conversation and the request', async () => {
    const inspector = await openExample();
    const { page, file } = inspector;
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('[');
    await page.keyboard.press('l');
    assert.deepEqual((await inspector.deed('copyLink')).details, [file, { request: 57 }]);
    // The newest request has 199 blocks, of which the last two came after this one.
    const last = [file, { request: 57, block: 196 }];
    await page.keyboard.press('End');
    const { length: before } = inspector.deeds;
    await page.getByRole('button', { name: 'Copy link' }).click();
    assert.deepEqual((await inspector.deed('copyLink', before)).details, last);
    const { length: then } = inspector.deeds;
    await run(page, { kind: 'task', task: 'copyLink' });
    assert.deepEqual((await inspector.deed('copyLink', then)).details, last);
    await inspector.close();
  });

  it('wait for the session, and say so; an export waits without a word', async () => {
    const inspector = await openTranscript({ file: exampleFile, isHeld: true });
    const { page } = inspector;
    const alert = page.getByRole('alert');
    for (const task of ['copyLink', 'find'] as const) {
      await run(page, { kind: 'task', task });
      const notice = alert.filter({ hasText: 'The transcript is still being read.' });
      await notice.getByRole('button', { name: 'Close' }).click();
    }
    await run(page, { kind: 'export', form: 'html' });
    await release(page);
    await page.getByRole('dialog').getByRole('option', { name: 'Figures only' }).first().click();
    assert.match(String((await inspector.deed('target')).details[0]), /\.html$/);
    assert.equal(await alert.count(), 0);
    await run(page, { kind: 'task', task: 'find' });
    await page.locator('#find input:focus').waitFor();
    await inspector.close();
  });

  it('are shown when a link leads there, also before there is a session', async () => {
    const inspector = await openAddress(sessionAddress(exampleFile, { request: 11, block: 0 }));
    const { page } = inspector;
    await isFinal(page);
    assert.equal(await requestOf(page), '12');
    assert.match((await page.getByTestId('block-details').textContent()) ?? '', /Block 1/);
    await run(page, { kind: 'show', place: { request: 3, panel: 'prune' } });
    await page.getByRole('tab', { name: 'Prune', selected: true }).waitFor();
    assert.equal(await requestOf(page), '4');
    await inspector.close();
  });

  it('that are not there change nothing and are said in a sentence', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const alert = page.getByRole('alert');
    for (const [place, sentence] of [
      [{ request: 59 }, 'The link leads to request 60, but this conversation has 59 requests.'],
      [{ conversation: 77 }, 'The link leads to conversation 78, which is not in this transcript.'],
      [{ request: 0, block: 9999 }, /^The link leads to block 10,000, but this request has [\d,]+ blocks?\./],
    ] as const) {
      await run(page, { kind: 'show', place });
      await alert.getByText(sentence).waitFor();
      assert.equal(await requestOf(page), '59');
      await alert.getByRole('button').click();
    }
    await inspector.close();
  });
});

describe('steps of the walkthrough', () => {
  it('are reported once each, when they are taken', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Prune' }).click();
    const newest = page.getByRole('slider', { name: /newest/i }).first();
    await newest.press('ArrowRight');
    await newest.press('ArrowRight');
    // The app carries out one act after the other, so the link comes last.
    await page.keyboard.press('l');
    await inspector.deed('copyLink');
    const steps = inspector.deeds.flatMap(({ what, details }) => (what === 'noteStep' ? details : []));
    assert.deepEqual(steps, ['blockSelected', 'sliderMoved']);
    await inspector.close();
  });
});
