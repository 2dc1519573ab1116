/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { type Answer, eventText, type FaultServer, startFaultServer } from '../fixtures/faultServer';
import { jsonLines } from '../fixtures/jsonLines';
import { eventStream, replyEnd, replyStart, textPiece, textStart } from '../fixtures/streamedReply';
import { type OpenDoor, openThroughDoor } from './door';

const key = 'sk-ant-invented-key-0123456789';

/** Opens a transcript with a provider on this machine, whose key is in the environment. */
async function openWith(
  text: string,
  answer: Answer,
): Promise<{
  readonly provider: FaultServer;
  readonly inspector: OpenDoor;
  readonly end: () => Promise<void>;
}> {
  const provider = await startFaultServer(answer);
  const inspector = await openThroughDoor({
    text,
    keys: { ANTHROPIC_API_KEY: key },
    settings: { 'contextInspector.asking.providers': { anthropic: { baseUrl: provider.baseUrl } } },
  });
  await inspector.page.getByRole('tab', { name: 'Model' }).click();
  return {
    provider,
    inspector,
    end: async () => {
      await inspector.close();
      await provider.close();
    },
  };
}

async function preview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByTestId('ask-plan').waitFor();
}

const send = (page: Page): Promise<void> =>
  page.getByTestId('ask-plan').getByRole('button', { name: 'Send', exact: true }).click();

describe('asking a model', () => {
  it('sends nothing without an act, then streams, tells faults and cancels', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Why?')
      .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
      .result('toolu_a', 'The file is empty.')
      .reply({ text: 'The file has nothing in it.' })
      .toString();
    const answers: Answer[] = [];
    const { provider, inspector, end } = await openWith(session, response => answers.shift()?.(response));
    const { page } = inspector;
    const outcome = page.getByTestId('ask-outcome');
    await preview(page);
    const plan = page.getByTestId('ask-plan');
    await plan.getByText(`Anthropic, ${provider.baseUrl} on this machine`).waitFor();
    assert.equal(provider.requests.length, 0, 'something was sent without an act');

    let rest = (): void => undefined;
    answers.push(response => {
      response.writeHead(200, eventStream).write(eventText(replyStart(), ...textStart('The file has ')));
      rest = () => void response.end(eventText(textPiece('no text.'), ...replyEnd()));
    });
    await send(page);
    // The answer is streamed: its beginning is shown before the rest is sent.
    await page.getByTestId('ask-content').getByText('The file has').waitFor();
    rest();
    await page.getByTestId('ask-comparison').locator('ins').first().waitFor();
    assert.match((await outcome.textContent()) ?? '', /Same next action as recorded.*Saved in .+\.jsonl/);
    assert.deepEqual(
      provider.requests.map(({ headers }) => headers['x-api-key']),
      [key],
    );
    assert.equal(readFileSync(inspector.file, 'utf8'), session);

    answers.push(response => void response.writeHead(401).end('{"error":{"message":"invalid x-api-key"}}'));
    await preview(page);
    await send(page);
    await outcome.getByText('did not accept the key').waitFor();

    answers.push(
      response =>
        void response.writeHead(200, eventStream).write(eventText(replyStart(), ...textStart('Half'))),
    );
    await preview(page);
    await send(page);
    await page.getByTestId('ask-content').getByText('Half').waitFor();
    await outcome.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Partial output is below.').waitFor();
    assert.match((await outcome.textContent()) ?? '', /Half/);
    assert.ok(!(await page.content()).includes(key));

    await provider.close();
    await preview(page);
    await send(page);
    await outcome.getByText('refused the connection').waitFor();
    await end().catch(() => undefined);
  });

  it('shows the provider’s verdict on the cache, and asks for it in a probe', async () => {
    // The third request read less than was cached, and the provider reports the reason.
    const text = jsonLines(
      [0, 30_000, 18_000].flatMap((read, index) => {
        const common = {
          parentUuid: null,
          isSidechain: false,
          sessionId: 's',
          version: '2.1.150',
          timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, 30 * index)).toISOString(),
        };
        const reason = { type: 'system_changed', cache_missed_input_tokens: 11_689 };
        return [
          {
            ...common,
            type: 'user',
            uuid: `u${index}`,
            message: { role: 'user', content: `Question ${index}` },
          },
          {
            ...common,
            type: 'assistant',
            uuid: `a${index}`,
            message: {
              type: 'message',
              role: 'assistant',
              id: `msg_${index}`,
              model: 'claude-sonnet-4-5-20250929',
              content: [{ type: 'text', text: `Answer ${index}` }],
              usage: {
                input_tokens: 3,
                cache_read_input_tokens: read,
                cache_creation_input_tokens: 30_000 + 100 * index - read,
                output_tokens: 10,
              },
              diagnostics: index < 2 ? null : { cache_miss_reason: reason },
            },
            effort: 'high',
            attributionSkill: 'review',
          },
        ];
      }),
    );
    let calls = 0;
    const { provider, inspector, end } = await openWith(text, response => {
      calls += 1;
      const reason = { type: 'tools_changed', cache_missed_input_tokens: 12 };
      const diagnostics = calls === 1 ? null : { cache_miss_reason: reason };
      response
        .writeHead(200, eventStream)
        .end(eventText(replyStart({ diagnostics }), ...textStart('Hi'), ...replyEnd()));
    });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Cache' }).click();
    await page.getByTestId('cache-break').waitFor();
    const panel = await page.getByTestId('cache-panel').innerText();
    assert.match(panel, /Provider’s verdict\s+the system prompt changed, 11,689 tokens/);
    assert.match(panel, /Cache lost: system text changed/);
    assert.match(panel, /recorded by the provider/);
    await page.getByRole('tab', { name: 'Model' }).click();
    await page
      .getByTestId('model-panel')
      .getByRole('combobox', { name: 'Action' })
      .selectOption('Probe the cache');
    await preview(page);
    await page.getByTestId('ask-plan').getByText('The provider is asked to report on the cache.').waitFor();
    assert.equal(provider.requests.length, 0, 'something was sent without an act');
    await send(page);
    await page.getByTestId('ask-outcome').getByText('the tools changed, 12 tokens').waitFor();
    assert.deepEqual(
      provider.requests.map(({ body }) => /"previous_message_id":("msg_1"|null)/.exec(body)?.[1]),
      ['null', '"msg_1"'],
    );
    await end();
  });
});
