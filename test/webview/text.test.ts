/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import type { BlockText } from '../../src/core/session/blockText';
import { closeBrowser, openInspector, type OpenInspector, plainText } from './harness';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';

after(closeBrowser);

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

const secret = 'hunter2hunter2';
const head = 'password = ';

describe('block text', () => {
  it('is masked until it is revealed, for that block alone', async () => {
    const finding = {
      rule: 'credentialAssignment',
      label: 'restricted',
      start: head.length,
      end: head.length + secret.length,
      message: 'a password is assigned',
    } as const;
    const inspector = await openInspector({
      answers: {
        blockText: (_, { block, reveal }): BlockText =>
          block === 1
            ? plainText('harmless')
            : {
                ...plainText(head + secret),
                segments: reveal
                  ? [{ text: head + secret }]
                  : [{ text: head }, { masked: secret.length, rule: finding.rule, label: finding.label }],
                findings: [finding],
              },
      },
    });
    const { page } = inspector;
    await inspector.show(
      sessionOf([
        { kind: 'toolResult', label: 'one', tokens: 300, sensitivity: 'restricted', findings: 1 },
        { kind: 'toolResult', label: 'two', tokens: 300 },
      ]),
    );
    const text = page.getByTestId('block-text');
    await selectRow(inspector, 3);
    await text.getByText('masked · 14 characters · credentialAssignment').waitFor();
    assert.equal((await page.content()).includes(secret), false);
    await page.getByText('characters 11 to 25').waitFor();
    await page.getByRole('button', { name: 'Reveal masked text' }).click();
    await text.getByText(secret).waitFor();
    await selectRow(inspector, 4);
    await text.getByText('harmless').waitFor();
    await selectRow(inspector, 3);
    await text.getByText('masked · 14 characters').waitFor();
    const reveals = (await inspector.sent()).flatMap(message =>
      message.type === 'question' && message.question.name === 'blockText'
        ? [message.question.params.reveal]
        : [],
    );
    assert.deepEqual(reveals, [false, true, false, false]);
    await inspector.close();
  });

  it('comes in pages', async () => {
    const whole = Array.from({ length: 9000 }, (_, index) => String(index % 10)).join('');
    const inspector = await openInspector({
      answers: {
        blockText: (_, { start, length }) => ({
          ...plainText(whole.slice(start, start + length)),
          start,
          end: Math.min(whole.length, start + length),
          characters: whole.length,
        }),
      },
    });
    await inspector.show(sessionOf([{ kind: 'prompt', label: 'long', tokens: 900 }]));
    await selectRow(inspector, 3);
    const text = inspector.page.getByTestId('block-text');
    await text.waitFor();
    assert.equal((await text.textContent())?.length, 4000);
    await inspector.page.getByRole('button', { name: 'Show more (5,000 left)' }).click();
    await inspector.page.waitForFunction(
      () => document.querySelector('[data-testid=block-text]')?.textContent.length === 9000,
    );
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
    // 1,200 tokens are visible but 1,000 were recorded: nothing is left that is not recorded, so block 1 is the first
    // row.
    await selectRow(inspector, 2);
    const text = page.getByTestId('block-text');
    await text.waitFor();
    assert.equal(await text.textContent(), `${script}\n${image}\ninvoice[U+202E]fdp.exe`);
    await page.locator('.panel-name', { hasText: script }).waitFor();
    await page.locator('[role=row]', { hasText: 'invoice[U+202E]fdp.exe' }).waitFor();
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').hover({ position: { x: 200, y: 300 } });
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => 'broken' in window), false);
    assert.equal(await page.locator('#root script, #root img').count(), 0);
    assert.deepEqual(await inspector.violations(), []);
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });
});
