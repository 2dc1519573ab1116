import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wasteOf } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { WasteWords } from '../../../src/core/waste/wasteWords';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { sourceOf } from '../../fixtures/transcriptBytes';

const rules = Array.from(
  { length: 60 },
  (_, index) => `Rule ${index}: sort the shelf number ${index} by author before closing the shop.`,
).join('\n');

/** The findings about repeated instructions of a session, with their words. */
async function repeated(fileName: string, text: string) {
  const opened = await openTranscript(sourceOf(Buffer.from(text)), {
    fileName,
    scanner: { scan: () => Promise.resolve([]) },
    countWhileReading: true,
  });
  assert.ok(opened.ok);
  const { session } = opened;
  await session.measure();
  const { findings } = await wasteOf(session);
  const words = new WasteWords(session.toSession());
  return findings
    .filter(({ kind }) => kind === 'repeatedInstructions')
    .map(finding => ({ count: finding.count, title: words.of(finding).title }));
}

/** Four prompts, each with a reminder. */
function withReminders(reminder: (turn: number) => string): string {
  const made = new ClaudeCodeSession();
  for (let turn = 1; turn <= 4; turn += 1) {
    made.prompt(`<system-reminder>\n${reminder(turn)}\n</system-reminder>`);
    made.prompt(`Question ${turn}`).reply({ text: `Answer ${turn}` });
  }
  return made.toString();
}

/** A Codex session in which the client sends its instructions at the start and again in the second turn. */
function codexWithRulesTwice(): string {
  const message = (role: string, text: string) => ({
    type: 'response_item',
    payload: {
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    },
  });
  const heading = '# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\n';
  const counted = (request: number) => {
    const usage = (times: number) => ({
      input_tokens: 9_000 * times,
      cached_input_tokens: 0,
      output_tokens: 9 * times,
      total_tokens: 9_009 * times,
    });
    const info = { total_token_usage: usage(request), last_token_usage: usage(1) };
    return { type: 'event_msg', payload: { type: 'token_count', info } };
  };
  const lines = [
    { type: 'session_meta', payload: { id: 'a', cwd: '/home/ada/shop', cli_version: '0.171.0' } },
    message('user', `${heading}${rules}\n</INSTRUCTIONS>`),
    message('user', 'Well?'),
    message('assistant', 'Yes.'),
    counted(1),
    message('user', `${heading}${rules}\nRule 60: one more.\n</INSTRUCTIONS>`),
    ...['And now?', 'And then?', 'And at the end?'].flatMap((text, index) => [
      message('user', text),
      message('assistant', 'No.'),
      counted(index + 2),
    ]),
  ];
  return lines.map(line => JSON.stringify({ timestamp: '2026-11-20T09:00:00.000Z', ...line })).join('\n');
}

describe('texts that a client adds', () => {
  it('are waste if a hook adds the same at every prompt, whatever its time', async () => {
    const text = withReminders(turn => `UserPromptSubmit hook additional context: 09:0${turn}\n${rules}`);
    assert.deepEqual(await repeated('hook.jsonl', text), [{ count: 3, title: 'Repeated text of a hook' }]);
  });

  it('are no waste if the hook says something else each time, or the agent repeats itself', async () => {
    const other = ['till', 'door', 'shelf', 'lamp', 'desk'];
    const changing = withReminders(
      turn => `UserPromptSubmit hook success: ${rules.replaceAll('shelf', other[turn] ?? '')}`,
    );
    assert.deepEqual(await repeated('other.jsonl', changing), []);
    assert.deepEqual(
      await repeated(
        'own.jsonl',
        withReminders(() => `Remember the todo list.\n${rules}`),
      ),
      [],
    );
  });

  it('are no waste that a user can avoid if the agent sends one file of instructions twice', async () => {
    assert.deepEqual(await repeated('rollout.jsonl', codexWithRulesTwice()), []);
  });
});
