/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { Session } from '../../src/core/model/columns';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { type OpenDoor, openThroughDoor } from './door';
import { openInspector, type OpenInspector, plainText } from './harness';
import { makeColumns, makeSummary, type MadeBlock } from './sessionBuilder';
import { untilStill } from './still';

/** A call of a program with its result, and another call. */
async function openResult(result: string): Promise<OpenDoor & { readonly text: Locator }> {
  const session = new ClaudeCodeSession()
    .prompt('Look at it.')
    .reply({ tool: 'Bash', id: 'toolu_1', input: { command: 'cat one' } })
    .result('toolu_1', result)
    .reply({ tool: 'Bash', id: 'toolu_2', input: { command: 'cat two' } })
    .result('toolu_2', 'harmless')
    .reply({ text: 'Done.' });
  const inspector = await openThroughDoor({ text: session.toString() });
  await inspector.page.getByRole('radio', { name: 'Table' }).check();
  await select(inspector, 'cat one');
  return { ...inspector, text: inspector.page.getByTestId('block-text') };
}

/** Selects the last row with these words: the result of a call, not the call. */
const select = ({ page }: OpenDoor, words: string): Promise<void> =>
  page.getByTestId('block-table').getByRole('row').filter({ hasText: words }).last().click();

/** A session that no worker makes: with names of any length, and texts that cannot be read. */
function sessionOf(blocks: readonly MadeBlock[], title = 'A hand-made session'): Session {
  return {
    summary: makeSummary({ title }),
    columns: makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      [{ length: blocks.length, usage: { input: 1000, cacheRead: 0, cacheWrite: 0 } }],
    ),
  };
}

async function selectRow({ page }: OpenInspector, row: number): Promise<void> {
  await page.getByRole('radio', { name: 'Table' }).check();
  await page.locator(`[role=row][aria-rowindex="${row}"]`).click();
}

const secret = 'vK7mQ2xT9wLp4z';

