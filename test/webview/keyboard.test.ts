/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { exampleFile, openThroughDoor, writeTranscript } from './door';

const openExample = () => openThroughDoor({ file: exampleFile });
/** The texts, calls, results and injected texts of the example from its compaction on, lines 143 to 349. */
const blocks = 199;

describe('keyboard', () => {
  it('scrubs through the requests, like the mouse', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request' });
    const value = () => slider.getAttribute('aria-valuenow');
    assert.equal(await value(), '59');
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await value(), '58');
    // Its usage: 6 + 128,275 from the cache + 364.
    assert.match(
      (await slider.getAttribute('aria-valuetext')) ?? '',
      /^Request 58 of 59, 128,645 tokens, exact, 128,275 from the cache/u,
    );
    await page.keyboard.press('Home');
    assert.equal(await value(), '1');
    await page.keyboard.press('PageUp');
    assert.equal(await value(), '7');
    await page.keyboard.press('End');
    assert.equal(await value(), '59');
    await page.keyboard.press('ArrowRight');
    assert.equal(await value(), '59');
    const frame = await slider.boundingBox();
    assert.ok(frame);
    // The chart is inset by 16 on both sides; the middle of request 1 is half a column further.
    const column = (frame.width - 32) / 59;
    await page.mouse.move(frame.x + 16 + column / 2, frame.y + 50);
    await page.mouse.down();
    assert.equal(await value(), '1');
    await page.mouse.move(frame.x + 16 + column * 20.5, frame.y + 50, { steps: 5 });
    await page.mouse.up();
    assert.equal(await value(), '21');
    await inspector.close();
  });

  it('walks through the drawing, opens details and lets go', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Prune' }).click();
    const layout = page.getByTestId('slot-layout');
    const active = () => layout.getByRole('option').textContent();
    await layout.focus();
    await page.keyboard.press('ArrowRight');
    assert.match((await active()) ?? '', /^Not recorded, [\d,]+ tokens/u);
    await page.keyboard.press('ArrowRight');
    assert.match(
      (await active()) ?? '',
      /^Block 1: Context for the requests .*, injected text, Knowledge, [\d,]+ tokens, public, cached/u,
    );
    await page.keyboard.press('End');
    assert.ok((await active())?.startsWith(`Block ${blocks}: Edit CHANGELOG.md`));
    await page.keyboard.press('ArrowUp');
    const above = await active();
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await active(), above);
    // The part that is not recorded has two rows of 10,000 tokens.
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
    const inspector = await openExample();
    const { page } = inspector;
    await page.getByRole('radio', { name: 'Table' }).check();
    const grid = page.getByRole('grid', { name: 'Blocks in the request' });
    // The blocks, the row of content that is not recorded, and the header.
    const rows = String(blocks + 2);
    assert.equal(await grid.getAttribute('aria-rowcount'), rows);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const selected = page.locator('[role=row][aria-selected=true]');
    await selected.getByText(/^Context for the requests/).waitFor();
    await page.keyboard.press('End');
    await selected.getByText('Edit CHANGELOG.md').waitFor();
    assert.equal(await selected.getAttribute('aria-rowindex'), rows);
    assert.equal(await grid.getAttribute('aria-activedescendant'), await selected.getAttribute('id'));
    await page.keyboard.press('F6');
    await page.locator('[role=tabpanel]:focus').waitFor();
    await page.keyboard.press('F6');
    assert.equal(await grid.evaluate(element => element === document.activeElement), true);

    const tokens = page.getByRole('columnheader', { name: 'Tokens' });
    await tokens.getByRole('button').press('Enter');
    assert.equal(await tokens.getAttribute('aria-sort'), 'descending');
    await grid.press('Home');
    await selected.getByRole('gridcell', { name: 'Not recorded', exact: true }).first().waitFor();
    assert.equal(await selected.getAttribute('aria-rowindex'), '2');
    await tokens.getByRole('button').press('Enter');
    assert.equal(await tokens.getAttribute('aria-sort'), 'ascending');

    // Only the environment file has secrets.
    const sensitivity = page.getByRole('combobox', { name: 'Sensitivity' });
    await sensitivity.focus();
    await page.keyboard.press('End');
    await page.getByText(`1 of ${blocks} blocks`).waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();

    // The order stays at a request that the timeline is moved to.
    await tokens.getByRole('button').press('Enter');
    assert.equal(await tokens.getAttribute('aria-sort'), 'descending');
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    await page.getByText('Request 1 of 59').waitFor();
    await page.locator('.block-table__area[aria-busy=false]').waitFor();
    // The system prompt and the tools; then texts of 963, 373, 249 and 195 characters.
    const labels = await page.locator('.block-table__row--body [role=gridcell]:nth-child(2)').allInnerTexts();
    assert.deepEqual(
      labels.map(label => label.slice(0, 12)),
      ['Not recorded', 'Context for ', 'These skills', 'CI is red ab', '# Environmen'],
    );
    await inspector.close();
  });

  it('goes from a result to its call, its line and its file', async () => {
    const env = await writeTranscript('local.env', 'PORT=8080\n');
    const session = new ClaudeCodeSession()
      .prompt('Which port?')
      .reply({ tool: 'Read', id: 'toolu_1', input: { file_path: env } })
      .result('toolu_1', '     1→PORT=8080')
      .reply({ text: '8080.' });
    const inspector = await openThroughDoor({ text: session.toString() });
    const { page } = inspector;
    const layout = page.getByTestId('slot-layout');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('row').filter({ hasText: 'Read local.env' }).last().click();
    const details = page.getByTestId('block-details');
    await details.getByRole('button', { name: 'Open file' }).press('Enter');
    assert.equal((await inspector.deed('open')).details[0], env);
    // Prompt, call and result have a line each.
    await details.getByRole('button', { name: 'Go to line 3' }).press('Enter');
    assert.deepEqual((await inspector.deed('openSource')).details, [inspector.file, 3]);
    await details.getByRole('button', { name: 'Go to call' }).press('Enter');
    await details.getByText('→ Read local.env').waitFor();
    await page.getByRole('radio', { name: 'Lanes' }).check();
    assert.match((await layout.getByRole('option').textContent()) ?? '', /→ Read local\.env, tool call/u);
    await inspector.close();
  });
});
