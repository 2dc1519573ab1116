/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import { expectNoViolations } from './axe';
import { type OpenInspector, openInspector } from './harness';
import { type MadeBlock, makeColumns, makeSummary } from './sessionBuilder';

/** This many conversations of one prompt, each with one request more than the previous one. */
function conversations(count: number): Session {
  const blocks = Array.from({ length: count }, (_, index): MadeBlock => ({
    kind: 'prompt',
    label: `prompt ${index + 1}`,
    tokens: 100,
  }));
  return {
    summary: makeSummary({
      title: 'A fine-tuning set',
      conversations: blocks.map((_, thread) => ({
        thread,
        title: `Question about ${towns[thread % 3] ?? ''}`,
      })),
    }),
    columns: makeColumns(
      blocks,
      blocks.map((_, index) => [index]),
      blocks.flatMap((_, thread) =>
        Array.from({ length: thread % 3 === 0 ? 1 : 2 }, () => ({ context: thread, length: 1, thread })),
      ),
    ),
  };
}
const towns = ['Arles', 'Bergen', 'Cadiz'];

/** A session whose first reply starts two subagents: one in this file, one in a separate file. */
function withSubagents(): Session {
  const blocks: readonly MadeBlock[] = [
    { kind: 'prompt', label: 'Count the callers', tokens: 10 },
    { kind: 'toolCall', label: 'Task here', tool: 'Task', callId: 'call-here', tokens: 20 },
    { kind: 'toolCall', label: 'Task elsewhere', tool: 'Task', callId: 'call-elsewhere', tokens: 20 },
    { kind: 'prompt', label: 'The subagent’s prompt', tokens: 30 },
  ];
  return {
    summary: makeSummary({
      subagents: [
        { id: 'here', thread: 1, callId: 'call-here', description: 'Look here' },
        { id: 'elsewhere', callId: 'call-elsewhere', description: 'Look elsewhere' },
      ],
    }),
    columns: makeColumns(
      blocks,
      [[0, 1, 2], [3]],
      [
        { context: 0, length: 1 },
        { context: 1, length: 1, thread: 1 },
        { context: 0, length: 3 },
      ],
    ),
  };
}

describe('several conversations', () => {
  it('are chosen from a list by their names', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(conversations(3));
    await page.getByText('3 conversations · 5 requests').waitFor();
    await page.getByText('Request 1 of 1').waitFor();
    const picker = page.getByRole('combobox', { name: 'Conversation' });
    await picker.selectOption('2 · Question about Bergen');
    await page.getByText('Request 2 of 2').waitFor();
    await inspector.close();
  });

  it('are searched where there are many, by keyboard', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(conversations(500));
    const picker = page.getByRole('combobox', { name: 'Conversation' });
    assert.equal(await picker.inputValue(), '1 · Question about Arles');
    const options = page.getByRole('listbox', { name: 'Conversation' }).getByRole('option');
    await picker.click();
    assert.equal(await options.count(), 100);
    await page.getByText('400 more. Type to narrow the list.').waitFor();
    await picker.fill('500 ·');
    assert.equal(await options.count(), 1);
    await picker.press('Enter');
    await page.getByText('Request 2 of 2').waitFor();
    assert.equal(await picker.inputValue(), '500 · Question about Bergen');
    await picker.press('ArrowDown');
    await picker.fill('nowhere');
    await page.getByText('No matching conversations').waitFor();
    await picker.press('Escape');
    assert.equal(await picker.getAttribute('aria-expanded'), 'false');
    await picker.press('ArrowDown');
    await picker.fill('cadiz');
    await picker.press('ArrowDown');
    const active = await picker.getAttribute('aria-activedescendant');
    assert.match(
      (await page.locator(`[id="${active ?? ''}"]`).textContent()) ?? '',
      /^6 · Question about Cadiz/,
    );
    await expectNoViolations(page, 'the list of conversations');
    await options.filter({ hasText: /^9 · / }).click();
    assert.equal(await picker.inputValue(), '9 · Question about Cadiz');
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });
});

/** The requested actions of the host, without the steps of the walkthrough. */
const actsOf = async (inspector: OpenInspector) =>
  (await inspector.sent()).flatMap(message =>
    message.type === 'act' && message.act.kind !== 'step' ? [message.act] : [],
  );

describe('subagents', () => {
  it('in the file open from their call and lead back to it', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(withSubagents());
    await page.getByText('2 requests · 2 subagents with 1 request').waitFor();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('row').filter({ hasText: 'Task here' }).click();
    await page.getByTestId('block-details').getByRole('button', { name: 'Open subagent' }).click();
    await page.getByText('Request 1 of 1').waitFor();
    await page.getByRole('row').filter({ hasText: 'The subagent’s prompt' }).waitFor();
    await page.getByRole('button', { name: 'Go to parent call' }).click();
    await page.getByText('Request 2 of 2').waitFor();
    await page
      .getByTestId('block-details')
      .getByText(/Task here/)
      .waitFor();
    assert.deepEqual(await actsOf(inspector), []);
    await inspector.close();
  });

  it('in files of their own are opened by the host, and so is the parent', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(withSubagents());
    assert.equal(await page.getByRole('button', { name: /started this subagent/ }).count(), 0);
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('row').filter({ hasText: 'Task elsewhere' }).click();
    await page.getByTestId('block-details').getByRole('button', { name: 'Open subagent' }).click();
    await inspector.send({ type: 'parent', fileName: 'parent.jsonl' });
    await page.getByRole('button', { name: 'Open parent session: parent.jsonl' }).click();
    assert.deepEqual(await actsOf(inspector), [
      { kind: 'openSubagent', id: 'elsewhere' },
      { kind: 'openParent' },
    ]);
    await inspector.close();
  });
});