describe('block text', () => {
  it('stands clear of the button that copies it', async () => {
    const inspector = await openResult('word '.repeat(400));
    const button = await inspector.page.getByRole('button', { name: 'Copy text' }).boundingBox();
    const text = await inspector.text.locator('.text-row__text').first().boundingBox();
    assert.ok(button !== null && text !== null);
    assert.ok(text.x + text.width <= button.x, `${text.x + text.width} is beyond ${button.x}`);
    await inspector.close();
  });

  it('is masked until it is revealed, for that block alone', async () => {
    const inspector = await openResult(`password = ${secret}`);
    const { page, text } = inspector;
    await text.getByText('Password or key in an assignment, 14 masked characters').waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await page.getByRole('button', { name: 'Password or key in an assignment, 1 finding' }).waitFor();
    await page.getByRole('button', { name: 'Reveal' }).click();
    await text.getByText(secret).waitFor();
    assert.equal(await text.locator('.masked').count(), 0);
    // It disappears at once, without waiting for an answer.
    const hidden = await page.getByRole('button', { name: 'Mask again' }).evaluate(async button => {
      button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      await Promise.resolve();
      return document.querySelector('[data-testid="block-text"]')?.textContent;
    });
    assert.equal(hidden?.includes(secret), false);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await text.getByText(secret).waitFor();
    await select(inspector, 'cat two');
    await text.getByText('harmless').waitFor();
    await select(inspector, 'cat one');
    await text.getByText('14 masked characters').waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await inspector.close();
  });

  it('comes in pages, and goes to the page of a place in the map', async () => {
    const inspector = await openResult(
      Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join('\n'),
    );
    const { page, text } = inspector;
    await text.getByText('line 400', { exact: true }).waitFor();
    assert.equal(await text.getByText('line 401', { exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Next page' }).click();
    await text.getByText('line 401', { exact: true }).waitFor();
    // The rows go on with the numbers of the text.
    assert.equal(await text.locator('.text-row').first().getAttribute('data-number'), '401');
    const map = page.getByTestId('text-map');
    const frame = await map.boundingBox();
    assert.ok(frame);
    await map.click({ position: { x: 4, y: frame.height - 2 } });
    await text.getByText('line 1000', { exact: true }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Next page' }).isDisabled());
    await inspector.close();
  });

  it('of 615 findings is in view at once; they are counted by rule and stepped through by keyboard', async () => {
    const lines = Array.from({ length: 615 }, (_, index) =>
      index === 300 ? `password = ${secret}` : `mail ${index} to ada${index}@bookshop-mail.io`,
    );
    const inspector = await openResult(lines.join('\n'));
    const { page, text } = inspector;
    await text.getByText('mail 0 to').waitFor();
    const frame = await text.boundingBox();
    assert.ok(frame !== null && frame.y + 60 < 900, 'the text begins in the window');
    const findings = page.getByTestId('findings');
    await findings.getByText('614').waitFor();
    assert.deepEqual(
      await findings
        .getByRole('button', { name: /finding/ })
        .evaluateAll(buttons => buttons.slice(0, 2).map(button => button.textContent)),
      ['Password or key in an assignment 1', 'Email address 614'],
    );
    const place = findings.getByRole('status');
    await text.focus();
    await page.keyboard.press('F8');
    await place.getByText('1 of 615').waitFor();
    await page.keyboard.press('Shift+F8');
    await place.getByText('615 of 615').waitFor();
    await text.getByText('mail 614 to').waitFor();
    await page.getByRole('button', { name: 'Password or key in an assignment, 1 finding' }).click();
    await place.getByText('301 of 615').waitFor();
    const chip = text.locator('.masked--restricted');
    await chip.waitFor();
    const [shown, box] = [await chip.boundingBox(), await text.boundingBox()];
    assert.ok(shown && box && shown.y >= box.y && shown.y < box.y + box.height, 'the finding is scrolled to');
    assert.equal((await page.content()).includes('@bookshop'), false);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await text.locator('mark.revealed--restricted', { hasText: secret }).waitFor();
    assert.equal(await text.locator('.masked').count(), 0);
    await inspector.close();
  });

  it('of JSON is folded, and copied as it is', async () => {
    const whole = JSON.stringify({
      command: `first ${'x'.repeat(90)}\nsecond`,
      list: { deep: 'y'.repeat(60) },
      last: 1,
    });
    const inspector = await openResult(whole);
    const { text } = inspector;
    await text.getByText('"last":1').waitFor();
    assert.equal(await text.textContent(), whole);
    await text.getByText('second"', { exact: false }).waitFor();
    const rows = await text.locator('.text-row').count();
    await text.getByRole('button', { name: 'Fold row 4' }).press('Enter');
    assert.equal(await text.getByText('deep').count(), 0);
    assert.ok((await text.locator('.text-row').count()) < rows);
    await text.getByRole('button', { name: 'Unfold row 4' }).press('Enter');
    await text.getByText('deep').waitFor();
    const copied = await text.evaluate(box => {
      document.getSelection()?.selectAllChildren(box);
      const data = new DataTransfer();
      box.firstElementChild?.dispatchEvent(
        new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }),
      );
      return data.getData('text/plain');
    });
    assert.equal(copied, whole);
    await inspector.close();
  });

  it('says why it cannot be shown, and can be asked for again', async () => {
    let isGone = true;
    const inspector = await openInspector({
      answers: {
        blockText: () => {
          if (isGone) {
            throw new Error('the file has changed');
          }
          return plainText('it is back');
        },
      },
    });
    await inspector.show(sessionOf([{ kind: 'prompt', label: 'gone', tokens: 900 }]));
    await selectRow(inspector, 3);
    await inspector.page.getByRole('alert').getByText('the file has changed').waitFor();
    isGone = false;
    await inspector.page.getByRole('button', { name: 'Try again' }).click();
    await inspector.page.getByTestId('block-text').getByText('it is back').waitFor();
    await inspector.close();
  });
});

describe('hostile text', () => {
  const script = '<script>window.broken = true</script>';
  const image = '<img src=x onerror="window.broken = true">';
  const turned = 'invoice\u202Efdp.exe';

  it('is shown as text', async () => {
    const inspector = await openInspector({
      answers: { blockText: () => plainText(`${script}\n${image}\n${turned}`) },
    });
    const { page } = inspector;
    await inspector.show(
      sessionOf(
        [
          { kind: 'toolResult', label: script, tokens: 300, tool: image, path: `/tmp/${image}` },
          { kind: 'prompt', label: turned, tokens: 300 },
          { kind: 'prompt', label: 'x'.repeat(10_000_000), tokens: 300 },
          { kind: 'prompt', label: '__proto__', tokens: 300 },
        ],
        `${script}${image}`,
      ),
    );
    await page.getByRole('heading', { name: script }).waitFor();
    // 1,200 tokens are visible but 1,000 were recorded: nothing is unrecorded, so block 1 is the first row.
    await selectRow(inspector, 2);
    const text = page.getByTestId('block-text');
    await text.waitFor();
    assert.equal(await text.textContent(), `${script}\n${image}\ninvoice[U+202E]fdp.exe`);
    await page.locator('.panel-name', { hasText: script }).waitFor();
    await page.locator('[role=row]', { hasText: 'invoice[U+202E]fdp.exe' }).waitFor();
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').hover({ position: { x: 200, y: 300 } });
    await untilStill(page);
    assert.equal(await page.evaluate(() => 'broken' in window), false);
    assert.equal(await page.locator('#root script, #root img').count(), 0);
    assert.deepEqual(await inspector.violations(), []);
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });
});
