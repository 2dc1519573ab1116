/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import { maskPage } from '../../src/core/sensitivity/maskText';
import type { BlockText } from '../../src/core/session/blockText';
import { pageAt, rowsOf } from '../../src/core/view/textRows';
import { type OpenInspector, openInspector, plainText } from './harness';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';
import { untilStill } from './still';

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

/** The page of a text around an offset, as the worker answers it. */
function pageOf(whole: string, offset: number): BlockText {
  const { rows, form } = rowsOf(whole);
  const page = pageAt(rows, offset, whole.length);
  return {
    ...plainText(''),
    ...page,
    rows: [...page.rows],
    form,
    segments: [{ text: whole.slice(page.start, page.end) }],
    characters: whole.length,
  };
}

const secret = 'hunter2hunter2';
const head = 'password = ';

describe('block text', () => {
  it('stands clear of the button that copies it', async () => {
    const inspector = await openInspector({
      answers: { blockText: (): BlockText => plainText('word '.repeat(400)) },
    });
    const { page } = inspector;
    await inspector.show(sessionOf([{ kind: 'toolResult', label: 'one', tokens: 300 }]));
    await selectRow(inspector, 3);
    const button = await page.getByRole('button', { name: 'Copy text' }).boundingBox();
    const text = await page.getByTestId('block-text').locator('.text-row__text').first().boundingBox();
    assert.ok(button !== null && text !== null);
    assert.ok(text.x + text.width <= button.x, `${text.x + text.width} is beyond ${button.x}`);
  });

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
    await selectRow(inspector, 4);
    await text.getByText('harmless').waitFor();
    await selectRow(inspector, 3);
    await text.getByText('14 masked characters').waitFor();
    const reveals = (await inspector.sent()).flatMap(message =>
      message.type === 'question' && message.question.name === 'blockText'
        ? [message.question.params.reveal]
        : [],
    );
    assert.deepEqual(reveals, [false, true, false, false]);
    await inspector.close();
  });

  it('comes in pages, and goes to the page of a place in the map', async () => {
    const whole = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join('\n');
    const inspector = await openInspector({
      answers: { blockText: (_, { offset }) => pageOf(whole, offset) },
    });
    const { page } = inspector;
    await inspector.show(sessionOf([{ kind: 'prompt', label: 'long', tokens: 900 }]));
    await selectRow(inspector, 3);
    const text = page.getByTestId('block-text');
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
    const lines = Array.from({ length: 615 }, (_, index) => `mail ${index} to ada${index}@bookshop.test`);
    const whole = lines.join('\n');
    const findings = lines.map((line, index) => {
      const start = whole.indexOf(`ada${index}@`);
      const isKey = index === 300;
      return {
        rule: isKey ? 'accessKey' : 'emailAddress',
        label: isKey ? ('restricted' as const) : ('private' as const),
        start,
        end: start + line.length - line.indexOf('ada'),
        message: `number ${index}`,
      };
    });
    const inspector = await openInspector({
      answers: {
        blockText: (_, { offset, reveal }) => {
          const page = pageOf(whole, offset);
          const { start, end } = page;
          return {
            ...page,
            segments: reveal ? page.segments : [...maskPage(whole, findings, start, end)],
            findings,
          };
        },
      },
    });
    const { page } = inspector;
    await inspector.show(
      sessionOf([
        { kind: 'toolResult', label: 'mails', tokens: 900, sensitivity: 'restricted', findings: 615 },
      ]),
    );
    await selectRow(inspector, 3);
    const text = page.getByTestId('block-text');
    await text.getByText('mail 0 to').waitFor();
    const frame = await text.boundingBox();
    assert.ok(frame !== null && frame.y + 60 < 900, 'the text begins in the window');
    const rules = page.getByTestId('findings').getByRole('button', { name: /finding/ });
    assert.deepEqual(
      await rules.evaluateAll(buttons => buttons.slice(0, 2).map(button => button.textContent)),
      ['accessKey 1', 'Email address 614'],
    );
    const place = page.getByTestId('findings').getByRole('status');
    await text.focus();
    await page.keyboard.press('F8');
    await place.getByText('1 of 615').waitFor();
    await page.keyboard.press('Shift+F8');
    await place.getByText('615 of 615').waitFor();
    await text.getByText('mail 614 to').waitFor();
    await page.getByRole('button', { name: 'accessKey, 1 finding' }).click();
    await place.getByText('301 of 615').waitFor();
    const chip = text.locator('.masked--restricted');
    await chip.waitFor();
    const [shown, box] = [await chip.boundingBox(), await text.boundingBox()];
    assert.ok(shown && box && shown.y >= box.y && shown.y < box.y + box.height, 'the finding is scrolled to');
    assert.equal((await page.content()).includes('@bookshop'), false);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await text.locator('mark.revealed--restricted', { hasText: 'ada300@bookshop.test' }).waitFor();
    assert.equal(await text.locator('.masked').count(), 0);
    await inspector.close();
  });

  it('of JSON is folded, and copied as it is', async () => {
    const whole = JSON.stringify({
      command: `first ${'x'.repeat(90)}\nsecond`,
      list: { deep: 'y'.repeat(60) },
      last: 1,
    });
    const inspector = await openInspector({
      answers: { blockText: (_, { offset }) => pageOf(whole, offset) },
    });
    const { page } = inspector;
    await inspector.show(sessionOf([{ kind: 'toolCall', label: 'call', tokens: 900 }]));
    await selectRow(inspector, 3);
    const text = page.getByTestId('block-text');
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
