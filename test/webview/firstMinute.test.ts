/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FromInspector, InspectorAct } from '../../src/protocol/inspectorPage';
import { expectNoViolations } from './axe';
import { chooseColours, openInspector } from './harness';
import { sampleSession } from './sampleSession';

const actsIn = (sent: readonly FromInspector[]): readonly InspectorAct[] =>
  sent.flatMap(message => (message.type === 'act' ? [message.act] : []));

describe('keys of the page', () => {
  it('go from request to request wherever the focus is, but not from a field', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const value = () => page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    assert.equal(await value(), '58');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press(']');
    assert.equal(await value(), '59');
    await page.keyboard.press('/');
    const field = page.locator('#find input');
    await page.locator('#find input:focus').waitFor();
    await page.keyboard.type('a[b?l');
    assert.equal(await value(), '59');
    assert.equal(await field.inputValue(), 'a[b?l');
    assert.equal(await page.getByTestId('keys').isVisible(), false);
    // Keys of VS Code are not handled.
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Control+[');
    assert.equal(await value(), '59');
    await inspector.close();
  });

  it('colour by sensitivity and back', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await chooseColours(page, 'Role');
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('s');
    await page.getByRole('button', { name: 'Colour: Sensitivity' }).waitFor();
    await page.keyboard.press('S');
    await page.getByRole('button', { name: 'Colour: Role' }).waitFor();
    // The keys choose like the menu: also for files that are opened later.
    const modes = actsIn(await inspector.sent()).flatMap(act =>
      act.kind === 'chooseColours' ? [act.mode] : [],
    );
    assert.deepEqual(modes, ['role', 'sensitivity', 'role']);
    await inspector.close();
  });

  it('are shown by ?, in a dialog that holds the focus and gives it back', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
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
    const slider = page.getByRole('slider', { name: 'Request', includeHidden: true });
    assert.equal(await slider.getAttribute('aria-valuenow'), '60');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await layout.evaluate(element => element === document.activeElement));
    await page.keyboard.press('?');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(await layout.evaluate(element => element === document.activeElement));
    await inspector.send({ type: 'task', task: 'showKeys' });
    await dialog.waitFor();
    await inspector.close();
  });
});

describe('places', () => {
  it('are copied as they are counted by links: from 0, in the conversation and the request', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('[');
    await page.keyboard.press('l');
    await page.keyboard.press('End');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await inspector.send({ type: 'task', task: 'copyLink' });
    await page.waitForFunction(() => window.fakeHost.sent.filter(({ type }) => type === 'act').length >= 4);
    const copied = actsIn(await inspector.sent()).filter(({ kind }) => kind === 'copyLink');
    const [first, second, third] = copied;
    assert.deepEqual(first, { kind: 'copyLink', conversation: 0, request: 58 });
    assert.ok(second?.kind === 'copyLink' && second.block !== undefined && second.block > 0);
    assert.deepEqual(third, second);
    await inspector.close();
  });

  it('wait for the session, and say so', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    for (const task of ['copyLink', 'find'] as const) {
      await inspector.send({ type: 'task', task });
      const notice = page.getByRole('alert').filter({ hasText: 'The transcript is still being read.' });
      await notice.getByRole('button', { name: 'Close' }).click();
    }
    await inspector.show(sampleSession());
    await inspector.send({ type: 'task', task: 'find' });
    await page.locator('#find input:focus').waitFor();
    await inspector.close();
  });

  it('are shown when a link leads there, also before there is a session', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.send({ type: 'show', place: { request: 11, block: 0 } });
    await inspector.show(sampleSession());
    const value = () => page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow');
    assert.equal(await value(), '12');
    assert.match((await page.getByTestId('block-details').textContent()) ?? '', /Block 1/);
    await inspector.send({ type: 'show', place: { request: 3, panel: 'prune' } });
    await page.getByRole('tab', { name: 'Prune', selected: true }).waitFor();
    assert.equal(await value(), '4');
    await inspector.close();
  });

  it('are exported once there is a session, by a command that comes before it', async () => {
    const inspector = await openInspector();
    await inspector.send({ type: 'exportWanted', form: 'html', ask: 1 });
    await inspector.send({ type: 'exportWanted', form: 'prunedCopy', ask: 2 });
    await inspector.show(sampleSession());
    const asked = actsIn(await inspector.sent()).flatMap(act =>
      act.kind === 'export' ? [[act.form, act.ask]] : [],
    );
    assert.deepEqual(asked, [
      ['html', 1],
      ['prunedCopy', 2],
    ]);
    assert.equal(await inspector.page.getByRole('alert').count(), 0);
    await inspector.close();
  });

  it('that are not there change nothing and are said in a sentence', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const alert = page.getByRole('alert');
    for (const [place, sentence] of [
      [{ request: 60 }, 'The link leads to request 61, but this conversation has 60 requests.'],
      [{ conversation: 77 }, 'The link leads to conversation 78, which is not in this transcript.'],
      [{ request: 0, block: 9999 }, /^The link leads to block 10,000, but this request has [\d,]+ blocks?\./],
    ] as const) {
      await inspector.send({ type: 'show', place });
      await alert.getByText(sentence).waitFor();
      assert.equal(await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow'), '60');
      await alert.getByRole('button').click();
    }
    await inspector.close();
  });
});

describe('steps of the walkthrough', () => {
  it('are reported once each, when they are taken', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const steps = async () =>
      actsIn(await inspector.sent()).flatMap(act => (act.kind === 'step' ? [act.step] : []));
    assert.deepEqual(await steps(), []);
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await steps(), ['blockSelected']);
    await page.getByRole('tab', { name: 'Prune' }).click();
    assert.deepEqual(await steps(), ['blockSelected']);
    await page
      .getByRole('slider', { name: /newest/i })
      .first()
      .focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await steps(), ['blockSelected', 'sliderMoved']);
    await inspector.close();
  });
});

describe('pages without a session', () => {
  it('offer the example', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.send({ type: 'failed', sentence: 'This is not a transcript.', canOpenAsText: true });
    await page.getByRole('button', { name: 'Open example session' }).click();
    assert.deepEqual(actsIn(await inspector.sent()), [{ kind: 'openExample' }]);
    await inspector.close();
  });
});
