/// <reference types="node" />
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { jsonLines } from '../fixtures/jsonLines';
import { expectNoViolations } from './axe';
import { isFinal, openThroughDoor, writeTranscript } from './door';

const towns = ['Arles', 'Bergen', 'Cadiz'];

/** A file for fine-tuning, with conversations about three towns. */
const conversations = (count: number): string =>
  jsonLines(
    Array.from({ length: count }, (_, number) => ({
      messages: [
        { role: 'user', content: `Question about ${towns[number % 3] ?? ''}` },
        { role: 'assistant', content: `Answer ${number + 1}.` },
      ],
    })),
  );

const shows = (page: Page, town: string): Promise<void> =>
  page.getByText(`Block 1: Question about ${town}, prompt`).waitFor({ state: 'attached' });

/** A subagent's lines, in a file of its own or in that of the session. */
const subagentLines = (id: string): string =>
  new ClaudeCodeSession()
    .prompt(`Prompt of the subagent ${id}`)
    .reply({ text: 'Three callers.' })
    .toString()
    .replaceAll('"isSidechain":false', `"isSidechain":true,"agentId":"${id}"`)
    .replaceAll('"00000000-', '"11111111-');

/** A session whose first reply starts two subagents: one in this file, as old versions write it, one in a file. */
async function writeSession(): Promise<{ readonly file: string; readonly elsewhere: string }> {
  const task = (id: string) => ({ tool: 'Task', id: `call-${id}`, input: { description: `Look ${id}` } });
  const [prompt = '', ...others] = new ClaudeCodeSession()
    .prompt('Count the callers')
    .reply(task('here'), task('elsewhere'))
    .result('call-here', 'Three.', { agentId: 'here' })
    .result('call-elsewhere', 'Four.', { agentId: 'elsewhere' })
    .reply({ text: 'Seven.' }).lines;
  const [calls, more] = [others.slice(0, 2), others.slice(2)];
  const lines = [prompt, ...calls].map(line => `${line}\n`).join('');
  const file = await writeTranscript(
    'session.jsonl',
    `${lines}${subagentLines('here')}${more.map(line => `${line}\n`).join('')}`,
  );
  const elsewhere = join(dirname(file), 'session', 'subagents', 'agent-elsewhere.jsonl');
  mkdirSync(dirname(elsewhere), { recursive: true });
  writeFileSync(elsewhere, subagentLines('elsewhere'));
  return { file, elsewhere };
}

describe('several conversations', () => {
  it('are chosen from a list by their names', async () => {
    const { page, close } = await openThroughDoor({ text: conversations(3) });
    await page.getByText('3 conversations · 3 requests').waitFor();
    await shows(page, 'Arles');
    const picker = page.getByRole('combobox', { name: 'Conversation' });
    await picker.selectOption('2 · Question about Bergen');
    await shows(page, 'Bergen');
    await close();
  });

  it('are searched where there are many, by keyboard', async () => {
    const { page, close } = await openThroughDoor({ text: conversations(500) });
    const picker = page.getByRole('combobox', { name: 'Conversation' });
    assert.equal(await picker.inputValue(), '1 · Question about Arles');
    const options = page.getByRole('listbox', { name: 'Conversation' }).getByRole('option');
    await picker.click();
    assert.equal(await options.count(), 100);
    await page.getByText('400 more. Type to narrow the list.').waitFor();
    await picker.fill('500 ·');
    assert.equal(await options.count(), 1);
    await picker.press('Enter');
    await shows(page, 'Bergen');
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
    await close();
  });
});

it('subagents open from their call and lead back to it, from this file and from one of their own', async () => {
  const { file, elsewhere } = await writeSession();
  const { page, deeds, deed, close } = await openThroughDoor({ file });
  await page.getByText('2 requests · 2 subagents with 2 requests').waitFor();
  assert.match((await page.getByTestId('cost').getAttribute('title')) ?? '', /Main conversation: \$/);
  await page.getByRole('radio', { name: 'Table' }).check();
  const open = async (call: string): Promise<void> => {
    await page.getByRole('row').filter({ hasText: call }).first().click();
    await page.getByTestId('block-details').getByRole('button', { name: 'Open subagent' }).click();
  };
  await open('Look here');
  await page.getByText('Request 1 of 1').waitFor();
  await page.getByRole('row').filter({ hasText: 'Prompt of the subagent here' }).waitFor();
  await page.getByRole('button', { name: 'Go to parent call' }).click();
  await page.getByText('Request 2 of 2').waitFor();
  await page
    .getByTestId('block-details')
    .getByText(/Look here/)
    .first()
    .waitFor();
  assert.ok(deeds.every(({ what }) => what === 'noteStep'));
  await open('Look elsewhere');
  assert.equal((await deed('show')).details[0], elsewhere);
  await page.waitForURL(({ searchParams }) => searchParams.get('file') === elsewhere);
  await isFinal(page);
  await page.getByRole('button', { name: 'Open parent session: session.jsonl' }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get('file') === file);
  await close();
});
