/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openInspector } from './harness';
import { sampleSession } from './sampleSession';

describe('keyboard', () => {
  it('scrubs through the requests', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const slider = page.getByRole('slider', { name: 'Request' });
    const value = () => slider.getAttribute('aria-valuenow');
    assert.equal(await value(), '60');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await value(), '59');
    assert.match(
      (await slider.getAttribute('aria-valuetext')) ?? '',
      /^Request 59 of 60, [\d,]+ tokens, exact, [\d,]+ from the cache/u,
    );
    await page.keyboard.press('Home');
    assert.equal(await value(), '1');
    await page.keyboard.press('PageUp');
    assert.equal(await value(), '7');
    await page.keyboard.press('End');
    assert.equal(await value(), '60');
    await page.keyboard.press('ArrowRight');
    assert.equal(await value(), '60');
    await inspector.close();
  });

  it('scrubs with the mouse', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const slider = page.getByRole('slider', { name: 'Request' });
    const frame = await slider.boundingBox();
    assert.ok(frame);
    // The chart is inset by 16 on both sides; the middle of request 1 is half a column further.
    const column = (frame.width - 32) / 60;
    await page.mouse.move(frame.x + 16 + column / 2, frame.y + 50);
    await page.mouse.down();
    assert.equal(await slider.getAttribute('aria-valuenow'), '1');
    await page.mouse.move(frame.x + 16 + column * 20.5, frame.y + 50, { steps: 5 });
    await page.mouse.up();
    assert.equal(await slider.getAttribute('aria-valuenow'), '21');
    await inspector.close();
  });

  it('walks through the drawing, opens details and lets go', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await page.getByRole('tab', { name: 'Prune' }).click();
    const layout = page.getByTestId('slot-layout');
    const active = () => layout.getByRole('option').textContent();
    await layout.focus();
    await page.keyboard.press('ArrowRight');
    assert.match((await active()) ?? '', /^Not recorded, 15,/u);
    await page.keyboard.press('ArrowRight');
    assert.match(
      (await active()) ?? '',
      /^Block 1: CLAUDE\.md, injected text, Knowledge, [\d,]+ tokens, public, cached/u,
    );
    await page.keyboard.press('End');
    assert.match((await active()) ?? '', /^Block 136: /u);
    await page.keyboard.press('ArrowUp');
    const above = await active();
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await active(), above);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.match((await active()) ?? '', /, Knowledge, /u);
    await page.keyboard.press('Enter');
    await page.getByTestId('block-details').waitFor();
    assert.equal(await layout.evaluate(element => element === document.activeElement), true);
    await page.keyboard.press('Escape');
    await page.getByTestId('block-details').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open details' }).click();
    await page.getByText('No block selected').waitFor();
    await inspector.close();
  });

  it('walks through the table, sorts it and filters it', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await page.getByRole('radio', { name: 'Table' }).check();
    const grid = page.getByRole('grid', { name: 'Blocks in the request' });
    // 136 blocks, the row of content that is not recorded, and the header.
    assert.equal(await grid.getAttribute('aria-rowcount'), '138');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=row][aria-selected=true]').getByText('CLAUDE.md').waitFor();
    await page.keyboard.press('End');
    const last = page.locator('[role=row][aria-selected=true]');
    await last.waitFor();
    assert.equal(await last.getAttribute('aria-rowindex'), '138');
    assert.equal(await grid.getAttribute('aria-activedescendant'), await last.getAttribute('id'));
    await page.keyboard.press('F6');
    await page.locator('[role=tabpanel]:focus').waitFor();
    await page.keyboard.press('F6');
    assert.equal(await grid.evaluate(element => element === document.activeElement), true);

    const tokens = page.getByRole('columnheader', { name: 'Tokens' });
    await tokens.getByRole('button').press('Enter');
    assert.equal(await tokens.getAttribute('aria-sort'), 'descending');
    await page
      .locator('[role=row][aria-rowindex="2"]')
      .getByRole('gridcell', { name: 'Not recorded', exact: true })
      .first()
      .waitFor({ state: 'attached' });
    await tokens.getByRole('button').press('Enter');
    assert.equal(await tokens.getAttribute('aria-sort'), 'ascending');

    const sensitivity = page.getByRole('combobox', { name: 'Sensitivity' });
    await sensitivity.focus();
    await page.keyboard.press('End');
    await page.getByText('1 of 136 blocks').waitFor();
    await inspector.close();
  });

  it('sorts the table of the request that the timeline is moved to', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('columnheader', { name: 'Tokens' }).getByRole('button').click();
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    await page.getByText('Request 1 of 60').waitFor();
    await page.locator('.block-table__area[aria-busy=false]').waitFor();
    // Content that is not recorded, three memory blocks of 2,140, 1,180 and 1,630 tokens, a file of 2,960 and a prompt
    // of 190.
    const labels = await page.locator('.block-table__row--body [role=gridcell]:nth-child(2)').allInnerTexts();
    assert.deepEqual(
      labels.map(label => label.slice(0, 12)),
      ['Not recorded', '@orders.csv', 'CLAUDE.md', 'MCP instruct', 'skills', 'The date par'],
    );
    await inspector.close();
  });

  it('goes from a result to its call and asks the host for the line and the file', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(sampleSession());
    const layout = page.getByTestId('slot-layout');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('row').filter({ hasText: 'Read local.env' }).last().click();
    const details = page.getByTestId('block-details');
    await details.getByRole('button', { name: 'Open file' }).press('Enter');
    await details.getByRole('button', { name: /^Go to line/u }).press('Enter');
    await details.getByRole('button', { name: 'Go to call' }).press('Enter');
    await details.getByText('→ Read local.env').waitFor();
    const acts = (await inspector.sent()).flatMap(message =>
      message.type === 'act' && message.act.kind !== 'step' ? [message.act.kind] : [],
    );
    assert.deepEqual(acts, ['openPath', 'revealSource']);
    await page.getByRole('radio', { name: 'Lanes' }).check();
    assert.match((await layout.getByRole('option').textContent()) ?? '', /→ Read local\.env, tool call/u);
    await inspector.close();
  });
});
